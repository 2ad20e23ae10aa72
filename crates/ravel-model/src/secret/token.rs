//! Keys that are known by their shape.

use std::ops::Range;

use super::value::{count_while, is_masked, is_word_byte, starts_word};
use super::{Kind, Secret};

/// How the keys of a vendor look.
#[derive(Debug)]
pub(super) struct Shape {
    /// What they start with. It stays when they are masked.
    pub(super) prefix: &'static str,
    /// Whose keys they are.
    vendor: &'static str,
    /// What follows the prefix.
    body: Body,
}

/// What follows the prefix of a key. Lengths are in bytes.
#[derive(Debug, Clone, Copy)]
enum Body {
    /// At least so many letters, digits, `_` and `-`, with a digit among them.
    Long(usize),
    /// At least so many letters and digits before anything else, with a digit among them.
    Solid(usize),
    /// Exactly so many letters, digits, `_` and `-`.
    Exact(usize),
    /// Exactly so many capital letters and digits.
    Capitals(usize),
    /// Exactly so many hexadecimal digits.
    Hex(usize),
    /// Parts of so many bytes at least, with dots between.
    Dotted(usize, usize),
    /// A JSON header, claims and a signature, with dots between.
    Jwt,
}

/// The start of every base64url text of a JSON object.
const JWT: &str = "eyJ";

const fn shape(prefix: &'static str, vendor: &'static str, body: Body) -> Shape {
    Shape {
        prefix,
        vendor,
        body,
    }
}

/// The shapes, as the vendors document them or as they are seen.
pub(super) static SHAPES: [Shape; 46] = [
    shape("sk-ant-", "Anthropic key", Body::Long(20)),
    shape("sk-proj-", "OpenAI key", Body::Long(20)),
    shape("sk-svcacct-", "OpenAI key", Body::Long(20)),
    shape("sk-admin-", "OpenAI key", Body::Long(20)),
    shape("sk-or-v1-", "OpenRouter key", Body::Long(20)),
    // Several vendors; words of style sheets start so as well.
    shape("sk-", "API key", Body::Solid(20)),
    shape("gsk_", "Groq key", Body::Solid(30)),
    shape("xai-", "xAI key", Body::Solid(40)),
    shape("pplx-", "Perplexity key", Body::Solid(30)),
    shape("r8_", "Replicate key", Body::Solid(30)),
    shape("hf_", "Hugging Face token", Body::Solid(30)),
    shape("AKIA", "AWS key id", Body::Capitals(16)),
    shape("ASIA", "AWS key id", Body::Capitals(16)),
    shape("AIza", "Google key", Body::Exact(35)),
    shape("GOCSPX-", "Google client secret", Body::Long(20)),
    shape("ya29.", "Google token", Body::Long(20)),
    shape("ghp_", "GitHub token", Body::Solid(30)),
    shape("gho_", "GitHub token", Body::Solid(30)),
    shape("ghu_", "GitHub token", Body::Solid(30)),
    shape("ghs_", "GitHub token", Body::Long(30)),
    shape("ghr_", "GitHub token", Body::Solid(30)),
    shape("github_pat_", "GitHub token", Body::Long(30)),
    shape("glpat-", "GitLab token", Body::Long(16)),
    shape("gldt-", "GitLab token", Body::Long(16)),
    shape("glrt-", "GitLab token", Body::Long(16)),
    shape("xoxa-", "Slack token", Body::Long(10)),
    shape("xoxb-", "Slack token", Body::Long(10)),
    shape("xoxp-", "Slack token", Body::Long(10)),
    shape("xoxr-", "Slack token", Body::Long(10)),
    shape("xoxs-", "Slack token", Body::Long(10)),
    shape("xapp-", "Slack token", Body::Long(20)),
    shape("npm_", "npm token", Body::Solid(36)),
    shape("pypi-", "PyPI token", Body::Long(50)),
    shape("dckr_pat_", "Docker token", Body::Long(20)),
    shape("dop_v1_", "DigitalOcean token", Body::Hex(64)),
    shape("shpat_", "Shopify token", Body::Hex(32)),
    shape("lin_api_", "Linear key", Body::Solid(30)),
    shape("ntn_", "Notion token", Body::Solid(30)),
    shape("sk_live_", "Stripe key", Body::Solid(16)),
    shape("rk_live_", "Stripe key", Body::Solid(16)),
    shape("sk_test_", "Stripe key", Body::Solid(16)),
    shape("rk_test_", "Stripe key", Body::Solid(16)),
    shape("whsec_", "Stripe secret", Body::Solid(20)),
    shape("SG.", "SendGrid key", Body::Dotted(20, 40)),
    shape("SK", "Twilio key", Body::Hex(32)),
    shape(JWT, "", Body::Jwt),
];

/// Looks for a key that starts at `start`, and for the AWS secret that follows a key id.
pub(super) fn at(text: &[u8], shape: &'static Shape, start: usize) -> Vec<Secret> {
    let Some(key) = key(text, shape, start) else {
        return Vec::new();
    };
    let partner = match shape.body {
        Body::Capitals(_) => aws_secret(text, key.range.end),
        _ => None,
    };
    std::iter::once(key).chain(partner).collect()
}

/// Looks for a key of any shape that starts at `start`.
pub(super) fn any_at(text: &[u8], start: usize) -> Option<Secret> {
    let rest = text.get(start..)?;
    // Most values are no keys, as their first letter tells.
    if !matches!(
        rest.first()?,
        b's' | b'g' | b'x' | b'p' | b'r' | b'h' | b'A' | b'G' | b'y'
    ) && !matches!(rest.first()?, b'n' | b'd' | b'l' | b'w' | b'S' | b'e')
    {
        return None;
    }
    let mut shapes = SHAPES.iter();
    shapes
        .find(|shape| rest.starts_with(shape.prefix.as_bytes()))
        .and_then(|shape| key(text, shape, start))
}

fn key(text: &[u8], shape: &'static Shape, start: usize) -> Option<Secret> {
    let rest = text.get(start..)?;
    let body = rest.strip_prefix(shape.prefix.as_bytes())?;
    let is_base64 = |byte: &u8| matches!(byte, b'/' | b'+' | b'.');
    let before = start.checked_sub(1).and_then(|before| text.get(before));
    // Two letters and some digits, or dots, may be a part of something longer.
    let is_weak = matches!(shape.body, Body::Hex(_) | Body::Jwt);
    if !starts_word(text, start) || (is_weak && before.is_some_and(is_base64)) {
        return None;
    }
    let length = body_length(body, shape.body)?;
    let hidden = start + shape.prefix.len();
    if is_masked(text, hidden + length) {
        return None;
    }
    let kind = match shape.body {
        Body::Jwt => Kind::Jwt,
        _ => Kind::Key(shape.vendor),
    };
    Some(Secret {
        range: hidden..hidden + length,
        kind,
    })
}

/// Returns how long a body is; `None` when it is none.
fn body_length(body: &[u8], shape: Body) -> Option<usize> {
    let run = count_while(body, is_word_byte);
    let has_digit = |length: usize| {
        let part = body.get(..length).unwrap_or_default();
        part.iter().any(u8::is_ascii_digit)
    };
    let is_body = match shape {
        Body::Long(least) => run >= least && has_digit(run),
        Body::Solid(least) => {
            let solid = count_while(body, |byte| byte.is_ascii_alphanumeric());
            solid >= least && has_digit(solid)
        }
        Body::Exact(length) => run == length,
        Body::Capitals(length) => {
            let capitals = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
            run == length && count_while(body, capitals) == length
        }
        Body::Hex(length) => {
            run == length && count_while(body, |byte| byte.is_ascii_hexdigit()) == length
        }
        Body::Dotted(first, second) => return dotted(body, first, second),
        Body::Jwt => return jwt(body),
    };
    is_body.then_some(run)
}

/// Returns the length of two parts with a dot between.
fn dotted(body: &[u8], least_first: usize, least_second: usize) -> Option<usize> {
    let first = count_while(body, is_word_byte);
    let second = part_after_dot(body, first)?;
    (first >= least_first && second >= least_second).then_some(first + 1 + second)
}

/// Returns the length of a JSON web token without its first three letters.
fn jwt(body: &[u8]) -> Option<usize> {
    let header = count_while(body, is_word_byte);
    let claims = part_after_dot(body, header)?;
    let signature = part_after_dot(body, header + 1 + claims)?;
    let is_token = is_json_header(body.get(..header)?) && claims >= 4 && signature >= 10;
    is_token.then_some(header + 1 + claims + 1 + signature)
}

fn part_after_dot(body: &[u8], dot: usize) -> Option<usize> {
    let rest = body.get(dot..)?.strip_prefix(b".")?;
    Some(count_while(rest, is_word_byte))
}

/// Tells whether base64url text after `eyJ` is the rest of a JSON object with an algorithm.
fn is_json_header(body: &[u8]) -> bool {
    const LONGEST: usize = 4096;
    if body.len() > LONGEST {
        return false;
    }
    let mut decoded = Vec::with_capacity(body.len());
    let (mut bits, mut n_bits) = (0_u32, 0_u32);
    for &byte in JWT.as_bytes().iter().chain(body) {
        let Some(value) = sextet(byte) else {
            return false;
        };
        bits = (bits << 6 | value) & 0xffff;
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            decoded.push((bits >> n_bits) as u8);
        }
    }
    let has_algorithm = memchr::memmem::find(&decoded, b"\"alg\"").is_some();
    has_algorithm && decoded.trim_ascii_end().ends_with(b"}")
}

fn sextet(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    }))
}

/// Looks for the forty characters of an AWS secret soon after a key id, as in a CSV file.
fn aws_secret(text: &[u8], after: usize) -> Option<Secret> {
    const LENGTH: usize = 40;
    const NEAR: usize = 80;
    let is_body = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'+');
    let mut start = after;
    while start < after + NEAR {
        let rest = text.get(start..)?;
        let length = count_while(rest.get(..rest.len().min(LENGTH + 1))?, is_body);
        let part = rest.get(..length)?;
        let has = |wanted: fn(&u8) -> bool| part.iter().any(wanted);
        // A hash has no capitals, a word no digits.
        if length == LENGTH && has(u8::is_ascii_uppercase) && has(u8::is_ascii_digit) {
            return Some(Secret {
                range: start..start + length,
                kind: Kind::AwsSecret,
            });
        }
        start += length.max(1);
    }
    None
}

/// Tells whether a key of a known shape is all there is of a value.
pub(super) fn fills(text: &[u8], value: &Range<usize>) -> Option<Secret> {
    any_at(text, value.start).filter(|secret| secret.range.end == value.end)
}
