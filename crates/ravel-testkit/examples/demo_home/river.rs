//! The data notebook: a chart with pictures, questions, web and hooks; and a day when all failed.

use ravel_testkit::{Outcome, SessionBuilder, Version};
use serde_json::{Value, json};

use crate::sources;

const RIVER: &str = "/home/robin/notebooks/river-levels";

/// Image, thinking, a question to the person, web search, an MCP tool and hooks.
pub(crate) fn flood_chart() -> SessionBuilder {
    let mut session = SessionBuilder::new(Version::V2_1_325, "demo flood chart")
        .in_folder(RIVER)
        .starting_at("2026-01-29T18:12:30.000Z")
        .interactive();
    session.put_file("plot.py", sources::PLOT);
    session.session_start_hook("git -C . status --short | head -5", " M plot.py\n");
    session.prompt_blocks(&json!([
        {"type": "text", "text": "This is my chart of the January flood. Can you read it, and make the warning line stand out?"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": sources::CHART}},
    ]));
    session.opening_attachments();
    session.thinking("A blue line rises to about twice the dashed line and falls slowly: a flood wave. The dashed line must be the warning level. I need to know which level it stands for before I label it.");
    session.reply("I see one flood wave: a steep rise, a peak well above the dashed warning line, and a slow fall over several days.");
    ask_and_search(&mut session);
    draw(&mut session);
    session
}

fn ask_and_search(session: &mut SessionBuilder) {
    let questions: Value = json!([{
        "question": "Which warning level should the line show?", "header": "Level", "multiSelect": false,
        "options": [
            {"label": "Official level 1", "description": "Meadows begin to flood"},
            {"label": "My own mark", "description": "The height of the garden gate"},
        ],
    }]);
    let answers = json!({"Which warning level should the line show?": "Official level 1"});
    session.call(
        "AskUserQuestion",
        json!({"questions": questions.clone()}),
        &Outcome::Answered { questions, answers },
    );
    let links = vec![
        (
            "Flood warning levels explained".to_owned(),
            "https://example.org/rivers/warning-levels".to_owned(),
        ),
        (
            "Gauge 4711, river Alder".to_owned(),
            "https://example.org/gauges/4711".to_owned(),
        ),
    ];
    let digest = "Level 1 of gauge 4711 is reached at 320 cm; level 2 at 380 cm.".to_owned();
    session.call(
        "WebSearch",
        json!({"query": "river Alder gauge warning level 1 cm"}),
        &Outcome::WebSearch {
            query: "river Alder gauge warning level 1 cm".into(),
            links,
            digest,
        },
    );
    let reading = Outcome::Mcp {
        text: "{\"gauge\":4711,\"cm\":287,\"trend\":\"falling\"}".into(),
        structured: Some(json!({"gauge": 4711, "cm": 287, "trend": "falling"})),
    };
    session.call("mcp__gauges__latest", json!({"gauge": 4711}), &reading);
    session.reply("Level 1 is **320 cm**, and right now the river stands at 287 cm and falls.");
}

fn draw(session: &mut SessionBuilder) {
    session.read_file("plot.py");
    let edit = session.edit_file("plot.py", "levels.plot(x=\"time\", y=\"cm\")", "axes = levels.plot(x=\"time\", y=\"cm\", legend=False)\naxes.axhline(320, color=\"tab:red\", linestyle=\"--\")\naxes.annotate(\"level 1: 320 cm\", (levels.time.iloc[2], 324), color=\"tab:red\")");
    session.tool_hook(
        "PostToolUse",
        &edit,
        "ruff format plot.py",
        "1 file left unchanged\n",
    );
    session.hook_context(&edit, "plot.py is formatted");
    session.call(
        "Bash",
        json!({"command": "python plot.py", "description": "Draw the chart"}),
        &Outcome::bash(""),
    );
    let chart = Outcome::Image {
        data: sources::CHART.into(),
        media_type: "image/png".into(),
        n_bytes: 204,
        size: (72, 36),
    };
    session.call(
        "Read",
        json!({"file_path": format!("{RIVER}/chart.png")}),
        &chart,
    );
    session.reply("The line is red, dashed and labeled now:\n\n```python\naxes.axhline(320, color=\"tab:red\", linestyle=\"--\")\n```\n\nThe flood was above level 1 for about three days.");
    session.stop_hook_summary("notify-send 'Claude is done'");
    session.turn_duration(61_900);
    session.ai_title("Warning line for the flood chart");
    session.tag("charts");
    session.last_prompt();
    session.cost_state(0.4127);
}

const TRACEBACK: &str = "Traceback (most recent call last):\n  File \"fetch.py\", line 14, in <module>\n    rows = [parse(line) for line in reply.text.splitlines()]\n  File \"fetch.py\", line 8, in parse\n    return datetime.fromisoformat(time), int(cm)\nValueError: invalid literal for int() with base 10: '---'";

/// The pasted text of a prompt, which the history keeps in the paste cache.
pub(crate) fn pasted() -> &'static str {
    TRACEBACK
}

/// An overloaded API, an interruption, shell mode and a pasted text.
pub(crate) fn gauge_errors() -> SessionBuilder {
    let mut session = SessionBuilder::new(Version::V2_1_29, "demo gauge errors")
        .in_folder(RIVER)
        .starting_at("2026-01-22T07:58:11.000Z")
        .with_slug("steady-wading-heron")
        .interactive();
    session.put_file("fetch.py", "def parse(line):\n    time, cm = line.split(\";\")\n    return datetime.fromisoformat(time), int(cm)\n");
    session.prompt(&format!(
        "{TRACEBACK}\n\nWhy does this fail since this morning?"
    ));
    session.api_retry(529, "Overloaded", 1);
    session.wait_ms(1_000);
    session.api_retry(529, "Overloaded", 2);
    session.wait_ms(2_000);
    session.api_error("API Error: 529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}", "server_error");
    session.wait_minutes(12);
    session.prompt("Try again please.");
    session.read_file("fetch.py");
    let call = session.tool_use(
        "Bash",
        json!({"command": "python fetch.py --all-years", "description": "Fetch everything again"}),
    );
    session.wait_ms(40_000);
    session.tool_result(
        &call,
        &Outcome::bash_error(
            137,
            "[Request interrupted by user for tool use]\nfetching 1998 …\nfetching 1999 …",
        ),
    );
    session.interrupted_tool();
    session.bash_mode(
        "tail -2 today.csv",
        "2026-01-22T07:45;291\n2026-01-22T08:00;---",
    );
    session.prompt("No need to fetch all years. Look at the last line: the gauge writes --- when it is out of order.");
    session.edit_file("fetch.py", "    return datetime.fromisoformat(time), int(cm)", "    value = None if cm == \"---\" else int(cm)\n    return datetime.fromisoformat(time), value");
    session.call(
        "Bash",
        json!({"command": "python fetch.py && tail -1 levels.csv"}),
        &Outcome::bash("2026-01-22T08:00,"),
    );
    session.reply("Fixed: `---` now becomes a missing value, and the chart shows a gap instead of failing. Sorry about the long fetch; the last day would have been enough.");
    session
}
