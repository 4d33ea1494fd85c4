//! Predictions: asked of a served model, or made by baselines that need no model.
//!
//! ```text
//! Dataset ─questions─▶ Prompt + pictures ─ask──▶ chat endpoint ──▶ raw output ──parse──▶ line of predictions.jsonl
//!                   └▶ Agent (oracle, random, ..) ──────────────────────────────────────▶ line of predictions.jsonl
//! ```
//!
//! A file of predictions is resumable: what it answers already is not asked again. The key is never written anywhere.

mod agents;
mod ask;
mod changed;
mod digits;
mod history;
mod ocr;
mod output;
mod prompt;
mod questions;
mod retry_after;
mod run;
mod state_agents;
mod state_questions;
mod task_agents;
mod words;

pub use agents::{Agent, predict_by_agent};
pub use ask::{Answered, Endpoint, Failed};
pub use history::HistoryPrompt;
pub use output::{OutputFile, Recorded};
pub use prompt::Prompt;
pub use questions::{StepQuestions, TargetQuestions};
pub use run::{Answers, Listener, Message, Questions, RunOptions, predict_by_endpoint};
pub use state_agents::predict_states_by_agent;
pub use state_questions::StateQuestions;
pub use task_agents::predict_tasks_by_agent;
