//! The files of the invented projects.

/// The house rules of the shop.
pub(crate) const SHOP_RULES: &str = "# Petal Shop API\n\n- Money is never a float in new code.\n- Run `cargo test` before you say it works.\n- Keep handlers thin; rules live in `src/price.rs` and `src/cart.rs`.\n";

/// Prices before the change.
pub(crate) const PRICE: &str = r#"//! Prices and discounts.

/// A price in euros.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price(pub f64);

impl Price {
    pub fn with_discount(self, percent: f64) -> Price {
        Price(self.0 * (1.0 - percent / 100.0))
    }

    pub fn times(self, count: u32) -> Price {
        Price(self.0 * count as f64)
    }
}

impl std::fmt::Display for Price {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} €", self.0)
    }
}
"#;

/// Prices after it.
pub(crate) const PRICE_NEW: &str = r#"//! Prices and discounts, in whole cents.

/// A price in cents, so that sums are exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Price(pub i64);

impl Price {
    /// Takes a discount off, rounding half a cent in the customer's favor.
    pub fn with_discount(self, percent: i64) -> Price {
        let discount = (self.0 * percent + 99) / 100;
        Price(self.0 - discount)
    }

    pub fn times(self, count: u32) -> Price {
        Price(self.0 * i64::from(count))
    }
}

impl std::fmt::Display for Price {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{:02} €", self.0 / 100, self.0 % 100)
    }
}
"#;

/// The cart, which adds prices up.
pub(crate) const CART: &str = r#"//! The shopping cart.

use crate::price::Price;

#[derive(Debug, Default)]
pub struct Cart {
    lines: Vec<(String, u32, Price)>,
}

impl Cart {
    pub fn add(&mut self, name: &str, count: u32, price: Price) {
        self.lines.push((name.to_owned(), count, price));
    }

    pub fn total(&self) -> Price {
        Price(self.lines.iter().map(|(_, count, price)| price.times(*count).0).sum::<f64>())
    }
}
"#;

/// The tests of the cart.
pub(crate) const CART_TEST: &str = r#"use petal_shop::{cart::Cart, price::Price};

#[test]
fn ten_tulips_cost_ten_times_one_tulip() {
    let mut cart = Cart::default();
    cart.add("tulip", 10, Price(0.10));
    assert_eq!(cart.total().to_string(), "1.00 €");
}

#[test]
fn a_discount_is_taken_off_once() {
    assert_eq!(Price(19.99).with_discount(15.0).to_string(), "16.99 €");
}
"#;

/// The routes of the shop.
pub(crate) const ROUTES: &str = r#"use axum::{Router, routing::{get, post}};

pub fn routes() -> Router<crate::App> {
    Router::new()
        .route("/flowers", get(crate::flowers::list))
        .route("/cart", post(crate::cart::add))
        .route("/checkout", post(crate::checkout::pay))
}
"#;

/// The plotting cell of the notebook.
pub(crate) const PLOT: &str = r#"import pandas as pd
import matplotlib.pyplot as plt

levels = pd.read_csv("levels.csv", parse_dates=["time"])
levels.plot(x="time", y="cm")
plt.savefig("chart.png")
"#;

/// The chart the notebook draws: a flood wave against the warning line, as a real PNG.
pub(crate) const CHART: &str = "iVBORw0KGgoAAAANSUhEUgAAAEgAAAAkAgMAAABXtZT1AAAADFBMVEX///9aWlrWeFAobrSbV+0oAAAAe0lEQVR42rXSPQ7AIAgFYAZ2Ttf7OXTv1d4NqFEQlKVLX9LEfHlo/4ip5BfSQqIoRIU0Jp3Qe5a7zaA9mKvUWpsZCeI2nOw6CYV8MpPVOD+hZgJFbaNZ20l0kZ8/jONAt5P6kkdXt3cv2jdCptERnF9I9P8fIHKVfBt8AU5hNNfkR8+AAAAAAElFTkSuQmCC";

/// The front page of the documentation site.
pub(crate) const GUIDE_INDEX: &str = "# Trail guide\n\nWalks for a free afternoon.\n\n- [Old mill loop](walks/old-mill.md)\n- [Ridge path](walks/ridge.md)\n- [Getting there](travel.md)\n";

/// The build settings of the documentation site.
pub(crate) const GUIDE_CONFIG: &str =
    "site_name: Trail guide\ntheme: simple\nnav:\n  - Home: index.md\n  - Walks: walks/\n";

/// The shell prompt of the dotfiles.
pub(crate) const BASHRC: &str = "export EDITOR=hx\nPS1='\\u@\\h:\\w\\$ '\nalias ll='ls -l'\n";
