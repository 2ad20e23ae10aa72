"""`ravel ls` knows every session that the official SDK lists, with the same facts."""

import pytest

from sessions import place, ravel_json, recordings, session_files


def homes():
    folders = [recording / "claude-home" for recording in recordings()]
    return [folder for folder in folders if (folder / "projects").is_dir()]


@pytest.mark.parametrize(
    "home", [pytest.param(home, id="/".join(home.parts[-3:-1])) for home in homes()]
)
def test_recorded_home(home, monkeypatch):
    for theirs, ours in listed_by_both(home, monkeypatch):
        assert ours["project"] == theirs.cwd
        assert (ours["branch"] or None) == (theirs.git_branch or None)


def test_home_of_fixtures(tmp_path, monkeypatch):
    """Only the ids: in odd files the SDK finds facts in places where they mean something else."""
    for name, path in session_files():
        if name.startswith("fixtures/"):
            place(path, tmp_path)
    assert listed_by_both(tmp_path, monkeypatch)


def listed_by_both(home, monkeypatch):
    """The SDK's sessions, each with ours; ours may be more, never less."""
    from claude_agent_sdk import list_sessions

    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    listed = {session["id"]: session for session in ravel_json("--home", home, "ls", "--json")}
    pairs = [(theirs, listed.get(theirs.session_id)) for theirs in list_sessions()]
    missing = [theirs.session_id for theirs, ours in pairs if ours is None]
    assert not missing, f"sessions that only the SDK lists: {missing}"
    return pairs
