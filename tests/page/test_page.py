"""The exported page runs nothing and loads nothing that a transcript says.

The browser is the judge, once with the page as it is and once without its
content security policy: escaping must hold on its own. A page that is not
escaped goes first and must be found out, or the tests prove nothing.
"""

import os
import re
import subprocess
from urllib.parse import urlsplit

import pytest
from browser import Server, open_page
from payload import links, payloads, write_session

RAVEL = os.environ.get("RAVEL_BIN", "ravel")
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


@pytest.fixture(name="server", scope="module")
def start_server():
    """A server that must not be asked."""
    server = Server()
    yield server
    server.stop()


def export(folder, server):
    """Exports the hostile session and returns the file of the page."""
    session, page = folder / "session.jsonl", folder / "page.html"
    write_session(session, server.address)
    command = [RAVEL, "export", "--format", "html", "--output", page, session]
    subprocess.run(command, check=True, capture_output=True)
    return page


@pytest.fixture(name="page", scope="module", params=["as exported", "without its policy"])
def open_export(request, tmp_path_factory, server):
    """The page of the hostile session, opened."""
    folder = tmp_path_factory.mktemp("page")
    file = export(folder, server)
    if request.param == "without its policy":
        text, n_found = POLICY.subn("", file.read_text(encoding="utf-8"))
        assert n_found == 1
        file.write_text(text, encoding="utf-8")
    server.asked.clear()
    return open_page(file.as_uri(), folder / "profile")


def test_a_page_that_is_not_escaped_is_found_out(tmp_path):
    server = Server()
    raw = [one for one in payloads(server.address) if "<img" in one]
    file = tmp_path / "naked.html"
    file.write_text(f'<!DOCTYPE html><body title="{"".join(raw)}">', encoding="utf-8")
    page = open_page(file.as_uri(), tmp_path / "profile")
    server.stop()
    assert page.by_id("fired"), page.dom
    assert "/img" in server.asked


def test_nothing_of_a_transcript_runs(page):
    assert page.by_id("fired") is None
    handlers = [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert handlers == []
    assert len(page.named("script")) == 1
    assert page.named("iframe", "object", "embed", "base", "animate", "video", "form") == []
    assert all("src" not in script for script in page.named("script"))


def test_nothing_is_loaded(page, server):
    assert server.asked == []
    schemes = {urlsplit(one.get("src", "")).scheme for one in page.named("img", "source", "audio")}
    assert schemes <= {"data", ""}
    assert [one["href"] for one in page.named("link")] == ["data:,"]
    assert len(page.named("style")) == 1
    assert all("style" not in attributes for _, attributes in page.elements)
    assert "refresh" not in [one.get("http-equiv", "").lower() for one in page.named("meta")]


def test_links_lead_to_the_web_or_into_the_page(page):
    places = [one["href"] for one in page.named("a", "area") if "href" in one]
    assert places, "the outline links to the prompts"
    schemes = {urlsplit(re.sub(r"[\x00-\x20]", "", place)).scheme.lower() for place in places}
    assert schemes <= {"", "http", "https", "mailto"}
    assert all(place.startswith("#") for place in places if not urlsplit(place).scheme)


def test_our_own_script_runs(page):
    _, root = page.elements[0]
    assert "js" in root.get("class", "").split()
    _, outline = page.by_id("outline")
    assert "hidden" not in outline
    assert len(page.named("dt")) >= 10, "the help on keys is filled last"
    assert page.by_id("find")


def test_the_texts_are_there_to_read(page, server):
    for payload in ["&lt;script&gt;document.body", "ontoggle=", "onmouseover="]:
        assert payload in page.dom
    assert len(links(server.address)) < page.dom.count("click")
