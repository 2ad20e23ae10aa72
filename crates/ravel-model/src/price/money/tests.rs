use super::{Factor, Nanos, Rate};

#[test]
fn amounts_are_written_in_dollars() {
    let check = |nanos, exact: &str, cents: &str| {
        assert_eq!(Nanos(nanos).to_string(), exact);
        assert_eq!(format!("{:.2}", Nanos(nanos)), cents);
    };
    check(0, "$0.00", "$0.00");
    check(3_970_800, "$0.0039708", "$0.00");
    check(5_000_000, "$0.005", "$0.01");
    check(4_999_999, "$0.004999999", "$0.00");
    check(1_000_000_000, "$1.00", "$1.00");
    check(12_345_000_000, "$12.345", "$12.35");
    check(999_999_999, "$0.999999999", "$1.00");
    assert_eq!(format!("{:.0}", Nanos(1_500_000_000)), "$2");
    assert_eq!(format!("{:>8.2}", Nanos(1_500_000_000)), "   $1.50");
    assert_eq!(format!("{:.9}", Nanos(1)), "$0.000000001");
}

#[test]
fn a_price_is_rounded_once_with_halves_up() {
    let haiku_write = Rate(125_000_000);
    assert_eq!(haiku_write.times(3), Nanos(375));
    let in_the_us = haiku_write.with(Factor(1_100));
    assert_eq!(in_the_us.times(1), Nanos(138));
    assert_eq!(in_the_us.times(2), Nanos(275));
    assert_eq!(in_the_us.times(3), Nanos(413));
    assert_eq!(Rate(u64::MAX).times(u64::MAX), Nanos(u64::MAX));
    assert_eq!(Rate(u64::MAX).with(Factor(u32::MAX)), Rate(u64::MAX));
}

#[test]
fn factors_are_written_short() {
    for (factor, text) in [(1_100, "1.1x"), (6_000, "6x"), (500, "0.5x"), (0, "0x")] {
        assert_eq!(Factor(factor).to_string(), text);
    }
}

#[test]
fn scaling_does_not_divide_by_zero() {
    assert_eq!(Nanos(7).scaled(3, 2), Nanos(10));
    assert_eq!(Nanos(7).scaled(3, 0), Nanos(7));
    assert_eq!(Nanos(u64::MAX).scaled(u64::MAX, 1), Nanos(u64::MAX));
}
