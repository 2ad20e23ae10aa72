"""What a hostile transcript may try in a page, and a session that tries all of it.

Whatever runs leaves a mark: an element with the id `fired`. Whatever loads asks
the server of the test, which counts.
"""

import base64
import json

FIRE = "document.body.appendChild(document.createElement('i')).id='fired'"


def payloads(server):
    """Texts that run a script or load something wherever they are not escaped."""
    return [
        f"<script>{FIRE}</script>",
        f"</script><script>{FIRE}</script>",
        f"</style></title></textarea><script>{FIRE}</script>",
        f"--><script>{FIRE}</script><!--",
        f"]]><script>{FIRE}</script>",
        f'"><img src=x onerror="{FIRE}">',
        f"'><svg onload=\"{FIRE}\"></svg>",
        f'<svg><animate onbegin="{FIRE}" attributeName=x dur=1s></svg>',
        f'<body onload="{FIRE}"><details open ontoggle="{FIRE}">',
        f'<input autofocus onfocus="{FIRE}"><video src=x onerror="{FIRE}"></video>',
        f'<iframe srcdoc="<script>parent.{FIRE}</script>"></iframe>',
        f'<iframe src="javascript:parent.{FIRE}"></iframe>',
        f'" onmouseover="{FIRE}" autofocus onfocus="{FIRE}" x="',
        f'<img src="{server}/img"><iframe src="{server}/frame"></iframe>',
        f'<link rel=stylesheet href="{server}/style"><style>@import "{server}/import";</style>',
        f'<meta http-equiv=refresh content="0;url={server}/refresh"><base href="{server}/">',
        f'<script src="{server}/script"></script><object data="{server}/object"></object>',
        f'<div style="background:url({server}/background)">x</div>',
    ]


def links(server):
    """Links and pictures as Markdown and as terminals write them."""
    return [
        f"[click](javascript:{FIRE})",
        f"[click](JaVaScRiPt:{FIRE})",
        f"[click](&#106;avascript:{FIRE})",
        f"[click](<java\tscript:{FIRE}>)",
        f"[click](vbscript:{FIRE})",
        f"[click](data:text/html,<script>{FIRE}</script>)",
        f'[click](http://x/" onclick="{FIRE}" x=")',
        f"<javascript:{FIRE}>",
        f"[one]: javascript:{FIRE}\n\n[one]",
        f"![picture]({server}/picture)",
        f"![picture](javascript:{FIRE})",
        f'![" onerror="{FIRE}" x="](x "y" )',
        f"```html\n<script>{FIRE}</script>\n```",
        f'```"><script>{FIRE}</script>\n"><script>{FIRE}</script>\n```',
        f"| <script>{FIRE}</script> |\n|---|\n| <img src=x onerror={FIRE}> |",
        f"\x1b]8;;javascript:{FIRE}\x1b\\click\x1b]8;;\x1b\\ \x1b[31m<script>{FIRE}</script>\x1b[0m",
    ]


def write_session(path, server):
    """Writes a session with every payload in every text that a page shows."""
    chain = Chain()
    tried = payloads(server) + links(server)
    for evil in [*tried, "\n\n".join(tried)]:
        add_turn(chain, evil)
    loose = f"</title>{payloads(server)[0]}"
    lines = [
        *chain.lines,
        {"type": "custom-title", "customTitle": loose},
        {"type": "tag", "tag": loose},
        {"type": "pr-link", "prNumber": 1, "prUrl": f"javascript:{FIRE}", "prRepository": loose},
        {"type": loose, "uuid": loose, "message": {"role": loose, "content": loose}},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def add_turn(chain, evil):
    """A prompt, a thought, calls with their results, notices and a reply."""
    chain.add(evil, "user", {"content": evil})
    thinking = {"type": "thinking", "thinking": evil, "signature": evil}
    chain.add(evil, "assistant", {"content": [thinking]})
    for name, call in calls(evil).items():
        add_call(chain, evil, name, call)
    chain.add(evil, "user", {"content": [{"type": "text", "text": evil}, picture(evil), svg()]})
    chain.add(evil, "system", subtype="informational", level="warning", content=evil)
    chain.add(evil, "system", subtype=evil, content=evil)
    hook = {"type": "hook_success", "hookName": evil, "hookEvent": evil, "stdout": evil}
    chain.add(evil, "attachment", attachment=hook)
    chain.add(evil, "assistant", {"content": [{"type": evil, "text": evil}]})
    chain.add(evil, "assistant", {"content": [{"type": "text", "text": evil}]})


def add_call(chain, evil, name, call):
    """A call and its result; ids of calls become anchors, too."""
    identity = f"toolu_{len(chain.lines)}_{evil}"
    block = {"type": "tool_use", "id": identity, "name": name, "input": call}
    chain.add(evil, "assistant", {"content": [block]})
    result = {"type": "tool_result", "tool_use_id": identity, "content": evil}
    patch = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": [f"+{evil}"]}
    extra = {"filePath": evil, "stdout": evil, "structuredPatch": [patch], "agentId": evil}
    chain.add(evil, "user", {"content": [result]}, toolUseResult=extra)


def calls(evil):
    """Inputs of the tools that a page knows, and of one that it does not."""
    return {
        "Bash": {"command": evil, "description": evil},
        "Edit": {"file_path": evil, "old_string": evil, "new_string": f"{evil} new"},
        "Write": {"file_path": f"{evil}.html", "content": evil},
        "Read": {"file_path": evil},
        "Grep": {"pattern": evil, "path": evil},
        "WebFetch": {"url": f"javascript:{FIRE}", "prompt": evil},
        "WebSearch": {"query": evil},
        "TodoWrite": {"todos": [{"content": evil, "status": evil, "activeForm": evil}]},
        "Agent": {"description": evil, "prompt": evil, "subagent_type": evil},
        f"mcp__{evil}": {evil: evil},
    }


def picture(evil):
    """A picture whose type and data break out of an attribute when they can."""
    return {"type": "image", "source": {"type": "base64", "media_type": evil, "data": evil}}


def svg():
    """A picture that holds a script."""
    text = f"<svg xmlns='http://www.w3.org/2000/svg' onload=\"parent.{FIRE}\"><script>parent.{FIRE}</script></svg>"
    data = base64.b64encode(text.encode()).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": "image/svg+xml", "data": data}}


class Chain:
    """Lines, each the child of the one before."""

    def __init__(self):
        self.lines = []

    def add(self, evil, kind, message=None, **more):
        """Appends a line whose id, which becomes an anchor of the page, tries it too."""
        line = {
            "type": kind,
            "uuid": f"{len(self.lines)}-{evil[:200]}",
            "parentUuid": self.lines[-1]["uuid"] if self.lines else None,
            "timestamp": "2026-01-20T09:00:00.000Z",
            "sessionId": "hostile",
            "cwd": evil,
            "gitBranch": evil,
            "version": evil,
            **more,
        }
        if message is not None:
            line["message"] = {"role": kind, "model": evil, "id": f"m{len(self.lines)}", **message}
        self.lines.append(line)
