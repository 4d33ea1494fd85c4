//! Reading of model outputs and scoring of predictions.

mod bad_predictions;
mod box_sets;
mod clicks;
mod fixtures;
mod outputs;
mod responses;
mod schemas;
mod tasks;
