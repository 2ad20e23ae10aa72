//! Who or what a text is from.

/// Who or what a text is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A person, or the agent that called this one.
    Prompt,
    /// The model, to the person.
    Reply,
    /// The model, to itself.
    Thinking,
    /// The model, to a tool.
    ToolInput,
    /// A tool.
    ToolResult,
    /// Anything else: titles, summaries, notes of the client, attachments, hooks.
    Other,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 6] = [
        Self::Prompt,
        Self::Reply,
        Self::Thinking,
        Self::ToolInput,
        Self::ToolResult,
        Self::Other,
    ];

    /// Returns the role that a person names with `word`.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.word() == word)
    }

    /// Returns the word for the role.
    pub fn word(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Reply => "reply",
            Self::Thinking => "thinking",
            Self::ToolInput => "tool-input",
            Self::ToolResult => "tool-result",
            Self::Other => "other",
        }
    }

    /// Returns how much a match in such a text is worth: what people wrote comes first.
    pub(super) fn weight(self) -> u32 {
        match self {
            Self::Prompt => 5,
            Self::Reply => 4,
            Self::Other => 3,
            Self::Thinking => 2,
            Self::ToolInput => 1,
            Self::ToolResult => 0,
        }
    }
}
