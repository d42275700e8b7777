//! Which lines of a text change: what is shown before something is written.

use serde::Serialize;

/// One line that is added or taken away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Line {
    /// `+` or `-`.
    pub(crate) sign: char,
    /// From 1, in the text it belongs to.
    pub(crate) number: usize,
    pub(crate) text: String,
}

/// Above so many comparisons, whatever differs is one block.
const COMPARISONS: usize = 4_000_000;

/// A line of so many characters is shown as a whole; of a longer one, so many
/// around what differs.
const LONGEST: usize = 160;
const AROUND: usize = 12;

/// The lines that differ, in the order in which they are read.
pub(crate) fn changed_lines(before: &str, after: &str) -> Vec<Line> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let head = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let shorter = old.len().min(new.len()) - head;
    let tail =
        old.iter().rev().zip(new.iter().rev()).take(shorter).take_while(|(old, new)| old == new).count();
    let (old_mid, new_mid) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);

    let line = |sign, number: usize, text: &str| Line { sign, number: number + 1, text: text.to_owned() };
    let kept = common(old_mid, new_mid);
    let mut lines = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (old_next, new_next) in kept.into_iter().chain([(old_mid.len(), new_mid.len())]) {
        let (gone, fresh) = (&old_mid[i..old_next], &new_mid[j..new_next]);
        let other = |lines: &[&str], at: usize| lines.get(at).copied().unwrap_or_default().to_owned();
        lines.extend((0..gone.len()).map(|at| line('-', head + i + at, &shown(gone[at], &other(fresh, at)))));
        lines
            .extend((0..fresh.len()).map(|at| line('+', head + j + at, &shown(fresh[at], &other(gone, at)))));
        (i, j) = (old_next + 1, new_next + 1);
    }
    lines
}

/// A long line is shown only where it differs: in a file of one line everything
/// is on it, and much of that is nobody's business here.
fn shown(text: &str, other: &str) -> String {
    let (text_chars, other): (Vec<char>, Vec<char>) = (text.chars().collect(), other.chars().collect());
    if text_chars.len() <= LONGEST {
        return text.to_owned();
    }
    let head = text_chars.iter().zip(&other).take_while(|(one, two)| one == two).count();
    let most = text_chars.len().min(other.len()) - head;
    let ends = text_chars.iter().rev().zip(other.iter().rev());
    let tail = ends.take(most).take_while(|(one, two)| one == two).count();
    let from = head.saturating_sub(AROUND);
    let to = (text_chars.len() - tail + AROUND).min(text_chars.len());
    let middle: String = text_chars[from..to].iter().collect();
    let dots = |cut: bool| if cut { "…" } else { "" };
    format!("{}{middle}{}", dots(from > 0), dots(to < text_chars.len()))
}

/// The longest run of lines that both have, as pairs of places.
fn common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    if old.is_empty() || new.is_empty() || old.len().saturating_mul(width) > COMPARISONS {
        return Vec::new();
    }
    let mut longest = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i * width + j] = if old[i] == new[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut pairs, mut i, mut j) = (Vec::new(), 0, 0);
    while i < old.len() && j < new.len() {
        if old[i] == new[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(before: &str, after: &str) -> Vec<String> {
        changed_lines(before, after)
            .into_iter()
            .map(|line| format!("{}{} {}", line.sign, line.number, line.text))
            .collect()
    }

    #[test]
    fn only_lines_that_differ_are_told() {
        assert!(told("a\nb\n", "a\nb\n").is_empty());
        assert_eq!(told("a\nb\nc\n", "a\nx\nb\ny\nc\n"), ["+2 x", "+4 y"]);
        assert_eq!(told("{\n  1\n}\n", "{\n  1,\n  2\n}\n"), ["-2   1", "+2   1,", "+3   2"]);
        assert_eq!(told("", "a\n"), ["+1 a"]);
        assert_eq!(told("a\na\n", "a\n"), ["-2 a"]);
    }

    #[test]
    fn of_a_long_line_only_the_difference_is_told() {
        let long = |middle: &str| format!("{{\"key\": \"secret{}\"{middle}}}", "x".repeat(200));
        let told = told(&long(""), &long(", \"k\": 1"));
        assert_eq!(told, ["-1 …xxxxxxxxxxx\"}", "+1 …xxxxxxxxxxx\", \"k\": 1}"]);
    }
}
