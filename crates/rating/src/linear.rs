//! Linear algebra of small symmetric matrices.

/// The Cholesky factor of a symmetric positive definite matrix: a lower triangle whose product with its transpose is
/// the matrix.
pub(crate) struct Cholesky {
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// Factors a matrix. Reads only its lower triangle.
    pub(crate) fn new(mut matrix: Vec<Vec<f64>>) -> Self {
        for i in 0..matrix.len() {
            let (before, rest) = matrix.split_at_mut(i);
            let row = &mut rest[0];
            for j in 0..i {
                row[j] = (row[j] - dot(&row[..j], &before[j][..j])) / before[j][j];
            }
            let squares = dot(&row[..i], &row[..i]);
            // Rounding can make a tiny pivot negative.
            row[i] = (row[i] - squares).max(f64::MIN_POSITIVE).sqrt();
            row.truncate(i + 1);
        }
        Self { rows: matrix }
    }

    /// Solves the linear system with this right-hand side.
    pub(crate) fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        // Leading zeros of the right-hand side stay zeros in the solution of the lower triangle, so they are skipped.
        let zeros = right.iter().take_while(|&&value| value == 0.0).count();
        for i in zeros..right.len() {
            let sum = dot(&self.rows[i][zeros..i], &right[zeros..i]);
            right[i] = (right[i] - sum) / self.rows[i][i];
        }
        for i in (0..right.len()).rev() {
            right[i] /= self.rows[i][i];
            let solved = right[i];
            for (value, a) in right[..i].iter_mut().zip(&self.rows[i]) {
                *value -= a * solved;
            }
        }
        right
    }

    /// Returns the inverse of the matrix.
    pub(crate) fn inverse(&self) -> Vec<Vec<f64>> {
        let n = self.rows.len();
        let unit = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect();
        (0..n).map(|i| self.solve(unit(i))).collect()
    }
}

/// Returns the dot product of two vectors. Several partial sums let the processor add in parallel.
fn dot(one: &[f64], other: &[f64]) -> f64 {
    const LANES: usize = 8;
    let (one, one_rest) = one.as_chunks::<LANES>();
    let (other, other_rest) = other.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in one.iter().zip(other) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + one_rest.iter().zip(other_rest).map(|(a, b)| a * b).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = vec![vec![4.0, -1.0, -2.0], vec![-1.0, 3.0, -0.5], vec![-2.0, -0.5, 5.0]];
        let factor = Cholesky::new(matrix.clone());
        let inverse = factor.inverse();
        for (i, row) in matrix.iter().enumerate() {
            // The inverse is symmetric, so its rows are its columns.
            for (j, column) in inverse.iter().enumerate() {
                let product: f64 = row.iter().zip(column).map(|(a, b)| a * b).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12, "{i} {j}: {product}");
            }
        }
        let solved = factor.solve(vec![1.0, 2.0, 3.0]);
        for (row, right) in matrix.iter().zip([1.0, 2.0, 3.0]) {
            assert!((row.iter().zip(&solved).map(|(a, x)| a * x).sum::<f64>() - right).abs() < 1e-12);
        }
    }
}
