//! Small symmetric matrices, as regressions need them.

/// A symmetric matrix; only its lower triangle is stored.
#[derive(Clone, Debug)]
pub(super) struct Symmetric {
    side: usize,
    /// Row by row, up to the diagonal.
    lower: Vec<f64>,
}

/// Where an entry of the lower triangle is stored.
fn place(row: usize, column: usize) -> usize {
    row * (row + 1) / 2 + column
}

impl Symmetric {
    pub(super) fn zeros(side: usize) -> Self {
        Self { side, lower: vec![0.0; place(side, 0)] }
    }

    pub(super) fn side(&self) -> usize {
        self.side
    }

    pub(super) fn at(&self, a: usize, b: usize) -> f64 {
        self.lower[place(a.max(b), a.min(b))]
    }

    /// The entry at these places, and so the one at its mirror image.
    pub(super) fn at_mut(&mut self, a: usize, b: usize) -> &mut f64 {
        &mut self.lower[place(a.max(b), a.min(b))]
    }

    /// `v' M v`.
    pub(super) fn form(&self, v: &[f64]) -> f64 {
        (0..self.side).map(|a| (0..self.side).map(|b| v[a] * self.at(a, b) * v[b]).sum::<f64>()).sum()
    }
}

/// The lower triangular `L` with `L L' = M`.
#[derive(Clone, Debug)]
pub(super) struct Cholesky(Symmetric);

impl Cholesky {
    /// None for a matrix that is not positive definite, or whose entries are no numbers.
    pub(super) fn of(matrix: &Symmetric) -> Option<Self> {
        let mut factor = Symmetric::zeros(matrix.side);
        for row in 0..matrix.side {
            for column in 0..=row {
                let known: f64 = (0..column).map(|at| factor.at(row, at) * factor.at(column, at)).sum();
                let left = matrix.at(row, column) - known;
                *factor.at_mut(row, column) = if column < row {
                    left / factor.at(column, column)
                } else if left > 0.0 {
                    left.sqrt()
                } else {
                    return None;
                };
            }
        }
        Some(Self(factor))
    }

    pub(super) fn diagonal(&self, at: usize) -> f64 {
        self.0.at(at, at)
    }

    /// The `x` with `M x = b`.
    pub(super) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let (factor, side) = (&self.0, self.0.side);
        let mut x = b.to_vec();
        for row in 0..side {
            let known: f64 = (0..row).map(|at| factor.at(row, at) * x[at]).sum();
            x[row] = (x[row] - known) / factor.at(row, row);
        }
        for row in (0..side).rev() {
            let known: f64 = (row + 1..side).map(|at| factor.at(at, row) * x[at]).sum();
            x[row] = (x[row] - known) / factor.at(row, row);
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: [[f64; 3]; 3]) -> Symmetric {
        let mut matrix = Symmetric::zeros(3);
        (0..3).for_each(|a| (0..=a).for_each(|b| *matrix.at_mut(a, b) = rows[a][b]));
        matrix
    }

    #[test]
    fn a_factor_solves_what_its_matrix_says() {
        let m = matrix([[4.0, 2.0, -1.0], [2.0, 5.0, 0.5], [-1.0, 0.5, 3.0]]);
        let x = Cholesky::of(&m).unwrap().solve(&[1.0, -2.0, 3.0]);
        let back: Vec<f64> = (0..3).map(|a| (0..3).map(|b| m.at(a, b) * x[b]).sum()).collect();
        assert!(back.iter().zip([1.0, -2.0, 3.0]).all(|(found, expected)| (found - expected).abs() < 1e-12), "{back:?}");
        assert!((m.form(&[1.0, 2.0, 0.0]) - 32.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        assert!(Cholesky::of(&matrix([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]])).is_none());
        assert!(Cholesky::of(&matrix([[f64::NAN, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])).is_none());
    }
}
