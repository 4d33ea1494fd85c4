//! Reading of model outputs and scoring of predictions.

mod bad_predictions;
mod box_sets;
#[cfg(feature = "predict")]
mod chat_server;
mod clicks;
mod fixtures;
mod outputs;
#[cfg(feature = "predict")]
mod predict;
mod responses;
mod schemas;
mod tasks;
