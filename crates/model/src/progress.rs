//! How far long work has come, told to whoever wants to know.

/// Hears of work that is done in pieces. All methods have an empty default.
pub trait Progress: Sync {
    /// Work begins: `total` pieces, called `unit` (plural).
    fn begin(&self, total: u64, unit: &str) {
        let _ = (total, unit);
    }

    /// So many more pieces are done.
    fn advance(&self, pieces: u64) {
        let _ = pieces;
    }

    /// Work is done, or was given up.
    fn end(&self) {}
}

/// Tells nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Progress for Quiet {}
