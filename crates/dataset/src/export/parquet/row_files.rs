//! Parquet files of a fixed number of rows, one after another.

use super::super::output::Output;
use super::Error;
use super::table::{Cell, Shape, Table};

/// Rows in a file before the next one is begun. Fixed, so that files do not depend on how a dataset was made.
const FILE_ROWS: u64 = 250;

/// `<prefix>-00000.parquet` and so on.
pub(super) struct RowFiles {
    prefix: String,
    written: u64,
    table: Option<Table>,
}

impl RowFiles {
    /// None yet. `prefix` may name a folder.
    pub(super) fn new(prefix: String) -> Self {
        Self { prefix, written: 0, table: None }
    }

    /// Rows so far.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Adds a row of this shape; `notes` are kept beside the schema.
    pub(super) fn add(&mut self, output: &Output, shape: Shape, notes: &[(&str, String)], row: Cell) -> Result<(), Error> {
        let name = format!("{}-{:05}.parquet", self.prefix, self.written / FILE_ROWS);
        let failed = |e: parquet::errors::ParquetError| Error::at(&name, e);
        if self.written.is_multiple_of(FILE_ROWS) {
            self.finish()?;
            let path = output.path(&name);
            std::fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(|e| Error::at(&name, e))?;
            self.table = Some(Table::create(&path, shape, notes).map_err(failed)?);
        }
        self.written += 1;
        self.table.as_mut().expect("begun above").row(row).map_err(failed)
    }

    /// Ends the file that is open.
    pub(super) fn finish(&mut self) -> Result<(), Error> {
        self.table.take().map_or(Ok(()), Table::close).map_err(|e| Error::at("a Parquet file", e))
    }
}
