//! Embeddings as the index keeps them: a row of signed bytes per text, of which only the direction counts.
//!
//! A row is the vector times the factor that makes its largest number 127, rounded. Cosines are made of whole numbers,
//! the same on every platform. Of 45,000 pairs of texts of the default pack, rounding moved the cosine by 0.0005 (root
//! mean square), and 0.0024 at most.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

use crate::wide::{NullaryFnOnce, widely};

/// One direction per text.
#[derive(Clone, Debug)]
pub(super) struct Vectors {
    /// `[texts, dimensions]`.
    rows: Array2<i8>,
    /// Squared length of each row.
    squares: Vec<i64>,
}

/// Longest stretch that is summed in 32 bits.
const STRETCH: usize = 1 << 16;
/// Texts compared with all others at once: bounds memory, decides nothing.
const BLOCK: usize = 256;

impl Vectors {
    /// Rounds vectors of any length. A row of zeros has no direction, and a cosine of 0 with all.
    pub(super) fn rounded(exact: ArrayView2<'_, f32>) -> Self {
        let mut rows = Array2::zeros(exact.dim());
        for (mut row, exact) in rows.rows_mut().into_iter().zip(exact.rows()) {
            let largest = exact.iter().fold(0f32, |largest, v| largest.max(v.abs()));
            if largest > 0.0 {
                row.zip_mut_with(&exact, |byte, &v| *byte = (v / largest * 127.0).round() as i8);
            }
        }
        Self::of(rows)
    }

    /// Reads `texts` rows of this many numbers, at least one; `None` if there are more or fewer bytes.
    pub(super) fn from_bytes(bytes: Vec<u8>, texts: usize, dimensions: usize) -> Option<Self> {
        if dimensions == 0 {
            return None;
        }
        let rows = Array2::from_shape_vec((texts, dimensions), bytes.into_iter().map(u8::cast_signed).collect()).ok()?;
        Some(Self::of(rows))
    }

    fn of(rows: Array2<i8>) -> Self {
        let squares = rows.rows().into_iter().map(|row| dot(row, row)).collect();
        Self { rows, squares }
    }

    /// Row after row.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.rows.iter().map(|v| v.cast_unsigned()).collect()
    }

    /// Cosine of the embeddings of two texts, -1..=1; exactly 1 for a text and itself.
    pub(super) fn cosine(&self, a: usize, b: usize) -> f64 {
        self.quotient(a, b, dot(self.rows.row(a), self.rows.row(b)) as f64)
    }

    /// Hands each of these texts by its place, and its cosines with all of them, to `each`.
    pub(super) fn each_with_all(&self, texts: &[usize], mut each: impl FnMut(usize, ArrayView1<'_, f64>)) {
        // Sums of products of bytes are whole numbers far below 2^53: their order does not matter.
        let rows = self.rows.select(Axis(0), texts).mapv(f64::from);
        for (block, some) in rows.axis_chunks_iter(Axis(0), BLOCK).enumerate() {
            let mut cosines = some.dot(&rows.t());
            for (at, mut of_text) in cosines.rows_mut().into_iter().enumerate() {
                let place = block * BLOCK + at;
                for (value, &other) in of_text.iter_mut().zip(texts) {
                    *value = self.quotient(texts[place], other, *value);
                }
                each(place, of_text.view());
            }
        }
    }

    /// The unit vector of a text.
    pub(super) fn unit(&self, text: usize) -> Array1<f32> {
        let length = (self.squares[text].max(1) as f64).sqrt();
        self.rows.row(text).mapv(|v| (f64::from(v) / length) as f32)
    }

    fn quotient(&self, a: usize, b: usize, dot: f64) -> f64 {
        let lengths = (self.squares[a] as f64 * self.squares[b] as f64).sqrt();
        if lengths > 0.0 { (dot / lengths).clamp(-1.0, 1.0) } else { 0.0 }
    }
}

fn dot(a: ArrayView1<'_, i8>, b: ArrayView1<'_, i8>) -> i64 {
    let (a, b) = (a.to_slice().expect("rows lie in one piece"), b.to_slice().expect("rows lie in one piece"));
    a.chunks(STRETCH).zip(b.chunks(STRETCH)).map(|(a, b)| i64::from(widely(DotStretch(a, b)))).sum()
}

/// The sum of products of a stretch.
struct DotStretch<'a>(&'a [i8], &'a [i8]);

impl NullaryFnOnce for DotStretch<'_> {
    type Output = i32;

    #[inline(always)]
    fn call(self) -> i32 {
        self.0.iter().zip(self.1).fold(0, |sum, (&x, &y)| sum + i32::from(x) * i32::from(y))
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn directions_survive_rounding() {
        let exact = array![[0.6f32, 0.8, 0.0], [0.0, -1.0, 0.0], [0.8, -0.6, 0.0], [0.3, 0.4, 1.2], [0.0, 0.0, 0.0]];
        let vectors = Vectors::rounded(exact.view());
        for (a, b, expected) in [(0, 1, -0.8), (0, 2, 0.0), (1, 2, 0.6), (0, 3, 0.5 / 1.3), (0, 4, 0.0)] {
            let found = vectors.cosine(a, b);
            assert!((found - expected).abs() < 0.005, "{a} and {b}: expected {expected}, found {found}");
            vectors.each_with_all(&[b, a], |place, cosines| assert_eq!(cosines[1 - place], found));
        }
        for row in 0..4 {
            assert_eq!(vectors.cosine(row, row), 1.0);
        }
    }

    #[test]
    fn rounded_vectors_are_read_back_and_round_to_themselves() {
        let exact = array![[0.123f32, -0.456, 0.789], [-0.001, 0.5, 0.3]];
        let vectors = Vectors::rounded(exact.view());
        let bytes = vectors.to_bytes();
        let read = Vectors::from_bytes(bytes.clone(), 2, 3).expect("six bytes");
        let units = ndarray::stack![Axis(0), read.unit(0), read.unit(1)];
        assert_eq!(Vectors::rounded(units.view()).to_bytes(), bytes);
        assert!(Vectors::from_bytes(bytes, 2, 2).is_none());
        assert!(Vectors::from_bytes(Vec::new(), 1 << 40, 0).is_none(), "memory for a row each of nothing");
    }
}
