//! The shell of the page: head, policy, header, script.

use std::io;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::escape::safe;
use super::icon::sprite;

const STYLE: &str = include_str!("../../assets/page.css");
const SCRIPT: &str = include_str!("../../assets/page.js");

/// What may run and load: our own style and script by hash, and images in the page.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "default-src 'none'; img-src data:; style-src 'sha256-{}'; script-src 'sha256-{}'; \
         base-uri 'none'; form-action 'none'",
        BASE64.encode(Sha256::digest(STYLE)),
        BASE64.encode(Sha256::digest(SCRIPT)),
    )
});

/// What stands at the top of a page.
#[derive(Clone, Debug, Default)]
pub struct Head<'a> {
    /// The title of the session.
    pub title: &'a str,
    /// What it is about in a few facts: a label and a value each.
    pub facts: &'a [(&'static str, String)],
}

/// Writes a page section by section.
///
/// Nothing is kept: what was written is in the writer. Hand in a buffered writer.
#[derive(Debug)]
pub struct PageWriter<W: io::Write> {
    out: W,
}

impl<W: io::Write> PageWriter<W> {
    /// Writes everything that comes before the first section.
    pub fn new(mut out: W, head: &Head<'_>) -> io::Result<Self> {
        out.write_all(opening(head).0.as_bytes())?;
        Ok(Self { out })
    }

    /// Writes one section.
    pub fn section(&mut self, section: &Markup) -> io::Result<()> {
        self.out.write_all(section.0.as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// Writes what comes after the last section, flushes, and returns the writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(CLOSING.as_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Returns a whole page.
pub fn page(head: &Head<'_>, body: &Markup) -> String {
    let mut page = opening(head).0;
    page.push_str(&body.0);
    page.push_str(CLOSING);
    page
}

const CLOSING: &str = "</main></body></html>\n";

/// Returns the page up to the first section; `main` and `body` stay open.
fn opening(head: &Head<'_>) -> Markup {
    let title = safe(head.title);
    html! {
        (DOCTYPE)
        (PreEscaped("<html lang=\"en\">"))
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(POLICY.as_str());
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="referrer" content="no-referrer";
            meta name="generator" content="ravel";
            link rel="icon" href="data:,";
            title { (title) }
            style { (PreEscaped(STYLE)) }
            script { (PreEscaped(SCRIPT)) }
        }
        (PreEscaped("<body>"))
        (sprite())
        (toolbar(&title))
        (PreEscaped("<main>"))
        header.about {
            h1 { (title) }
            dl {
                @for (label, value) in head.facts {
                    div { dt { (safe(label)) } dd { (safe(value)) } }
                }
            }
        }
    }
}

/// Returns the one line of controls; the script brings them to life.
fn toolbar(title: &Markup) -> Markup {
    html! {
        header.bar {
            strong { (title) }
            div.find role="search" {
                input #find type="search" placeholder="Search" aria-label="Search this page" autocomplete="off" spellcheck="false";
                kbd { "/" }
                output #found for="find" {}
                button #only type="button" aria-pressed="false" hidden { "Only matches" }
            }
            button #everything type="button" aria-pressed="false" title="Also show what is not for people" { "Everything" }
            button #fold type="button" title="Fold or unfold everything" { "Unfold all" }
            button #theme type="button" title="Switch between light and dark" { "Dark" }
            button #keys type="button" title="Keyboard" aria-label="Keyboard" { "?" }
        }
        nav #outline aria-label="Prompts" hidden {}
        dialog #help aria-label="Keyboard" {}
    }
}
