//! The request log of 2.1.325: every request, as hashes of parts that are stored once.
//!
//! The messages of a request are the first `keep` hashes of the request `base`, then `tail`.

use crate::json::{Json, JsonText};
use crate::message::Message;
use crate::timestamp::Timestamp;
use crate::view::{List, view};

view! {
    /// One request.
    ApiRequest<'a> {
        id: JsonText<'a> = "id",
        session_id: JsonText<'a> = "sessionId",
        agent_id: JsonText<'a> = "agentId",
        timestamp: Timestamp = "timestamp",
        version: JsonText<'a> = "version",
        query_source: JsonText<'a> = "querySource",
        shape_hash: JsonText<'a> = "shapeHash",
        params: RequestParams<'a> = "params",
        /// The request whose messages this one begins with.
        base: JsonText<'a> = "base",
        /// How many messages of the base stay.
        keep: u64 = "keep",
        /// Hashes of the messages that follow.
        tail: List<'a, JsonText<'a>> = "tail",
        /// Where the cache marks were.
        cache_control: List<'a, CacheMark<'a>> = "cacheControl",
        request_digest: JsonText<'a> = "requestDigest",
    }

    /// What a request asked for.
    RequestParams<'a> {
        model: JsonText<'a> = "model",
        betas: List<'a, JsonText<'a>> = "betas",
        max_tokens: u64 = "max_tokens",
        thinking: Json<'a> = "thinking",
        context_management: Json<'a> = "context_management",
        output_config: Json<'a> = "output_config",
    }

    /// A cache mark and its place in the request.
    CacheMark<'a> {
        path: List<'a, Json<'a>> = "path",
        value: Json<'a> = "value",
    }

    /// System prompt and tools.
    ApiRequestShape<'a> {
        session_id: JsonText<'a> = "sessionId",
        agent_id: JsonText<'a> = "agentId",
        shape_hash: JsonText<'a> = "shapeHash",
        timestamp: Timestamp = "timestamp",
        version: JsonText<'a> = "version",
        shape: RequestShape<'a> = "shape",
    }

    /// What is the same in many requests.
    RequestShape<'a> {
        system: List<'a, Json<'a>> = "system",
        tools: List<'a, Json<'a>> = "tools",
    }

    /// One message.
    ApiRequestBlob<'a> {
        session_id: JsonText<'a> = "sessionId",
        agent_id: JsonText<'a> = "agentId",
        /// SHA-256 of the message as compact JSON with sorted keys.
        hash: JsonText<'a> = "hash",
        message: Message<'a> = "message",
    }
}
