//! Tokens of one API message.
//!
//! The client repeats usage on every record of a message, and some versions repeat the numbers of
//! the first stream event, so usage is never summed over records: see `docs/format/content.md`.

use crate::json::{Json, JsonText};
use crate::view::{List, view};

#[cfg(test)]
mod tests;

view! {
    /// What one API message cost in tokens.
    Usage<'a> {
        input_tokens: u64 = "input_tokens",
        output_tokens: u64 = "output_tokens",
        cache_creation_input_tokens: u64 = "cache_creation_input_tokens",
        cache_read_input_tokens: u64 = "cache_read_input_tokens",
        /// The parts of `cache_creation_input_tokens` by lifetime.
        cache_creation: CacheCreation<'a> = "cache_creation",
        output_tokens_details: OutputTokensDetails<'a> = "output_tokens_details",
        server_tool_use: ServerToolUsage<'a> = "server_tool_use",
        service_tier: JsonText<'a> = "service_tier",
        speed: JsonText<'a> = "speed",
        inference_geo: JsonText<'a> = "inference_geo",
        /// One usage for each sampling round inside the message.
        iterations: List<'a, Json<'a>> = "iterations",
        fallback_credit: Json<'a> = "fallback_credit",
    }

    /// Tokens written to the cache, by how long they stay there.
    CacheCreation<'a> {
        ephemeral_5m_input_tokens: u64 = "ephemeral_5m_input_tokens",
        ephemeral_1h_input_tokens: u64 = "ephemeral_1h_input_tokens",
    }

    /// The parts of the output tokens.
    OutputTokensDetails<'a> {
        thinking_tokens: u64 = "thinking_tokens",
    }

    /// Requests that the server's own tools made.
    ServerToolUsage<'a> {
        web_search_requests: u64 = "web_search_requests",
        web_fetch_requests: u64 = "web_fetch_requests",
    }
}
