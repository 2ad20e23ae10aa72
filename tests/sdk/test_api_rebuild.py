"""`ravel export --format api` equals what client 2.1.325 sent when it resumed a session.

A recording keeps, for every step, the requests the client made. The first request
of a step that resumes holds the whole conversation and, at its end, the step's new
prompt. The session file as it was before that step is the final file cut before
the line of that prompt; its export must equal the request without the prompt.

Left out on both sides: cache marks, `system` messages and `<system-reminder>`
texts, which the client makes anew on every start. Messages of one role that touch
after that are one message. Long texts were cut when they were recorded.
"""

import json

import pytest

from sessions import ravel_json, recordings

# Texts above the limit were recorded as their beginning and their length.
LONGEST_UNCUT = 400
CUT_AT = 160
VERSION = "2.1.325"


def resumed_requests():
    """Every first request of a step that resumed a session, as (name, recording, messages)."""
    found = []
    for recording in recordings(VERSION):
        step, waiting = None, False
        for line in (recording / "sent-messages.jsonl").read_text("utf-8").splitlines():
            record = json.loads(line)
            if "step" in record:
                step, waiting = record["step"], resumes(record["args"])
            elif waiting:
                found.append((f"{recording.name}/{step}", recording, record["messages"]))
                waiting = False
    return found


def resumes(args):
    """A step that continues a session with a prompt.

    A slash command is no prompt: `/compact` asks for a summary of a part only.
    """
    if not isinstance(args, list) or not {"--resume", "--continue"} & set(args):
        return False
    prompt = args[args.index("-p") + 1] if "-p" in args else ""
    return not prompt.startswith("/")


@pytest.mark.parametrize(
    ("recording", "sent"),
    [pytest.param(recording, sent, id=name) for name, recording, sent in resumed_requests()],
)
def test_rebuild(recording, sent, tmp_path):
    expected, prompt = without_prompt(normalize(sent))
    before = tmp_path / "00000000-0000-4000-8000-000000000000.jsonl"
    before.write_bytes(lines_before(recording, prompt))
    exported = ravel_json("export", "--format", "api", before)
    messages = exported["messages"] if isinstance(exported, dict) else exported
    actual = normalize(messages)
    assert first_difference(expected, actual) is None, first_difference(expected, actual)


def lines_before(recording, prompt):
    """The session file of a recording, up to the line that holds a prompt."""
    for path in sorted((recording / "claude-home/projects").glob("*/*.jsonl")):
        lines = path.read_bytes().splitlines(keepends=True)
        for index in reversed(range(len(lines))):
            record = json.loads(lines[index])
            if record.get("type") == "user" and prompt_of(record) == prompt:
                return b"".join(lines[:index])
    raise AssertionError(f"no session of {recording.name} holds the prompt {prompt!r}")


def prompt_of(record):
    content = record["message"]["content"]
    if isinstance(content, str):
        return cut(content)
    texts = [block["text"] for block in content if block.get("type") == "text"]
    return cut(texts[-1]) if texts else None


def without_prompt(messages):
    """Takes the new prompt off the end; what it was joined to loses the joint.

    The client joins user lines by a line feed at the end of the earlier text.
    """
    *rest, last = messages
    assert last["role"] == "user", "a resumed step ends in the new prompt"
    *blocks, prompt = last["content"]
    if blocks:
        if blocks[-1].get("type") == "text":
            blocks[-1] = {**blocks[-1], "text": blocks[-1]["text"].removesuffix("\n")}
        rest.append({"role": "user", "content": blocks})
    return rest, prompt["text"]


def normalize(messages):
    """Brings both sides to one form: lists of plain blocks, roles in turn."""
    result = []
    for message in messages:
        if message["role"] == "system":
            continue
        blocks = [plain(block) for block in block_list(message["content"])]
        blocks = [block for block in blocks if not is_reminder(block)]
        if not blocks:
            continue
        if result and result[-1]["role"] == message["role"]:
            result[-1]["content"] += blocks
        else:
            result.append({"role": message["role"], "content": blocks})
    return result


def block_list(content):
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def is_reminder(block):
    return block.get("type") == "text" and block["text"].startswith("<system-reminder>")


def plain(value):
    """A value without cache marks and with every long text cut."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items() if key != "cache_control"}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return cut(value) if isinstance(value, str) else value


def cut(text):
    """The form in which long texts were recorded; a text that was cut already stays."""
    if len(text) <= LONGEST_UNCUT or text.endswith(" characters]"):
        return text
    return f"{text[:CUT_AT]}… [{len(text)} characters]"


def first_difference(expected, actual):
    """Names the first place where two lists of messages differ, or None."""
    for index, (theirs, ours) in enumerate(zip(expected, actual)):
        if theirs["role"] != ours["role"]:
            return f"message {index}: the client sent {theirs['role']}, we have {ours['role']}"
        for number, (block, other) in enumerate(zip(theirs["content"], ours["content"])):
            if block != other:
                return f"message {index} block {number}: the client sent {block}, we have {other}"
        if len(theirs["content"]) != len(ours["content"]):
            return f"message {index}: the client sent {theirs['content']}, we have {ours['content']}"
    shorter = min(len(expected), len(actual))
    if len(expected) > shorter:
        return f"message {shorter}: only the client sent {expected[shorter]}"
    if len(actual) > shorter:
        return f"message {shorter}: only we have {actual[shorter]}"
    return None
