//! What a dataset is known by: the SHA-256 over its files, in order.

use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use windesk_model::Error;

/// A reader that digests what passes through it.
#[derive(Debug)]
pub(super) struct Digesting<'a, R> {
    pub(super) inner: R,
    pub(super) sha256: &'a mut Sha256,
}

impl<R: Read> Read for Digesting<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.sha256.update(&buffer[..n]);
        Ok(n)
    }
}

/// Reads and digests a whole file.
pub(super) fn read_digesting(path: &Path, sha256: &mut Sha256) -> Result<Vec<u8>, Error> {
    let bytes = std::fs::read(path).map_err(|e| Error::io(path, e))?;
    sha256.update(&bytes);
    Ok(bytes)
}
