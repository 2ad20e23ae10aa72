//! Pieces of a streamed reply: the events of the Messages API, passed on.

use crate::content::ContentBlock;
use crate::json::{Json, JsonText};
use crate::message::Message;
use crate::usage::Usage;
use crate::view::{choice, view};

use super::Bare;

view! {
    /// A piece of a streamed reply.
    StreamEvent<'a> {
        event: Event<'a> = "event",
        parent_tool_use_id: JsonText<'a> = "parent_tool_use_id",
        session_id: JsonText<'a> = "session_id",
        uuid: JsonText<'a> = "uuid",
        /// Since 2.1.325.
        api_message_id: JsonText<'a> = "api_message_id",
        ttft_ms: u64 = "ttft_ms",
    }
}

choice! {
    /// An event of the Messages API.
    Event<'a> by "type" {
        /// A reply begins.
        MessageStart(MessageStart) = "message_start",
        /// A block begins.
        ContentBlockStart(ContentBlockStart) = "content_block_start",
        /// A block goes on.
        ContentBlockDelta(ContentBlockDelta) = "content_block_delta",
        /// A block ends.
        ContentBlockStop(ContentBlockStop) = "content_block_stop",
        /// The reply as a whole changes.
        MessageDelta(MessageDelta) = "message_delta",
        /// The reply ends.
        MessageStop(Bare) = "message_stop",
        /// A sign of life.
        Ping(Bare) = "ping",
        /// The stream failed.
        Error(ErrorEvent) = "error",
    }
}

choice! {
    /// What a block gains.
    Delta<'a> by "type" {
        /// Text.
        Text(TextDelta) = "text_delta",
        /// Thinking.
        Thinking(ThinkingDelta) = "thinking_delta",
        /// The signature of thinking.
        Signature(SignatureDelta) = "signature_delta",
        /// A piece of a tool's input, as JSON text.
        InputJson(InputJsonDelta) = "input_json_delta",
        /// A source.
        Citations(CitationsDelta) = "citations_delta",
    }
}

view! {
    /// A reply begins.
    MessageStart<'a> {
        message: Message<'a> = "message",
    }

    /// A block begins.
    ContentBlockStart<'a> {
        index: u64 = "index",
        content_block: ContentBlock<'a> = "content_block",
    }

    /// A block goes on.
    ContentBlockDelta<'a> {
        index: u64 = "index",
        delta: Delta<'a> = "delta",
    }

    /// A block ends.
    ContentBlockStop<'a> {
        index: u64 = "index",
    }

    /// The reply as a whole changes.
    MessageDelta<'a> {
        delta: StopDelta<'a> = "delta",
        usage: Usage<'a> = "usage",
        context_management: Json<'a> = "context_management",
    }

    /// Why the reply ended.
    StopDelta<'a> {
        stop_reason: JsonText<'a> = "stop_reason",
        stop_sequence: JsonText<'a> = "stop_sequence",
    }

    /// The stream failed.
    ErrorEvent<'a> {
        error: Json<'a> = "error",
    }

    /// More text.
    TextDelta<'a> {
        text: JsonText<'a> = "text",
    }

    /// More thinking.
    ThinkingDelta<'a> {
        thinking: JsonText<'a> = "thinking",
    }

    /// The signature of thinking.
    SignatureDelta<'a> {
        signature: JsonText<'a> = "signature",
    }

    /// A piece of a tool's input.
    InputJsonDelta<'a> {
        partial_json: JsonText<'a> = "partial_json",
    }

    /// A source.
    CitationsDelta<'a> {
        citation: Json<'a> = "citation",
    }
}
