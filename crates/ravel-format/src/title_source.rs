//! Where the title of a session can come from.

/// Where a title comes from, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TitleSource {
    /// The last `agent-name` record.
    AgentName,
    /// The last `custom-title` record, or the file `custom-title.json`.
    CustomTitle,
    /// The last `ai-title` record.
    AiTitle,
    /// The last `summary` record.
    Summary,
    /// The last `last-prompt` record.
    LastPrompt,
    /// The first thing a person wrote.
    FirstPrompt,
    /// There is no title.
    Nothing,
}

impl TitleSource {
    /// Returns the type of the record, or a word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::AgentName => "agent-name",
            Self::CustomTitle => "custom-title",
            Self::AiTitle => "ai-title",
            Self::Summary => "summary",
            Self::LastPrompt => "last-prompt",
            Self::FirstPrompt => "first-prompt",
            Self::Nothing => "none",
        }
    }
}
