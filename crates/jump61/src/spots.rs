use crate::geometry::Geometry;
use crate::squares::{bit_at, plane_with};

/// The number of spots of every square, 0 to 15, as four bit planes: plane i holds bit i of each number. Adding to all
/// squares at once, or subtracting from them, takes a few instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spots {
    planes: [u128; 4],
}

impl Spots {
    /// Returns one spot on each of these squares.
    pub(crate) const fn ones(squares: u128) -> Self {
        Self { planes: [squares, 0, 0, 0] }
    }

    pub(crate) const fn planes(&self) -> &[u128; 4] {
        &self.planes
    }

    #[inline]
    pub(crate) const fn get(&self, index: usize) -> u8 {
        let [a, b, c, d] = self.planes;
        (bit_at(a, index) | bit_at(b, index) << 1 | bit_at(c, index) << 2 | bit_at(d, index) << 3) as u8
    }

    pub(crate) fn set(&mut self, index: usize, spots: u8) {
        let bit = plane_with(index);
        for (i, plane) in self.planes.iter_mut().enumerate() {
            *plane = *plane & !bit | if spots >> i & 1 == 0 { 0 } else { bit };
        }
    }

    pub(crate) fn total(&self) -> u32 {
        (0..).zip(self.planes).map(|(i, plane)| plane.count_ones() << i).sum()
    }

    /// Returns the squares with this number of spots.
    #[inline]
    pub(crate) fn equal(&self, spots: u8) -> u128 {
        let [a, b, c, d] = self.planes;
        // The result has a bit set where the plane differs from the bit of the number.
        let other = |plane: u128, i: u8| plane ^ (u128::from(spots) >> i & 1).wrapping_neg();
        !(other(a, 0) | other(b, 1) | other(c, 2) | other(d, 3))
    }

    /// Adds the numbers in the three planes to the squares.
    #[inline]
    fn add(&mut self, number: [u128; 3]) {
        let mut carry = 0;
        for (plane, bit) in self.planes.iter_mut().zip([number[0], number[1], number[2], 0]) {
            let sum = *plane ^ bit ^ carry;
            carry = (*plane & bit) | (carry & (*plane ^ bit));
            *plane = sum;
        }
    }

    #[inline]
    fn subtract(&mut self, number: [u128; 3]) {
        let mut borrow = 0;
        for (plane, bit) in self.planes.iter_mut().zip([number[0], number[1], number[2], 0]) {
            let difference = *plane ^ bit ^ borrow;
            borrow = (!*plane & (bit | borrow)) | (bit & borrow);
            *plane = difference;
        }
    }

    /// Adds one spot to each of these squares.
    #[inline]
    pub(crate) fn add_one(&mut self, squares: u128) {
        self.add([squares, 0, 0]);
    }

    /// Returns the squares with more spots than neighbours.
    #[inline]
    pub(crate) const fn overfull(&self, geometry: &Geometry) -> u128 {
        let [a, b, c, d] = self.planes;
        let over_three = c | d;
        let over_two = over_three | a & b;
        let over_four = d | c & (a | b);
        geometry.corners & over_two | geometry.edges & over_three | geometry.inner & over_four
    }

    /// Returns the squares with as many spots as neighbours. They topple after one more spot.
    #[inline]
    pub(crate) const fn critical(&self, geometry: &Geometry) -> u128 {
        let [a, b, c, d] = self.planes;
        let two = !a & b & !c & !d;
        let three = a & b & !c & !d;
        let four = !a & !b & c & !d;
        geometry.corners & two | geometry.edges & three | geometry.inner & four
    }

    /// Returns the squares with one spot fewer than neighbours.
    #[inline]
    pub(crate) const fn near_critical(&self, geometry: &Geometry) -> u128 {
        let [a, b, c, d] = self.planes;
        let one = a & !b & !c & !d;
        let two = !a & b & !c & !d;
        let three = a & b & !c & !d;
        geometry.corners & one | geometry.edges & two | geometry.inner & three
    }

    /// Topples these squares at the same time (rule 2): each gives one spot to each of its neighbours. Returns the
    /// neighbours.
    #[inline]
    pub(crate) fn topple(&mut self, squares: u128, geometry: &Geometry) -> u128 {
        self.subtract([
            squares & geometry.edges,
            squares & (geometry.corners | geometry.edges),
            squares & geometry.inner,
        ]);
        let [north, south, east, west] = geometry.steps(squares);
        // The number of toppling neighbours of each square, in binary.
        let (one_of_two, both) = (north ^ south, north & south);
        let (one_of_other, both_other) = (east ^ west, east & west);
        let carry = one_of_two & one_of_other;
        let two = both ^ both_other ^ carry;
        let four = (both & both_other) | (carry & (both ^ both_other));
        self.add([one_of_two ^ one_of_other, two, four]);
        north | south | east | west
    }
}
