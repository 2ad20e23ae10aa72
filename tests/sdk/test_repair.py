"""What `ravel repair` writes can be read by the official SDK, and nothing is lost on the way."""

import pytest

import damage
from sessions import DAMAGED, place, ravel, sdk_messages, session_files, thread_of

# A chain this long has a middle to damage.
MINIMUM = 4


def cases():
    """Healthy sessions with every kind of damage, and the damaged fixtures as they are."""
    found = []
    for name, path in session_files():
        if name.startswith(DAMAGED):
            found.append(pytest.param(path, damage.none, id=name))
        elif name.startswith("fixtures/") or "recordings/2.1" in name:
            if len(damage.chained_indices(path.read_bytes().splitlines())) >= MINIMUM:
                found += [pytest.param(path, harm, id=f"{name}-{harm.__name__}") for harm in damage.ALL]
    return found


@pytest.mark.parametrize(("path", "harm"), cases())
def test_repair(path, harm, tmp_path, monkeypatch):
    session = place(path, tmp_path / "damaged")
    if harm is not damage.none:
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
