//! Two more sessions of the shop: a rewound prompt, and agents beside the file.

use ravel_testkit::{AgentTask, Outcome, SessionBuilder, Version};
use serde_json::json;

use crate::shop_money::SHOP;
use crate::sources;

/// A prompt that was taken back and asked differently: two branches.
pub(crate) fn rate_limit() -> SessionBuilder {
    let mut session = SessionBuilder::new(Version::V2_1_29, "demo rate limit")
        .in_folder(SHOP)
        .starting_at("2026-01-26T13:05:40.000Z")
        .with_slug("gentle-counting-wren")
        .interactive();
    session.put_file("src/routes.rs", sources::ROUTES);
    session.prompt("Someone hammers our checkout with thousands of requests. What can we do without a new service?");
    session.read_file("src/routes.rs");
    let fork = session.reply("Three options, from small to large:\n\n1. A **token bucket per address**, in memory. Twenty lines, gone after a restart.\n2. The same in the database, shared by all instances.\n3. A limit in the proxy in front of the shop.\n\nWith one instance, the first is enough.");
    first_branch(&mut session);
    session.wait_minutes(4);
    session.branch_at(&fork);
    session.put_file("src/routes.rs", sources::ROUTES);
    second_branch(&mut session);
    session
}

fn first_branch(session: &mut SessionBuilder) {
    session.prompt("Let's do it in the proxy.");
    session.call(
        "Bash",
        json!({"command": "ls deploy", "description": "Look for the proxy settings"}),
        &Outcome::bash("Caddyfile\ncompose.yaml"),
    );
    session.reply("Caddy has no rate limit built in; it would need a plugin and our own image. Is that worth it for one route?");
}

fn second_branch(session: &mut SessionBuilder) {
    session
        .prompt("Let's do the token bucket in memory, only for /checkout, five requests a minute.");
    session.thinking("A layer on one route, a map from address to bucket behind a mutex. Five tokens, one back every twelve seconds.");
    session.write_file("src/limit.rs", "//! A token bucket per address.\n\nuse std::{collections::HashMap, net::IpAddr, time::Instant};\n\npub struct Limit {\n    buckets: HashMap<IpAddr, (f32, Instant)>,\n}\n\nimpl Limit {\n    /// Takes a token; false means: too many requests.\n    pub fn allow(&mut self, address: IpAddr, now: Instant) -> bool {\n        let (tokens, last) = self.buckets.entry(address).or_insert((5.0, now));\n        *tokens = (*tokens + now.duration_since(*last).as_secs_f32() / 12.0).min(5.0);\n        *last = now;\n        let allowed = *tokens >= 1.0;\n        if allowed {\n            *tokens -= 1.0;\n        }\n        allowed\n    }\n}\n");
    session.edit_file(
        "src/routes.rs",
        "post(crate::checkout::pay))",
        "post(crate::checkout::pay).layer(crate::limit::layer()))",
    );
    session.call(
        "Bash",
        json!({"command": "cargo test limit", "description": "Run the limit tests"}),
        &Outcome::bash(
            "test limit::tests::the_sixth_request_in_a_minute_waits ... \u{1b}[32mok\u{1b}[0m",
        ),
    );
    session.reply("Done: `/checkout` answers `429 Too Many Requests` from the sixth request a minute on. After a restart everyone starts with a full bucket, which is fine here.");
    session.prompt("Perfect, thank you!");
    session.reply("You're welcome. If you ever run a second instance, come back to option 2.");
    session.custom_title("Rate limit for checkout");
}

/// Version 2.0: agents in files beside the session, one of them a warm-up.
pub(crate) fn stock_report() -> SessionBuilder {
    let mut session = SessionBuilder::new(Version::V2_0_77, "demo stock report")
        .in_folder(SHOP)
        .starting_at("2026-01-19T16:20:05.000Z")
        .with_slug("brisk-sorting-finch");
    session.put_file("stock.csv", "flower,stems\ntulip,240\npeony,12\niris,0\n");
    session.queue_operation("dequeue", None);
    session.unlinked_agent("Warmup", |agent| {
        agent.reply("I'm ready to help.");
    });
    session
        .prompt("Which flowers must we reorder this week? Sales of the last days are in sales/.");
    let (stock, sales) = (
        AgentTask::new(
            "Read the stock",
            "Read stock.csv and list flowers with fewer than 50 stems.",
        ),
        AgentTask::new(
            "Read the sales",
            "Read sales/*.csv and say how many stems of each flower go in a day.",
        ),
    );
    let (stock_call, sales_call) = (session.agent_call(&stock), session.agent_call(&sales));
    let stock_run = session.run_agent(&stock_call, &stock, |agent| {
        agent.read_file("stock.csv");
        agent.reply("Peony: 12 stems. Iris: none.");
    });
    let sales_run = session.run_agent(&sales_call, &sales, |agent| {
        agent.call(
            "Bash",
            json!({"command": "cat sales/*.csv | sort"}),
            &Outcome::bash("iris,18\npeony,9\ntulip,31"),
        );
        agent.reply("About 31 tulips, 18 irises and 9 peonies a day.");
    });
    session.agent_result(&sales_call, &sales, &sales_run);
    session.agent_result(&stock_call, &stock, &stock_run);
    session.reply("Reorder **irises** today (none left, 18 a day) and **peonies** by tomorrow (12 left, 9 a day). Tulips last another week.");
    session
}
