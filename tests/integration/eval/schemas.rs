//! The JSON Schemas in docs/schemas are those of the code.

use windesk::eval::click::ClickReport;
use windesk::eval::confidence::ConfidenceReport;
use windesk::eval::episode::{Episode, EpisodeReport, EpisodeTask};
use windesk::eval::icons::IconReport;
use windesk::eval::outcomes::OutcomeLine;
use windesk::eval::predictions::PredictionLine;
use windesk::eval::review::{RatingsFile, ReviewReport};
use windesk::eval::sequence::SequenceReport;
use windesk::eval::state::{StateInstance, StateReport};
use windesk::model::task::TaskLine;

use crate::schemas::check;

#[test]
fn inputs() {
    check::<PredictionLine<'_>>("prediction");
    check::<TaskLine>("task");
    check::<StateInstance>("state-instance");
    check::<Episode>("episode");
    check::<EpisodeTask>("episode-task");
    check::<RatingsFile>("review-ratings");
}

#[test]
fn reports() {
    check::<OutcomeLine<'_>>("outcome");
    check::<ClickReport>("click-report");
    check::<IconReport>("icons-report");
    check::<ConfidenceReport>("confidence-report");
    check::<SequenceReport>("sequence-report");
    check::<StateReport>("state-report");
    check::<EpisodeReport>("episode-report");
    check::<ReviewReport>("review-report");
}
