//! The client versions whose line shapes the builder knows.
//!
//! Each stands for a family: 1.0 keeps sub-agents inside the main file, 2.0 puts them beside it,
//! 2.1.29 under `<session>/subagents`, and 2.1.325 moves the envelope to the end of the line and
//! logs every injected context as an attachment.

/// A version of the real client that was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(
    non_camel_case_types,
    reason = "a version number reads best with its dots kept apart"
)]
pub enum Version {
    /// 1.0.128, autumn 2025.
    V1_0_128,
    /// 2.0.77, winter 2025.
    V2_0_77,
    /// 2.1.29, early 2026.
    V2_1_29,
    /// 2.1.325, late 2026.
    V2_1_325,
}

impl Version {
    /// Returns the text of the `version` key.
    pub fn name(self) -> &'static str {
        match self {
            Self::V1_0_128 => "1.0.128",
            Self::V2_0_77 => "2.0.77",
            Self::V2_1_29 => "2.1.29",
            Self::V2_1_325 => "2.1.325",
        }
    }

    /// Returns the model this version uses unless told otherwise.
    pub fn default_model(self) -> &'static str {
        match self {
            Self::V1_0_128 => "claude-sonnet-4-20250514",
            Self::V2_0_77 | Self::V2_1_29 => "claude-sonnet-4-5-20250929",
            Self::V2_1_325 => "claude-opus-5-5",
        }
    }

    /// Tells whether the envelope (`userType`, `cwd`, `sessionId` …) ends the line.
    pub fn envelope_last(self) -> bool {
        self == Self::V2_1_325
    }

    /// Returns the name of the tool that starts a sub-agent.
    pub fn agent_tool(self) -> &'static str {
        if self == Self::V2_1_325 {
            "Agent"
        } else {
            "Task"
        }
    }
}
