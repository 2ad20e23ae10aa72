//! The table of codes.

use super::Severity;

/// Declares [`Code`] and everything said about each code in one table, so that they cannot drift.
macro_rules! codes {
    ($($variant:ident = $name:literal, $severity:ident, $title:literal, $help:literal;)+) => {
        /// What a finding is. The names are stable.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $title] $variant,)+
        }

        impl Code {
            /// Every code, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the stable name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// Returns how bad it is.
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)+ }
            }

            /// Returns what it is, in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)+ }
            }

            /// Returns what to do about it, in one line.
            pub fn help(self) -> &'static str {
                match self { $(Self::$variant => $help,)+ }
            }
        }
    };
}

codes! {
    TornLine = "torn-line", Error,
        "a line stops in the middle of a record",
        "`ravel repair` closes what can be read and leaves the rest out";
    TornTail = "torn-tail", Error,
        "the last line stops in the middle of a record",
        "wait if the session is still running; else `ravel repair` closes or removes the line";
    NotJson = "not-json", Error,
        "a line is not JSON",
        "readers skip the line; `ravel repair` leaves it out";
    NulBytes = "nul-bytes", Error,
        "a line holds NUL bytes where a write was lost",
        "`ravel repair` removes the NUL bytes and keeps the record after them";
    GluedRecords = "glued-records", Error,
        "several records share one line",
        "other readers lose all of them; `ravel repair` gives each its own line";
    BadText = "bad-text", Error,
        "a string holds a raw control character or a broken escape",
        "strict readers skip the line; `ravel repair` escapes the character";
    ByteOrderMark = "byte-order-mark", Error,
        "the file starts with a byte-order mark",
        "the Python SDK loses the first record; `ravel repair` removes the mark";
    InvalidUtf8 = "invalid-utf-8", Warning,
        "a line holds bytes that are no UTF-8",
        "readers show replacement characters there";
    LoneSurrogate = "lone-surrogate", Warning,
        "a string holds half of a surrogate pair",
        "the client replaces it or sends it on; some tools refuse it";
    NotAnObject = "not-an-object", Warning,
        "a line is JSON but no object",
        "readers skip the line";
    BlankLine = "blank-line", Info,
        "a line is empty",
        "readers skip it; `ravel repair` leaves it out";
    CrlfLineEnds = "crlf-line-ends", Info,
        "lines end with CR LF",
        "another program rewrote the file; `ravel repair` writes LF";
    NoFinalNewline = "no-final-newline", Info,
        "the last record has no line end",
        "the next record may be glued to it; `ravel repair` adds the line end";

    MissingType = "missing-type", Warning,
        "a record has no `type`",
        "readers skip the record";
    UnknownType = "unknown-type", Info,
        "a record has a `type` that Ravel has no name for",
        "it is kept as it is; a newer Ravel may know it";
    MissingUuid = "missing-uuid", Error,
        "a message has no `uuid`",
        "other readers skip the message; `ravel repair` gives it one";
    MissingTimestamp = "missing-timestamp", Warning,
        "a message has no `timestamp`",
        "`ravel repair` takes the time from its neighbors";
    BadTimestamp = "bad-timestamp", Warning,
        "a `timestamp` is no time",
        "`ravel repair` takes the time from its neighbors";
    NoTimeAtEnd = "no-time-at-end", Error,
        "the last message has no `timestamp` the client can read",
        "the client does not resume the session; `ravel repair` fills the time in";
    MissingSessionId = "missing-session-id", Warning,
        "a message has no `sessionId`",
        "older clients do not list the session; `ravel repair` fills it in";
    MissingParentKey = "missing-parent-key", Info,
        "a message has no `parentUuid`, not even `null`",
        "it is read as the start of a conversation";
    MissingMessage = "missing-message", Error,
        "a prompt or reply has no `message`",
        "the client stops or drops it";
    BadContent = "bad-content", Warning,
        "`message.content` is neither text nor a list",
        "readers show nothing for the message";
    BadImage = "bad-image", Warning,
        "an image is not base64 of a known media type",
        "the API refuses a conversation with this image";

    ParentCycle = "parent-cycle", Error,
        "parents lead in a circle",
        "older clients hang on it; `ravel repair` cuts the circle";
    SelfParent = "self-parent", Error,
        "a record is its own parent",
        "older clients hang on it; `ravel repair` cuts the circle";
    BrokenThread = "broken-thread", Error,
        "the conversation breaks off at a missing record, with messages before it",
        "other readers lose everything before; `ravel repair` links the parts again";
    RootlessReply = "rootless-reply", Error,
        "a reply or tool result follows nothing, with messages before it",
        "other readers lose everything before; `ravel repair` links the parts again";
    DuplicateUuid = "duplicate-uuid", Warning,
        "two different records have the same `uuid`",
        "readers keep the later one; `ravel repair` gives the earlier one another id";
    DuplicateRecord = "duplicate-record", Info,
        "a record stands twice, byte for byte",
        "readers see it once; `ravel repair` keeps one";
    Orphan = "orphan", Info,
        "a record names a parent that is not in the file",
        "readers take it for the start of a conversation";
    SecondRoot = "second-root", Info,
        "a second conversation starts in the same file",
        "normal after a rewind to the start; readers show the newest one";
    ForwardReference = "forward-reference", Info,
        "a record stands before its parent",
        "readers link it all the same";
    UnreachableMessages = "unreachable-messages", Warning,
        "messages hang on no branch of the conversation",
        "see them with `ravel tree`; `ravel repair` links them where it is plain how";
    CompactionParentMissing = "compaction-parent-missing", Info,
        "a compaction does not say which record in this file it goes on from",
        "what was said before it cannot be joined on";
    Compacted = "compacted", Info,
        "the conversation was compacted",
        "the client sends only what follows the last compaction; `ravel show` has it all";
    BranchNotNamedByLastPrompt = "branch-not-named-by-last-prompt", Info,
        "`last-prompt` names another branch than the one written last",
        "the newest client resumes the named branch, older ones and the SDK the other";
    LastPromptLeafMissing = "last-prompt-leaf-missing", Info,
        "`last-prompt` names a record that is not in the file",
        "the client goes on from the leaf written last";

    TimeGoesBack = "time-goes-back", Info,
        "a record is older than its parent",
        "clients that choose by time may resume another branch";
    ToolResultWithoutCall = "tool-result-without-call", Error,
        "a tool result answers a call that is not in the file",
        "older clients send it and the API refuses; newer ones drop it";
    ToolCallWithoutResult = "tool-call-without-result", Warning,
        "a tool call in the middle of the conversation has no result",
        "the client drops the call on resume";
    ToolCallOpen = "tool-call-open", Info,
        "the conversation ends with a tool call that has no result",
        "the tool was running or was interrupted; the client closes the call on resume";
    DuplicateToolCall = "duplicate-tool-call", Warning,
        "two replies make a tool call with the same id",
        "readers cannot tell which one a result answers";
    DuplicateToolResult = "duplicate-tool-result", Warning,
        "a tool call has more than one result",
        "the API refuses two results for one call on the same branch";

    EmptyFile = "empty-file", Info,
        "the file is empty",
        "older clients leave one behind when a resume fails; it can be deleted";
    NoMessages = "no-messages", Info,
        "the file holds no messages",
        "normal for files of titles and for sessions that never began";
    ForeignSessionId = "foreign-session-id", Info,
        "records belong to another session than most of the file",
        "normal in forked sessions of older clients";
    MixedVersions = "mixed-versions", Info,
        "the file was written by more than one version of the client",
        "normal for sessions that were resumed later";
    SidechainMarkMissing = "sidechain-mark-missing", Info,
        "a record of a sub-agent is not marked with `isSidechain`",
        "readers take it for a part of the main conversation";

    PaperDialect = "paper-dialect", Info,
        "the file speaks a dialect that no client writes",
        "the client cannot resume it; `ravel repair` makes a copy that it can";
    PaperSidechainKey = "paper-sidechain-key", Info,
        "paper dialect: `isSidechain` stands on a record of the main conversation",
        "write the key only on sidechain records";
    PaperExternalUser = "paper-external-user", Info,
        "paper dialect: `userType` is `external` outside of a sidechain",
        "clients write it on every record, so it says nothing there";
    PaperToolName = "paper-tool-name", Warning,
        "paper dialect: a tool call has no `toolName`",
        "readers cannot say which tool was called";
    PaperToolArguments = "paper-tool-arguments", Warning,
        "paper dialect: `toolArguments` is no object",
        "readers cannot show the arguments";
}
