//! Intervals and tests. Numbers in, numbers out: nothing here knows of samples or models.

#![allow(
    clippy::disallowed_methods,
    reason = "statistics decide nothing about a scene; logarithms and exponentials are what they are made of"
)]

mod agreement;
mod bootstrap;
mod logistic;
mod proportion;
mod tests_of_significance;

pub use agreement::fleiss_kappa;
pub(crate) use agreement::kappa_of_kinds;
pub use bootstrap::{Bootstrap, percentile};
pub use logistic::{Coefficient, LogisticFit, NotFitted, fit_logistic};
pub use proportion::{ClusterTally, Proportion, wilson};
pub use tests_of_significance::{Moments, Welch, holm, mcnemar_exact, welch};
