"""Ways in which session files break, as functions from lines to lines.

Each takes the lines of a file (bytes, without the line feed) and returns the
lines of the damaged file. They act near the middle, where damage cuts deepest.
"""

import json


def none(lines):
    """For files that come damaged."""
    return lines


def torn_line(lines):
    """A crash in the middle of a write."""
    middle = chained_index(lines)
    torn = lines[middle][: len(lines[middle]) // 2]
    return lines[:middle] + [torn] + lines[middle + 1 :]


def missing_parent(lines):
    """A line of the chain is gone."""
    middle = chained_index(lines)
    return lines[:middle] + lines[middle + 1 :]


def cycle(lines):
    """A line is its own ancestor."""
    first, last = chained_indices(lines)[0], chained_index(lines)
    changed = json.loads(lines[first])
    changed["parentUuid"] = json.loads(lines[last])["uuid"]
    return lines[:first] + [encode(changed)] + lines[first + 1 :]


def nul_run(lines):
    """A file system that lost a block after a power cut."""
    middle = chained_index(lines)
    return lines[:middle] + [b"\0" * 512 + lines[middle]] + lines[middle + 1 :]


def glued_objects(lines):
    """Two writers, and one line feed that never came."""
    middle = chained_index(lines)
    if middle + 1 >= len(lines):
        return lines
    return lines[:middle] + [lines[middle] + lines[middle + 1]] + lines[middle + 2 :]


def duplicate_uuid(lines):
    """A line that was written twice."""
    middle = chained_index(lines)
    return lines[: middle + 1] + [lines[middle]] + lines[middle + 1 :]


def wrong_order(lines):
    """A child that was written before its parent."""
    middle = chained_index(lines)
    if middle == 0:
        return lines
    swapped = [lines[middle], lines[middle - 1]]
    return lines[: middle - 1] + swapped + lines[middle + 1 :]


ALL = [torn_line, missing_parent, cycle, nul_run, glued_objects, duplicate_uuid, wrong_order]


def chained_indices(lines):
    """The places of lines that take part in the main chain."""
    found = []
    for index, line in enumerate(lines):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and record.get("type") in ("user", "assistant"):
            if isinstance(record.get("uuid"), str) and not record.get("isSidechain"):
                found.append(index)
    return found


def chained_index(lines):
    """The middle one of them."""
    found = chained_indices(lines)
    return found[len(found) // 2]


def encode(record):
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode(
        "utf-8", errors="surrogatepass"
    )
