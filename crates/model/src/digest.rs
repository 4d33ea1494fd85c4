//! SHA-256 digests as text, and numbers made from ids.

use sha2::{Digest, Sha256};

/// SHA-256 as 64 hex digits.
pub fn hex_digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|b| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]]);
    digits.map(char::from).collect()
}

/// A number made from an id alone, for keyed ranks that do not depend on a pack's other contents.
pub fn stable_id(id: &str) -> u64 {
    let digest = Sha256::digest(id.as_bytes());
    u64::from_le_bytes(digest[..8].try_into().expect("8 bytes"))
}
