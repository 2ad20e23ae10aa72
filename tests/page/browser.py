"""Opens a page in a real browser and reads what became of it."""

import os
import subprocess
import threading
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CHROMIUM = os.environ.get("RAVEL_CHROMIUM", "chromium")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-proxy-server",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=3000",
    "--dump-dom",
]


def open_page(address, profile):
    """Lets the page run for a while and returns its elements as they are then."""
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", address]
    run = subprocess.run(command, capture_output=True, timeout=120, check=False)
    dom = run.stdout.decode("utf-8", "replace")
    assert run.returncode == 0 and "<html" in dom, run.stderr.decode("utf-8", "replace")[-2000:]
    return Page(dom)


class Page(HTMLParser):
    """The elements of a page: name and attributes of each, in order."""

    def __init__(self, dom):
        super().__init__()
        self.elements = []
        self.dom = dom
        self.feed(dom)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def named(self, *names):
        """The attributes of all elements with one of the names."""
        return [attributes for tag, attributes in self.elements if tag in names]

    def by_id(self, identity):
        """The element with an id, or None."""
        found = [one for one in self.elements if one[1].get("id") == identity]
        return found[0] if found else None


class Server(ThreadingHTTPServer):
    """Notes every request, so that a page that loads anything is found out."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def stop(self):
        """Stops listening."""
        self.shutdown()
        self.server_close()


class Answer(BaseHTTPRequestHandler):
    """Answers with nothing."""

    def do_GET(self):
        self.server.asked.append(self.path)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass
