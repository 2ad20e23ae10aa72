//! Agents find their calls.
