//! The four operations a transformer spends its time in, each compiled for the
//! vectors the machine has.
//!
//! Nothing here knows what a token or a layer is. The loops are plain Rust; the
//! compiler turns them into vector code, once per [`Machine`]; only the way
//! from 16 to 32 bits is written for the processor. On ARM the plain build is
//! already the wide one; 512-bit vectors were no quicker where they were
//! measured.

use std::ops::Range;

/// Columns that are multiplied together: two vectors of 256 bits.
const WIDTH: usize = 16;
/// Rows that are multiplied together: with `WIDTH`, what fits the registers.
const HEIGHT: usize = 6;
/// Rows after which the panels are gone through again, so that the rows stay
/// in the second cache.
const ROUND: usize = 16 * HEIGHT;

/// What the processor can do, asked once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Machine {
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Plain,
}

impl Machine {
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c")
        {
            return Machine::Avx2;
        }
        Machine::Plain
    }
}

/// Defines an operation once and compiles it for every machine. In the body,
/// `add_product::<FUSED>(a, b, c)` is `a * b + c` as the machine does it best.
macro_rules! tuned {
    ($(#[$meta:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block) => {
        $(#[$meta])*
        #[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "the features were detected"))]
        pub(crate) fn $name(machine: Machine, $($argument: $type),*) {
            #[inline(always)]
            fn written<const FUSED: bool>($($argument: $type),*) $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn avx2($($argument: $type),*) {
                written::<true>($($argument),*)
            }

            match machine {
                // SAFETY: `Machine::Avx2` is only made by `detect`.
                #[cfg(target_arch = "x86_64")]
                Machine::Avx2 => unsafe { avx2($($argument),*) },
                Machine::Plain => written::<{ cfg!(target_arch = "aarch64") }>($($argument),*),
            }
        }
    };
}

#[inline(always)]
fn add_product<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// A matrix laid out for being multiplied with: panels of `WIDTH` columns, row
/// after row, the last one filled up with zeros.
#[derive(Default)]
pub(crate) struct Panels {
    rows: usize,
    columns: usize,
    values: Vec<[f32; WIDTH]>,
    /// The values in 16 bits, if they are kept like that.
    halves: Vec<[u16; WIDTH]>,
}

impl Panels {
    /// Keeps the values in 16 bits where the machine can widen them at once:
    /// half the memory, and memory is what a short text waits for. Eleven bits
    /// of each value are left; of a model made in 16 bits, all.
    pub(crate) fn halved(mut self, machine: Machine) -> Self {
        let fit = |value: &f32| value.abs() < LARGEST_HALF;
        if machine != Machine::Plain && self.values.as_flattened().iter().all(fit) {
            self.halves = self.values.iter().map(|values| values.map(to_half)).collect();
            self.values = Vec::new();
        }
        self
    }

    /// The panel that begins with this column, widened into `room` if need be.
    fn panel<'a>(
        &'a self,
        machine: Machine,
        column: usize,
        room: &'a mut Vec<[f32; WIDTH]>,
    ) -> &'a [[f32; WIDTH]] {
        let place = column / WIDTH * self.rows..(column / WIDTH + 1) * self.rows;
        if self.halves.is_empty() {
            return &self.values[place];
        }
        room.resize(self.rows, [0.0; WIDTH]);
        widen(machine, &self.halves[place], room);
        room
    }

    /// `lines` are the columns of the matrix: how weights are stored, and keys.
    pub(crate) fn of_columns<'a>(rows: usize, lines: impl ExactSizeIterator<Item = &'a [f32]>) -> Self {
        let mut panels = Panels::default();
        panels.set_columns(rows, lines);
        panels
    }

    /// As `of_columns`, in the same memory.
    pub(crate) fn set_columns<'a>(&mut self, rows: usize, lines: impl ExactSizeIterator<Item = &'a [f32]>) {
        self.clear(rows, lines.len());
        for (column, line) in lines.enumerate() {
            let panel = &mut self.values[column / WIDTH * rows..][..rows];
            for (place, value) in panel.iter_mut().zip(line) {
                place[column % WIDTH] = *value;
            }
        }
    }

    /// `lines` are the rows of the matrix, of `columns` values each.
    pub(crate) fn set_rows<'a>(&mut self, columns: usize, lines: impl ExactSizeIterator<Item = &'a [f32]>) {
        let rows = lines.len();
        self.clear(rows, columns);
        for (row, line) in lines.enumerate() {
            for (panel, values) in line.chunks(WIDTH).enumerate() {
                self.values[panel * rows + row][..values.len()].copy_from_slice(values);
            }
        }
    }

    fn clear(&mut self, rows: usize, columns: usize) {
        (self.rows, self.columns) = (rows, columns);
        self.halves.clear();
        self.values.clear();
        self.values.resize(rows * columns.div_ceil(WIDTH), [0.0; WIDTH]);
    }
}

/// Beyond this there is no number of 16 bits.
const LARGEST_HALF: f32 = 65_504.0;

/// The nearest number of 16 bits; a tie goes to the even one.
fn to_half(value: f32) -> u16 {
    /// Two to the -112: between the exponents of 32 and of 16 bits.
    const SHIFT: f32 = f32::from_bits((127 - 112) << 23);
    let bits = (value.abs() * SHIFT).to_bits();
    let sign = (value.to_bits() >> 16) as u16 & 0x8000;
    // The lowest 13 bits go.
    sign | ((bits + 0xfff + (bits >> 13 & 1)) >> 13) as u16
}

/// Numbers of 16 bits as they were.
#[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "the features were detected"))]
fn widen(machine: Machine, halves: &[[u16; WIDTH]], values: &mut [[f32; WIDTH]]) {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,f16c")]
    fn wide(halves: &[[u16; WIDTH]], values: &mut [[f32; WIDTH]]) {
        use std::arch::x86_64::{_mm_loadu_si128, _mm256_cvtph_ps, _mm256_storeu_ps};
        let (halves, _) = halves.as_flattened().as_chunks::<8>();
        let (values, _) = values.as_flattened_mut().as_chunks_mut::<8>();
        for (halves, values) in halves.iter().zip(values) {
            // SAFETY: eight halves are read and eight values written, which is
            // what the arrays are; neither has to be aligned.
            unsafe {
                let halves = _mm_loadu_si128(halves.as_ptr().cast());
                _mm256_storeu_ps(values.as_mut_ptr(), _mm256_cvtph_ps(halves));
            }
        }
    }

    match machine {
        // SAFETY: `Machine::Avx2` is only made by `detect`.
        #[cfg(target_arch = "x86_64")]
        Machine::Avx2 => unsafe { wide(halves, values) },
        Machine::Plain => {
            unreachable!("{} panels of 16 bits on a plain machine", halves.len() + values.len())
        }
    }
}

/// Rows of numbers inside a larger table.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) values: &'a [f32],
    /// From the beginning of one row to the beginning of the next.
    pub(crate) stride: usize,
    pub(crate) count: usize,
}

/// `output = input x panels + bias`, the bias once per row. The output has its
/// own stride; what lies between its rows is not touched.
pub(crate) fn multiply(
    machine: Machine,
    input: Rows<'_>,
    panels: &Panels,
    bias: Option<&[f32]>,
    output: &mut [f32],
    stride: usize,
) {
    if input.count < HEIGHT {
        return multiply_few(machine, input, panels, bias, output, stride);
    }
    let mut room = Vec::new();
    for first in (0..input.count).step_by(ROUND) {
        let rows = first..(first + ROUND).min(input.count);
        for column in (0..panels.columns).step_by(WIDTH) {
            let panel = panels.panel(machine, column, &mut room);
            let columns = column..(column + WIDTH).min(panels.columns);
            let mut start = [0.0; WIDTH];
            if let Some(bias) = bias {
                start[..columns.len()].copy_from_slice(&bias[columns.clone()]);
            }
            multiply_panel(machine, input, rows.clone(), panel, start, output, stride, columns);
        }
    }
}

/// Fewer rows than are multiplied together: the rest is zeros.
fn multiply_few(
    machine: Machine,
    input: Rows<'_>,
    panels: &Panels,
    bias: Option<&[f32]>,
    output: &mut [f32],
    stride: usize,
) {
    let (rows, columns) = (panels.rows, panels.columns);
    let mut padded = vec![0.0; HEIGHT * rows];
    for row in 0..input.count {
        padded[row * rows..][..rows].copy_from_slice(&input.values[row * input.stride..][..rows]);
    }
    let mut products = vec![0.0; HEIGHT * columns];
    let padded = Rows { values: &padded, stride: rows, count: HEIGHT };
    multiply(machine, padded, panels, bias, &mut products, columns);
    for row in 0..input.count {
        output[row * stride..][..columns].copy_from_slice(&products[row * columns..][..columns]);
    }
}

tuned! {
    /// Some rows of the input times one panel: these columns of the output. The
    /// last block reaches back to be full, so that a few rows are computed
    /// twice and come out the same.
    #[expect(clippy::too_many_arguments, reason = "the inside of `multiply`")]
    fn multiply_panel(
        input: Rows<'_>,
        rows: Range<usize>,
        panel: &[[f32; WIDTH]],
        start: [f32; WIDTH],
        output: &mut [f32],
        stride: usize,
        columns: Range<usize>,
    ) {
        for row in rows.step_by(HEIGHT) {
            let row = row.min(input.count - HEIGHT);
            let sums = block::<FUSED>(&input.values[row * input.stride..], input.stride, panel, start);
            for (high, sums) in sums.iter().enumerate() {
                let place = &mut output[(row + high) * stride..][columns.clone()];
                place.copy_from_slice(&sums[..columns.len()]);
            }
        }
    }
}

/// `HEIGHT` rows times one panel: the sums stay in registers.
#[inline(always)]
fn block<const FUSED: bool>(
    input: &[f32],
    stride: usize,
    panel: &[[f32; WIDTH]],
    start: [f32; WIDTH],
) -> [[f32; WIDTH]; HEIGHT] {
    let row = |row: usize| &input[row * stride..][..panel.len()];
    let (a, b, c, d, e, f) = (row(0), row(1), row(2), row(3), row(4), row(5));
    // Six variables, not a loop: the compiler then keeps each in registers.
    let [mut a_sums, mut b_sums, mut c_sums, mut d_sums, mut e_sums, mut f_sums] = [start; HEIGHT];
    for (at, values) in panel.iter().enumerate() {
        add_line::<FUSED>(a[at], values, &mut a_sums);
        add_line::<FUSED>(b[at], values, &mut b_sums);
        add_line::<FUSED>(c[at], values, &mut c_sums);
        add_line::<FUSED>(d[at], values, &mut d_sums);
        add_line::<FUSED>(e[at], values, &mut e_sums);
        add_line::<FUSED>(f[at], values, &mut f_sums);
    }
    [a_sums, b_sums, c_sums, d_sums, e_sums, f_sums]
}

#[inline(always)]
fn add_line<const FUSED: bool>(factor: f32, values: &[f32; WIDTH], sums: &mut [f32; WIDTH]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum = add_product::<FUSED>(factor, *value, *sum);
    }
}

tuned! {
    /// The exact form of the activation, `x/2 (1 + erf(x / sqrt 2))`, with the
    /// error function of Abramowitz and Stegun 7.1.26 (off by less than 2e-7).
    fn gelu(values: &mut [f32]) {
        for value in values {
            let scaled = value.abs() * std::f32::consts::FRAC_1_SQRT_2;
            let t = 1.0 / add_product::<FUSED>(0.327_591_1, scaled, 1.0);
            let mut sum = add_product::<FUSED>(1.061_405_4, t, -1.453_152);
            sum = add_product::<FUSED>(sum, t, 1.421_413_7);
            sum = add_product::<FUSED>(sum, t, -0.284_496_74);
            sum = add_product::<FUSED>(sum, t, 0.254_829_6);
            let erf = (1.0 - sum * t * exp::<FUSED>(-scaled * scaled)).copysign(*value);
            *value = 0.5 * *value * (1.0 + erf);
        }
    }
}

tuned! {
    /// Each row of `width` becomes weights that add up to one, after its values
    /// were multiplied by `scale`.
    fn softmax(values: &mut [f32], width: usize, scale: f32) {
        for row in values.chunks_exact_mut(width) {
            let highest = lanes(row, f32::NEG_INFINITY, f32::max);
            for value in row.iter_mut() {
                *value = exp::<FUSED>((*value - highest) * scale);
            }
            let share = 1.0 / lanes(row, 0.0, |a, b| a + b);
            for value in row.iter_mut() {
                *value *= share;
            }
        }
    }
}

tuned! {
    /// Adds `added` to `values`, then brings each row to mean 0 and variance 1,
    /// times `weight` plus `bias`. The rows are as wide as `weight`.
    fn add_and_normalise(values: &mut [f32], added: &[f32], weight: &[f32], bias: &[f32]) {
        let width = weight.len();
        for (row, added) in values.chunks_exact_mut(width).zip(added.chunks_exact(width)) {
            for (value, added) in row.iter_mut().zip(added) {
                *value += added;
            }
            let mean = lanes(row, 0.0, |a, b| a + b) / width as f32;
            for value in row.iter_mut() {
                *value -= mean;
            }
            let mut squares = [0.0; WIDTH];
            for chunk in row.chunks(WIDTH) {
                for (square, value) in squares.iter_mut().zip(chunk) {
                    *square = add_product::<FUSED>(*value, *value, *square);
                }
            }
            let scale = 1.0 / (squares.iter().sum::<f32>() / width as f32 + NORM_FLOOR).sqrt();
            for ((value, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
                *value = add_product::<FUSED>(*value * scale, *weight, *bias);
            }
        }
    }
}

/// Added to a variance before its root is divided by; the value of all BERT
/// models.
const NORM_FLOOR: f32 = 1e-12;

/// Folds a row in `WIDTH` lanes, so that the order of the sums is the vector's.
#[inline(always)]
fn lanes(row: &[f32], start: f32, fold: impl Fn(f32, f32) -> f32) -> f32 {
    let mut sums = [start; WIDTH];
    let (chunks, rest) = row.as_chunks::<WIDTH>();
    for chunk in chunks {
        for (sum, value) in sums.iter_mut().zip(chunk) {
            *sum = fold(*sum, *value);
        }
    }
    for (sum, value) in sums.iter_mut().zip(rest) {
        *sum = fold(*sum, *value);
    }
    sums.into_iter().fold(start, fold)
}

/// e to the `x` for `x` of at most 0, in steps a vector unit can do: a power of
/// two by its bits, times a polynomial for the rest. Off by less than 3e-7 of
/// its value.
#[inline(always)]
fn exp<const FUSED: bool>(x: f32) -> f32 {
    /// Adding it leaves the nearest whole number in the low bits.
    const ROUNDER: f32 = 12_582_912.0;
    let x = x.max(-87.0);
    let shifted = add_product::<FUSED>(x, std::f32::consts::LOG2_E, ROUNDER);
    let whole = shifted - ROUNDER;
    let rest = add_product::<FUSED>(whole, -0.693_359_4, x);
    let rest = add_product::<FUSED>(whole, 2.121_944_4e-4, rest);
    let mut sum = add_product::<FUSED>(1.987_569_1e-4, rest, 1.398_2e-3);
    sum = add_product::<FUSED>(sum, rest, 8.333_452e-3);
    sum = add_product::<FUSED>(sum, rest, 4.166_579_6e-2);
    sum = add_product::<FUSED>(sum, rest, 0.166_666_65);
    sum = add_product::<FUSED>(sum, rest, 0.5);
    sum = add_product::<FUSED>(sum * rest, rest, rest + 1.0);
    f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23)) * sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny::noise;

    fn machines() -> Vec<Machine> {
        vec![Machine::Plain, Machine::detect()]
    }

    #[test]
    fn a_product_is_the_sum_of_products_for_every_shape_and_machine() {
        for machine in machines() {
            for (count, inner, columns) in [(1, 1, 1), (5, 7, 16), (6, 16, 17), (13, 33, 40), (100, 20, 3)] {
                let (input, lines) = (noise(1, count * (inner + 2)), noise(2, inner * columns));
                let bias = noise(3, columns);
                let panels = Panels::of_columns(inner, lines.chunks_exact(inner));
                let mut output = vec![9.0; count * (columns + 1)];
                let rows = Rows { values: &input, stride: inner + 2, count };
                multiply(machine, rows, &panels, Some(&bias), &mut output, columns + 1);
                for row in 0..count {
                    for column in 0..columns {
                        let mut expected = f64::from(bias[column]);
                        for k in 0..inner {
                            let (a, b) = (input[row * (inner + 2) + k], lines[column * inner + k]);
                            expected += f64::from(a) * f64::from(b);
                        }
                        let found = f64::from(output[row * (columns + 1) + column]);
                        assert!((found - expected).abs() < 1e-5, "{machine:?}: {found}, not {expected}");
                    }
                    assert_eq!(output[row * (columns + 1) + columns], 9.0);
                }
            }
        }
    }

    #[test]
    fn a_number_of_sixteen_bits_survives_and_any_other_goes_to_the_nearest() {
        // What the bits mean: sign, five of exponent, ten behind the point.
        let meaning = |half: u16| {
            let (exponent, fraction) = (i32::from(half >> 10 & 0x1f), f64::from(half & 0x3ff) / 1024.0);
            let size = if exponent == 0 {
                fraction * 2_f64.powi(-14)
            } else {
                (1.0 + fraction) * 2_f64.powi(exponent - 15)
            };
            (if half & 0x8000 == 0 { size } else { -size }) as f32
        };
        let finite: Vec<u16> = (0..=u16::MAX).filter(|half| half & 0x7c00 != 0x7c00).collect();
        for half in &finite {
            assert_eq!(to_half(meaning(*half)), *half);
        }
        for value in noise(4, 1000).into_iter().map(|value| value * 0.0371) {
            let near = to_half(value);
            let distance = |half: u16| (meaning(half) - value).abs();
            assert!(distance(near) <= distance(near - 1) && distance(near) <= distance(near + 1), "{value}");
        }
        if Machine::detect() != Machine::Plain {
            let (halves, _) = finite.as_chunks::<WIDTH>();
            let mut values = vec![[0.0; WIDTH]; halves.len()];
            widen(Machine::detect(), halves, &mut values);
            assert!(values.as_flattened().iter().zip(&finite).all(|(value, half)| *value == meaning(*half)));
        }
    }

    #[test]
    fn a_matrix_of_sixteen_bits_is_multiplied_as_any_other() {
        let (input, lines) = (noise(1, 7 * 33), noise(2, 33 * 20));
        let rows = Rows { values: &input, stride: 33, count: 7 };
        let panels = || Panels::of_columns(33, lines.chunks_exact(33));
        let (mut whole, mut halved) = (vec![0.0; 7 * 20], vec![0.0; 7 * 20]);
        multiply(Machine::detect(), rows, &panels(), None, &mut whole, 20);
        multiply(Machine::detect(), rows, &panels().halved(Machine::detect()), None, &mut halved, 20);
        assert_eq!(whole, halved);
    }

    #[test]
    fn rows_and_columns_lay_out_the_same_matrix() {
        let columns = noise(5, 7 * 21);
        let rows: Vec<f32> = (0..7 * 21).map(|at| columns[at % 21 * 7 + at / 21]).collect();
        let by_columns = Panels::of_columns(7, columns.chunks_exact(7));
        let mut by_rows = Panels::default();
        by_rows.set_rows(21, rows.chunks_exact(21));
        assert_eq!(by_columns.values, by_rows.values);
    }

    #[test]
    fn the_activation_is_exact_to_seven_digits() {
        for machine in machines() {
            // The normal distribution by its series, in double precision.
            for step in -60..=60 {
                let x = f64::from(step) / 10.0;
                let (mut term, mut sum) = (x, x);
                for k in 1..200 {
                    term *= -x * x / (2.0 * f64::from(k));
                    sum += term / f64::from(2 * k + 1);
                }
                let expected = x * (0.5 + sum / (2.0 * std::f64::consts::PI).sqrt());
                let mut value = [x as f32];
                gelu(machine, &mut value);
                assert!((f64::from(value[0]) - expected).abs() < 2e-6, "{x}: {value:?}, not {expected}");
            }
        }
    }

    #[test]
    fn weights_add_up_to_one_and_keep_their_order() {
        for machine in machines() {
            let mut values: Vec<f32> = (0..38).map(|at| at as f32 / 3.0).collect();
            let expected: Vec<f64> = values[19..].iter().map(|x| (f64::from(*x) * 0.5).exp()).collect();
            let sum: f64 = expected.iter().sum();
            softmax(machine, &mut values, 19, 0.5);
            for (found, expected) in values[19..].iter().zip(&expected) {
                assert!((f64::from(*found) - expected / sum).abs() < 1e-6);
            }
            let mut far = [0.0, -1000.0];
            softmax(machine, &mut far, 2, 1.0);
            assert!(far[0] == 1.0 && far[1] < 1e-30);
        }
    }

    #[test]
    fn a_normalised_row_has_mean_zero_and_variance_one() {
        for machine in machines() {
            let (mut values, added) = (noise(8, 3 * 21), noise(9, 3 * 21));
            add_and_normalise(machine, &mut values, &added, &[2.0; 21], &[0.5; 21]);
            for row in values.chunks_exact(21) {
                let mean = row.iter().sum::<f32>() / 21.0;
                let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / 21.0;
                assert!((mean - 0.5).abs() < 1e-5 && (variance - 4.0).abs() < 1e-3, "{mean} {variance}");
            }
        }
    }
}
