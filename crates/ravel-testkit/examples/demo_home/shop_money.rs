//! The long session: prices from floats to cents, with agents, failing tests and a compaction.

use ravel_testkit::{AgentTask, Outcome, SessionBuilder, Trigger, Version};
use serde_json::json;

use crate::sources;

pub(crate) const SHOP: &str = "/home/robin/code/petal-shop";

pub(crate) fn integer_prices() -> SessionBuilder {
    let mut session = SessionBuilder::new(Version::V2_1_325, "demo integer prices")
        .in_folder(SHOP)
        .on_branch("integer-prices")
        .starting_at("2026-01-28T08:41:12.000Z")
        .interactive();
    session.put_file("src/price.rs", sources::PRICE);
    session.put_file("src/cart.rs", sources::CART);
    session.put_file("tests/cart.rs", sources::CART_TEST);
    session.put_file("src/routes.rs", sources::ROUTES);
    session.mode("normal");
    session.permission_mode("acceptEdits");
    session.set_permission_mode("acceptEdits");
    look_around(&mut session);
    change_prices(&mut session);
    failing_then_passing(&mut session);
    audit_with_agents(&mut session);
    session.wait_minutes(25);
    compact_and_finish(&mut session);
    session
}

fn look_around(session: &mut SessionBuilder) {
    session.prompt("A customer was charged 20.000000000000004 € for ten tulips. Please move all prices from floats to whole cents, and keep the tests green.");
    session.opening_attachments();
    session.instructions(&format!("{SHOP}/CLAUDE.md"), sources::SHOP_RULES);
    session.wait_ms(2_400);
    session.thinking("The bug is the classic one: binary floats cannot hold a tenth. I should see every place that makes or adds a price before touching any of them.");
    session.reply(
        "That is rounding error from `f64`. I'll read everything that touches a price first.",
    );
    let mut calls = vec![
        session.read_call("src/price.rs"),
        session.read_call("src/cart.rs"),
        session.read_call("tests/cart.rs"),
    ];
    calls.push((
        "Grep",
        json!({"pattern": "f64", "path": SHOP, "output_mode": "content", "-n": true}),
        Outcome::grep_content("src/price.rs:5:pub struct Price(pub f64);\nsrc/price.rs:8:    pub fn with_discount(self, percent: f64) -> Price {\nsrc/price.rs:13:        Price(self.0 * count as f64)\nsrc/cart.rs:16:        Price(self.lines.iter().map(|(_, count, price)| price.times(*count).0).sum::<f64>())"),
    ));
    session.parallel_tools(calls);
    session.write_todos(&[
        ("Store prices as whole cents", "in_progress"),
        ("Add up the cart in cents", "pending"),
        ("Decide how discounts round", "pending"),
        ("Run the tests", "pending"),
    ]);
}

fn change_prices(session: &mut SessionBuilder) {
    session.reply("Only two files are involved. I'll start with the price itself.");
    session.write_file("src/price.rs", sources::PRICE_NEW);
    session.edit_file("src/cart.rs", ".sum::<f64>())", ".sum())");
    session.write_todos(&[
        ("Store prices as whole cents", "completed"),
        ("Add up the cart in cents", "completed"),
        ("Decide how discounts round", "in_progress"),
        ("Run the tests", "pending"),
    ]);
}

const FAILING: &str = "   \u{1b}[1m\u{1b}[32mCompiling\u{1b}[0m petal-shop v0.4.0\n\u{1b}[1m\u{1b}[31merror[E0308]\u{1b}[0m\u{1b}[1m: mismatched types\u{1b}[0m\n \u{1b}[34m-->\u{1b}[0m tests/cart.rs:6:33\n  \u{1b}[34m|\u{1b}[0m\n\u{1b}[34m6\u{1b}[0m \u{1b}[34m|\u{1b}[0m     cart.add(\"tulip\", 10, Price(0.10));\n  \u{1b}[34m|\u{1b}[0m                                 \u{1b}[31m^^^^ expected `i64`, found floating-point number\u{1b}[0m\n\u{1b}[1m\u{1b}[31merror\u{1b}[0m: could not compile `petal-shop` (test \"cart\") due to 2 previous errors";

const WRONG: &str = "running 2 tests\ntest ten_tulips_cost_ten_times_one_tulip ... \u{1b}[32mok\u{1b}[0m\ntest a_discount_is_taken_off_once ... \u{1b}[31mFAILED\u{1b}[0m\n\nassertion `left == right` failed\n  left: \"16.99 €\"\n right: \"17.00 €\"\n\ntest result: \u{1b}[31mFAILED\u{1b}[0m. 1 passed; 1 failed";

const PASSING: &str = "running 2 tests\ntest ten_tulips_cost_ten_times_one_tulip ... \u{1b}[32mok\u{1b}[0m\ntest a_discount_is_taken_off_once ... \u{1b}[32mok\u{1b}[0m\n\ntest result: \u{1b}[32mok\u{1b}[0m. 2 passed; 0 failed; finished in 0.01s";

fn test_run(session: &mut SessionBuilder, outcome: &Outcome) {
    let input = json!({"command": "cargo test --test cart", "description": "Run the cart tests"});
    session.wait_ms(6_000);
    session.call("Bash", input, outcome);
}

fn failing_then_passing(session: &mut SessionBuilder) {
    test_run(session, &Outcome::bash_error(101, FAILING));
    session.reply("Expected: the tests still write prices as floats.");
    session.edit_file("tests/cart.rs", "Price(0.10)", "Price(10)");
    session.edit_file(
        "tests/cart.rs",
        "Price(19.99).with_discount(15.0).to_string(), \"16.99 €\"",
        "Price(1999).with_discount(15).to_string(), \"17.00 €\"",
    );
    test_run(session, &Outcome::bash_error(101, WRONG));
    session.thinking("15 % of 19.99 is 2.9985. Rounded up in the customer's favor that is 3.00, so 16.99 is right and my new expectation was wrong, not the code.");
    session.reply("The code is right and my expectation was wrong: 15 % of 19.99 € is 2.9985 €, rounded in the customer's favor 3.00 €.");
    session.edit_file("tests/cart.rs", "17.00 €", "16.99 €");
    test_run(session, &Outcome::bash(PASSING));
    session.write_todos(&[
        ("Store prices as whole cents", "completed"),
        ("Add up the cart in cents", "completed"),
        ("Decide how discounts round", "completed"),
        ("Run the tests", "completed"),
    ]);
    session.reply("Prices are whole cents now and both tests pass.\n\n| before | after |\n|---|---|\n| `Price(0.10)` | `Price(10)` |\n| `20.000000000000004 €` | `20.00 €` |\n\nDiscounts round **in the customer's favor**; that rule is written down next to `with_discount`.");
    session.turn_duration(84_200);
    session.last_prompt();
}

fn audit_with_agents(session: &mut SessionBuilder) {
    session.prompt("Great. Have someone check that no other part of the shop still thinks in floats, invoices and docs too.");
    session.reply(
        "I'll send one agent through the code and let it ask for help with the documentation.",
    );
    let audit = AgentTask::new("Audit float prices", "Look through the whole shop for code or documentation that still treats prices as floating point numbers. Report file and line.").of_kind("Explore");
    session.agent(&audit, |agent| {
        agent.call("Grep", json!({"pattern": "as f64|parse::<f64>", "output_mode": "content"}), &Outcome::grep_content("src/invoice.rs:41:    let total = cents as f64 / 100.0;"));
        agent.reply("One place in the code. The documentation is large, so I'll hand it on.");
        let docs = AgentTask::new("Check the docs", "Search docs/ for examples that write prices with a decimal point in JSON.");
        agent.agent(&docs, |inner| {
            inner.call("Glob", json!({"pattern": "docs/**/*.md"}), &Outcome::glob(&["docs/api.md", "docs/checkout.md"]));
            inner.call("Bash", json!({"command": "grep -n '\"price\":' docs/*.md"}), &Outcome::bash("docs/api.md:88:  \"price\": 4.50,\ndocs/checkout.md:12:  \"price\": 1999,"));
            inner.reply("`docs/api.md:88` still shows `4.50`; `docs/checkout.md` is already in cents.");
        });
        agent.reply("Two leftovers:\n\n1. `src/invoice.rs:41` divides cents by `100.0` for display.\n2. `docs/api.md:88` shows `\"price\": 4.50`.");
    });
    session.reply("Two leftovers, both small: the invoice divides by `100.0` just for display, and one example in `docs/api.md` still shows `4.50`.");
    session.turn_duration(132_800);
    session.last_prompt();
}

const SUMMARY: &str = "1. The person wanted prices as whole cents, because a cart showed 20.000000000000004 €.\n2. `src/price.rs` and `src/cart.rs` were changed; discounts round in the customer's favor.\n3. Both cart tests pass.\n4. An audit found two leftovers: `src/invoice.rs:41` and `docs/api.md:88`.";

fn compact_and_finish(session: &mut SessionBuilder) {
    let question =
        session.prompt("Please fix both, and show me the invoice line before you change it.");
    let answer = session.reply("Line 41 of `src/invoice.rs` is `let total = cents as f64 / 100.0;`. I'd replace it with `let total = Price(cents);`, which prints itself.");
    session.set_slug("petal-prices-patient-noether");
    session.compact_keeping(Trigger::Auto, SUMMARY, &[question, answer]);
    session.mentioned_file(&format!("{SHOP}/src/price.rs"), sources::PRICE_NEW);
    session.prompt("Yes, do it. Then open a pull request.");
    session.put_file("src/invoice.rs", "fn print_total(cents: i64) {\n    let total = cents as f64 / 100.0;\n    println!(\"{total:.2} €\");\n}\n");
    session.put_file(
        "docs/api.md",
        "{\n  \"name\": \"peony\",\n  \"price\": 4.50,\n}\n",
    );
    let calls = vec![
        session.read_call("src/invoice.rs"),
        session.read_call("docs/api.md"),
    ];
    session.parallel_tools(calls);
    session.edit_file(
        "src/invoice.rs",
        "    let total = cents as f64 / 100.0;\n    println!(\"{total:.2} €\");",
        "    let total = Price(cents);\n    println!(\"{total}\");",
    );
    session.edit_file("docs/api.md", "4.50", "450");
    test_run(session, &Outcome::bash(PASSING));
    session.call("Bash", json!({"command": "git commit -am 'Store prices as whole cents' && gh pr create --fill", "description": "Commit and open a pull request"}), &Outcome::bash("[integer-prices 4f1c2aa] Store prices as whole cents\n 5 files changed, 21 insertions(+), 17 deletions(-)\nhttps://github.com/robin/petal-shop/pull/31"));
    session.pr_link(31, "robin/petal-shop");
    session.reply("Both are fixed, the tests pass, and the change is in pull request [#31](https://github.com/robin/petal-shop/pull/31).");
    session.turn_duration(48_100);
    session.custom_title("Prices as whole cents");
    session.agent_name("Prices as whole cents");
    session.tag("money");
    session.last_prompt();
    session.cost_state(1.2846);
}
