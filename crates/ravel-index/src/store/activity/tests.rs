use super::*;

#[test]
fn an_activity_comes_back_as_it_was() {
    let amount = |messages| Amount {
        messages,
        tool_calls: 2,
        agent_messages: u64::MAX,
        agent_tool_calls: 0,
    };
    let mut activity = Activity::default();
    assert_eq!(unpack(&pack(&activity)), Some(activity.clone()));
    activity.quarters.insert(None, amount(1));
    activity.quarters.insert(Some(Quarter(-3)), amount(300));
    activity.tools.insert((Some(Quarter(9)), "Bash".into()), 40);
    activity.first = Some(Timestamp(i64::MIN));
    activity.folder = Some((77, "/srv/shop".into()));
    assert_eq!(unpack(&pack(&activity)), Some(activity));
}

#[test]
fn what_is_no_activity_is_none() {
    assert_eq!(unpack(&[]), None);
    assert_eq!(unpack(&[0x80; 40]), None);
}
