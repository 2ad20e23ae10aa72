"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");

  // Storage may be closed to pages opened from a disk; the choice then lasts for the page.
  const remembered = {
    get() { try { return localStorage.getItem("ravel-theme"); } catch { return null; } },
    set(theme) { try { localStorage.setItem("ravel-theme", theme); } catch { /* Nothing to do. */ } },
  };
  const asked = new URLSearchParams(location.search).get("theme");
  const saved = asked ?? remembered.get();
  if (saved === "light" || saved === "dark") root.dataset.theme = saved;

  const MOST_MARKS = 4000;
  const byId = (id) => document.getElementById(id);

  function start() {
    const entries = [...document.querySelectorAll(".entry")];
    const search = startSearch(entries);
    const walk = startWalk(entries);
    startTheme();
    startFolding();
    startEverything();
    startCopy();
    startOutline();
    startKeys({ search, walk });
    const watchScroll = () => document.body.classList.toggle("scrolled", scrollY > 80);
    addEventListener("scroll", watchScroll, { passive: true });
    watchScroll();
    openTarget();
    addEventListener("hashchange", openTarget);
  }

  /** Opens everything that hides `node`. */
  function reveal(node) {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (element.closest(".aside") && !root.classList.contains("everything")) byId("everything").click();
    for (let fold = element.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    return element;
  }

  function openTarget() {
    const target = location.hash.length > 1 && byId(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    reveal(target).scrollIntoView({ block: "start" });
  }

  function startTheme() {
    const button = byId("theme");
    const system = matchMedia("(prefers-color-scheme: dark)");
    const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
    const label = () => { button.textContent = isDark() ? "Light" : "Dark"; };
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      remembered.set(root.dataset.theme);
      label();
    });
    system.addEventListener("change", label);
    label();
  }

  function startFolding() {
    const button = byId("fold");
    let open = false;
    button.addEventListener("click", () => {
      open = !open;
      for (const fold of document.querySelectorAll("main details")) fold.open = open;
      button.textContent = open ? "Fold all" : "Unfold all";
    });
  }

  function startEverything() {
    const button = byId("everything");
    button.addEventListener("click", () => {
      const on = root.classList.toggle("everything");
      button.setAttribute("aria-pressed", String(on));
    });
  }

  function startCopy() {
    document.addEventListener("click", async (event) => {
      const button = event.target.closest(".copy");
      if (!button) return;
      const text = button.closest(".code").querySelector("code").textContent;
      button.textContent = (await copy(text)) ? "Copied" : "Not allowed";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const field = document.createElement("textarea");
      field.value = text;
      document.body.append(field);
      field.select();
      const done = document.execCommand("copy");
      field.remove();
      return done;
    }
  }

  function startOutline() {
    const prompts = [...document.querySelectorAll(".turn:not(.ending) > .prompt[id]")];
    if (prompts.length < 3) return;
    const outline = byId("outline");
    const links = new Map();
    for (const prompt of prompts) {
      const link = document.createElement("a");
      const words = prompt.querySelector(":scope > :not(header)")?.textContent.trim();
      link.textContent = words?.slice(0, 80) || prompt.querySelector("img")?.alt || "…";
      link.href = "#" + encodeURIComponent(prompt.id);
      links.set(prompt, link);
      outline.append(link);
    }
    outline.hidden = false;
    const watcher = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) {
        if (!isIntersecting) continue;
        outline.querySelector("[aria-current]")?.removeAttribute("aria-current");
        links.get(target).setAttribute("aria-current", "true");
      }
    }, { rootMargin: "0px 0px -60% 0px" });
    prompts.forEach((prompt) => watcher.observe(prompt));
  }

  /** Walks from entry to entry; closed folds are stepped over. */
  function startWalk(entries) {
    let at = -1;
    const isShown = (entry) => entry.getClientRects().length > 0;
    const select = (index) => {
      entries[at]?.classList.remove("here");
      at = index;
      entries[at].classList.add("here");
      entries[at].scrollIntoView({ block: "nearest" });
    };
    return {
      step(by, kind) {
        for (let index = at + by; index >= 0 && index < entries.length; index += by) {
          if (isShown(entries[index]) && (!kind || entries[index].matches(kind))) return select(index);
        }
      },
      toggle() {
        const entry = entries[at];
        const fold = entry?.matches("details") ? entry : entry?.querySelector("details");
        if (fold) fold.open = !fold.open;
      },
    };
  }

  function startSearch(entries) {
    const field = byId("find");
    const found = byId("found");
    const only = byId("only");
    const canMark = typeof Highlight === "function" && CSS.highlights;
    let texts = null;
    let marks = [];
    let at = -1;
    let waiting = 0;

    const textOf = (index) => {
      texts ??= new Array(entries.length);
      return (texts[index] ??= entries[index].textContent.toLowerCase());
    };

    function run() {
      const wanted = field.value.trim().toLowerCase();
      marks = [];
      at = -1;
      entries.forEach((entry, index) => {
        const isShown = root.classList.contains("everything") || !entry.closest(".aside");
        const isHit = wanted !== "" && isShown && textOf(index).includes(wanted);
        entry.classList.toggle("hit", isHit);
        // The innermost entry that holds the text is the place to jump to.
        if (isHit && marks.length < MOST_MARKS) collect(entry, wanted);
      });
      only.hidden = wanted === "";
      if (only.hidden) setOnly(false);
      show();
    }

    function collect(entry, wanted) {
      const before = marks.length;
      const walker = document.createTreeWalker(entry, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node && marks.length < MOST_MARKS; node = walker.nextNode()) {
        if (node.parentElement.closest(".entry") !== entry) continue;
        const text = node.data.toLowerCase();
        for (let from = text.indexOf(wanted); from >= 0; from = text.indexOf(wanted, from + wanted.length)) {
          // Lower case may be longer than the text in a few scripts.
          if (from + wanted.length > node.length) break;
          const range = new Range();
          range.setStart(node, from);
          range.setEnd(node, from + wanted.length);
          marks.push({ node, range });
        }
      }
      // Text that runs over several pieces is found but cannot be marked as one.
      if (marks.length === before && !entry.querySelector(".entry")) marks.push({ node: entry, range: null });
    }

    function show() {
      const many = marks.length >= MOST_MARKS ? `${MOST_MARKS}+` : marks.length;
      found.textContent = field.value.trim() === "" ? "" : at < 0 ? `${many} found` : `${at + 1} of ${many}`;
      if (!canMark) return;
      CSS.highlights.set("found", new Highlight(...marks.filter((mark) => mark.range).map((mark) => mark.range)));
      const range = marks[at]?.range;
      CSS.highlights.set("here", range ? new Highlight(range) : new Highlight());
    }

    function jump(by) {
      if (waiting) { clearTimeout(waiting); waiting = 0; run(); }
      if (marks.length === 0) return;
      at = (at + by + marks.length) % marks.length;
      reveal(marks[at].node).scrollIntoView({ block: "center" });
      show();
    }

    function setOnly(on) {
      only.setAttribute("aria-pressed", String(on));
      document.body.classList.toggle("only-hits", on);
    }

    field.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => { waiting = 0; run(); }, 120);
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") jump(event.shiftKey ? -1 : 1);
      if (event.key === "Escape") { field.value = ""; run(); field.blur(); }
    });
    only.addEventListener("click", () => setOnly(only.getAttribute("aria-pressed") !== "true"));
    return { focus() { field.focus(); field.select(); }, jump };
  }

  function startKeys({ search, walk }) {
    const thinking = () => {
      const folds = [...document.querySelectorAll("details.thinking")];
      const open = folds.some((fold) => !fold.open);
      folds.forEach((fold) => { fold.open = open; });
    };
    // One table drives the keys and their help.
    const keys = [
      ["/", "search", () => search.focus()],
      ["n", "next match", () => search.jump(1)],
      ["N", "previous match", () => search.jump(-1)],
      ["j", "next entry", () => walk.step(1)],
      ["k", "previous entry", () => walk.step(-1)],
      ["J", "next prompt", () => walk.step(1, ".prompt")],
      ["K", "previous prompt", () => walk.step(-1, ".prompt")],
      ["o", "open or close", () => walk.toggle()],
      ["t", "thinking", thinking],
      ["e", "show everything", () => byId("everything").click()],
      ["f", "fold or unfold all", () => byId("fold").click()],
      ["d", "light or dark", () => byId("theme").click()],
      ["?", "this help", () => help()],
    ];
    const dialog = byId("help");
    const list = document.createElement("dl");
    for (const [key, label] of keys) {
      const term = document.createElement("dt");
      const cap = document.createElement("kbd");
      const meaning = document.createElement("dd");
      cap.textContent = key;
      meaning.textContent = label;
      term.append(cap);
      list.append(term, meaning);
    }
    dialog.append(list);
    dialog.addEventListener("click", () => dialog.close());
    const help = () => (dialog.open ? dialog.close() : dialog.showModal());
    byId("keys").addEventListener("click", help);
    document.addEventListener("keydown", (event) => {
      const isTyping = event.target.closest("input, textarea");
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const known = keys.find(([key]) => key === event.key);
      if (!known) return;
      event.preventDefault();
      known[2]();
    });
  }

  document.addEventListener("DOMContentLoaded", start);
})();
