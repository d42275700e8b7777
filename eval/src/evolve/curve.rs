//! A row of numbers as a line of text.

/// From low to high.
const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The values, each as a bar between the lowest and the highest of them, and
/// all in the middle where they are the same.
pub(crate) fn spark(values: &[f64]) -> String {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let step = |value: &f64| match high - low {
        range if range > 1e-9 => ((value - low) / range * 7.0).round() as usize,
        _ => 3,
    };
    values.iter().map(|value| STEPS[step(value).min(7)]).collect()
}

/// The same with the first and the last value, as shares are written.
pub(crate) fn told(values: &[f64]) -> String {
    match (values.first(), values.last()) {
        (Some(first), Some(last)) => format!("{} {first:.3} -> {last:.3}", spark(values)),
        _ => "nothing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_is_low_and_the_highest_high() {
        assert_eq!(spark(&[0.0, 0.5, 1.0]), "▁▅█");
        assert_eq!(spark(&[0.7, 0.7]), "▄▄");
        assert_eq!(told(&[0.25, 0.5]), "▁█ 0.250 -> 0.500");
        assert_eq!(told(&[]), "nothing");
    }
}
