"""Where session files come from, and how both readers are asked about one.

Fixtures of the project are always there. Recorded sessions are used when
RAVEL_CORPUS names the folder that holds them; they never enter the project.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import uuid
from pathlib import Path

# A fixture nests a thousand levels, which we pass on as they are.
sys.setrecursionlimit(50_000)

PROJECT = Path(__file__).resolve().parents[2]
UUID = re.compile(r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", re.IGNORECASE)


def corpus_root():
    """The folder of recorded sessions, or None."""
    root = os.environ.get("RAVEL_CORPUS")
    return Path(root) if root else None


def recordings(version="*"):
    """The recorded runs of real clients, one folder each."""
    root = corpus_root()
    return sorted(root.glob(f"recordings/{version}/*/")) if root else []


# Fixtures of dialects that the official reader does not claim to read.
FOREIGN = ("fixtures/seed-", "fixtures/stdout/")
DAMAGED = "fixtures/damaged/"


def session_files():
    """Every main session file that real clients read, as (name for the test, path)."""
    found = [(PROJECT, path) for path in (PROJECT / "fixtures").glob("**/*.jsonl")]
    root = corpus_root()
    if root:
        found += [(root, path) for path in root.glob("corpus/**/*.jsonl")]
        pattern = "recordings/*/*/claude-home/projects/**/*.jsonl"
        found += [(root, path) for path in root.glob(pattern)]
    named = [(str(path.relative_to(base)), path) for base, path in found]
    return sorted(
        (name, path) for name, path in named if is_main(path) and not name.startswith(FOREIGN)
    )


def is_main(path):
    """Sub-agents have files of their own, which the SDK reads in another way."""
    return not path.name.startswith("agent-") and path.name != "history.jsonl"


def lines_of(path):
    """The records of a file that are objects; anything else is left out."""
    records = []
    for line in path.read_bytes().splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            records.append(record)
    return records


def place(path, home):
    """Copies a session into a home of its own and returns the copy."""
    project = home / "projects" / "-a-project"
    project.mkdir(parents=True, exist_ok=True)
    stem = path.stem if UUID.match(path.stem) else str(uuid.uuid4())
    return Path(shutil.copyfile(path, project / f"{stem}.jsonl"))


def sdk_messages(path, monkeypatch):
    """What the official reader returns for a placed session.

    Bytes that are not UTF-8, deep nesting and wrong types make it raise; that is
    "nothing" for us.
    """
    from claude_agent_sdk import get_session_messages

    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(path.parents[2]))
    try:
        return get_session_messages(path.stem)
    except (ValueError, RecursionError, TypeError, AttributeError):
        return []


def ravel(*args, codes=(0,)):
    """Runs the program under test and returns its output."""
    program = os.environ.get("RAVEL_BIN")
    assert program, "RAVEL_BIN is not set: run `cargo xtask test --only sdk`"
    done = subprocess.run(
        [program, *map(str, args)], capture_output=True, stdin=subprocess.DEVNULL, check=False
    )
    shown = done.stderr.decode(errors="replace")
    assert done.returncode in codes, f"ravel {args} ended with {done.returncode}: {shown}"
    return done.stdout


def ravel_json(*args):
    """Runs the program under test and reads its output as JSON."""
    return json.loads(ravel(*args).decode("utf-8", errors="replace"))


def thread_of(path):
    """The main chain as `ravel show` sees it."""
    return ravel_json("show", "--json", path)["thread"]
