"""What `ravel repair` writes can be read by the official SDK, and nothing is lost on the way."""

import pytest

import damage
from sessions import place, ravel, sdk_messages, session_files, thread_of

MINIMUM = 4


def candidates():
    """Sessions long enough to be damaged in the middle: fixtures, else a few recordings."""
    named = [
        (name, path)
        for name, path in session_files()
        if name.startswith("fixtures/") or "recordings/2.1" in name
    ]
    fit = []
    for name, path in named:
        lines = path.read_bytes().splitlines()
        if len(damage.chained_indices(lines)) >= MINIMUM:
            fit.append((name, path))
    return fit


@pytest.mark.parametrize("harm", [pytest.param(harm, id=harm.__name__) for harm in damage.ALL])
@pytest.mark.parametrize(
    ("name", "path"), [pytest.param(name, path, id=name) for name, path in candidates()]
)
def test_repair(name, path, harm, tmp_path, monkeypatch):
    session = place(path, tmp_path / "damaged")
    session.write_bytes(b"\n".join(harm(path.read_bytes().splitlines())) + b"\n")
    before = session.read_bytes()
    sdk_before = sdk_messages(session, monkeypatch)
    ours_before = thread_of(session)

    project = tmp_path / "repaired" / "projects" / "-a-project"
    project.mkdir(parents=True)
    repaired = project / session.name
    ravel("repair", session, "--output", repaired, codes=(0, 1))

    assert session.read_bytes() == before, "the original was changed"
    sdk_after = sdk_messages(repaired, monkeypatch)
    assert len(sdk_after) >= len(ours_before), "the SDK sees less than ravel showed"
    assert len(sdk_after) >= len(sdk_before), "the SDK sees less than before the repair"
