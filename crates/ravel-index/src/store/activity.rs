//! What was done in a transcript, in few bytes.

use std::collections::BTreeMap;
use std::sync::Arc;

use ravel_format::Timestamp;
use ravel_model::activity::{Activity, Amount, Quarter};
use rusqlite::{Connection, OptionalExtension as _};

use super::pack::{Reader, Writer};

#[cfg(test)]
mod tests;

/// Keeps the activity of a file.
pub(crate) fn save_activity(
    connection: &Connection,
    file: i64,
    activity: &Activity,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO activity(file, body) VALUES(?1, ?2)")?
        .execute((file, pack(activity)))?;
    Ok(())
}

/// Returns the activity of a file.
pub(crate) fn load_activity(connection: &Connection, file: i64) -> rusqlite::Result<Activity> {
    let mut select = connection.prepare_cached("SELECT body FROM activity WHERE file = ?1")?;
    let activity = select.query_row([file], |row| Ok(unpack(row.get_ref(0)?.as_blob()?)));
    Ok(activity.optional()?.flatten().unwrap_or_default())
}

fn pack(activity: &Activity) -> Vec<u8> {
    let mut out = Writer::default();
    out.number(activity.quarters.len() as u64);
    for (quarter, amount) in &activity.quarters {
        write_quarter(&mut out, *quarter);
        for number in [
            amount.messages,
            amount.tool_calls,
            amount.agent_messages,
            amount.agent_tool_calls,
        ] {
            out.number(number);
        }
    }
    out.number(activity.tools.len() as u64);
    for ((quarter, tool), n_calls) in &activity.tools {
        write_quarter(&mut out, *quarter);
        out.text(tool);
        out.number(*n_calls);
    }
    write_time(&mut out, activity.first);
    write_time(&mut out, activity.last);
    if let Some((offset, folder)) = &activity.folder {
        out.number(*offset);
        out.text(folder);
    }
    out.bytes
}

fn unpack(bytes: &[u8]) -> Option<Activity> {
    let mut from = Reader { rest: bytes };
    let mut quarters = BTreeMap::new();
    for _ in 0..from.number()? {
        let quarter = read_quarter(&mut from)?;
        let amount = Amount {
            messages: from.number()?,
            tool_calls: from.number()?,
            agent_messages: from.number()?,
            agent_tool_calls: from.number()?,
        };
        quarters.insert(quarter, amount);
    }
    let mut tools = BTreeMap::new();
    for _ in 0..from.number()? {
        let quarter = read_quarter(&mut from)?;
        let tool: Arc<str> = from.text()?.into();
        tools.insert((quarter, tool), from.number()?);
    }
    let first = read_time(&mut from)?;
    let last = read_time(&mut from)?;
    let folder = match from.rest {
        [] => None,
        _ => Some((from.number()?, from.text()?.into())),
    };
    Some(Activity {
        quarters,
        tools,
        first,
        last,
        folder,
    })
}

fn write_quarter(out: &mut Writer, quarter: Option<Quarter>) {
    write_number(out, quarter.map(|Quarter(number)| number));
}

fn read_quarter(from: &mut Reader<'_>) -> Option<Option<Quarter>> {
    Some(read_number(from)?.map(Quarter))
}

fn write_time(out: &mut Writer, time: Option<Timestamp>) {
    write_number(out, time.map(|Timestamp(millis)| millis));
}

fn read_time(from: &mut Reader<'_>) -> Option<Option<Timestamp>> {
    Some(read_number(from)?.map(Timestamp))
}

fn write_number(out: &mut Writer, number: Option<i64>) {
    out.byte(u8::from(number.is_some()));
    if let Some(number) = number {
        out.signed(number);
    }
}

fn read_number(from: &mut Reader<'_>) -> Option<Option<i64>> {
    match from.byte()? {
        0 => Some(None),
        _ => from.signed().map(Some),
    }
}
