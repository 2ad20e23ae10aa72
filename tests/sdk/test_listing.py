"""`ravel ls` knows every session that the official SDK lists, with the same facts."""

import pytest

from sessions import ravel_json, recordings


def homes():
    folders = [recording / "claude-home" for recording in recordings()]
    return [folder for folder in folders if (folder / "projects").is_dir()]


@pytest.mark.parametrize(
    "home", [pytest.param(home, id="/".join(home.parts[-3:-1])) for home in homes()]
)
def test_listing(home, monkeypatch):
    from claude_agent_sdk import list_sessions

    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    listed = {session["id"]: session for session in ravel_json("--home", home, "ls", "--json")}
    for theirs in list_sessions():
        ours = listed.get(theirs.session_id)
        assert ours is not None, f"{theirs.session_id} ({theirs.summary}) is not listed"
        assert ours["project"] == theirs.cwd
        assert (ours["branch"] or None) == (theirs.git_branch or None)
