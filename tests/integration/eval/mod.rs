//! Reading of model outputs and scoring of predictions.

pub mod any_output;
pub mod any_truth;
mod bad_predictions;
mod baselines;
mod borders;
mod box_sets;
mod browser;
mod charts;
pub mod chat_server;
mod clicks;
pub mod fixtures;
mod hostile_names;
mod options;
mod outcomes;
mod outputs;
mod pages;
mod predict;
mod responses;
mod review;
mod round_trips;
mod schemas;
mod state_questions;
mod tasks;
mod waits;
mod whole_datasets;
mod workflow_answers;
mod workflows;
