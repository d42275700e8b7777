//! Whether a version that a text names is within what a manifest asks for.
//!
//! Reads the ranges of the common package tools: carets, tildes, bounds,
//! wildcards, alternatives. It does not know whose range it is; a bare version
//! is that version and every finer one.

/// Major, minor, patch; what is finer never decides here.
type Version = [u64; 3];

/// From the first, inclusive, to the second, exclusive.
#[derive(Debug, Clone, Copy)]
struct Span {
    from: Version,
    until: Version,
}

const EVERYTHING: Span = Span { from: [0; 3], until: [u64::MAX; 3] };

impl Span {
    fn meet(self, other: Span) -> Span {
        Span { from: self.from.max(other.from), until: self.until.min(other.until) }
    }

    fn is_empty(self) -> bool {
        self.from >= self.until
    }
}

/// Whether the two have a version in common. `None` if `asks` bounds nothing
/// or is no range ("latest", "workspace:*"), so that it states no version.
pub(super) fn is_within(claimed: &str, asks: &str) -> Option<bool> {
    let claimed = written(claimed)?.whole();
    let alternatives: Option<Vec<Span>> = asks.split("||").map(span_of).collect();
    let alternatives = alternatives?;
    Some(alternatives.into_iter().any(|span| !span.meet(claimed).is_empty()))
}

/// All that one alternative asks for at once.
fn span_of(text: &str) -> Option<Span> {
    let mut found: Option<Span> = None;
    let mut pieces = text.split([',', ' ']).filter(|piece| !piece.is_empty()).peekable();
    while let Some(piece) = pieces.next() {
        if piece == "-" {
            // "1.2 - 2.3": what was before is where it begins.
            let end = written(pieces.next()?)?.whole().until;
            let from = found?.from;
            found = Some(Span { from, until: end });
            continue;
        }
        let cut = piece.find(|mark: char| !"^~=<>!".contains(mark)).unwrap_or(piece.len());
        let (sign, rest) = piece.split_at(cut);
        let rest = if rest.is_empty() { pieces.next()? } else { rest };
        let bounds = bounds_of(sign, rest)?;
        found = Some(found.unwrap_or(EVERYTHING).meet(bounds));
    }
    found
}

fn bounds_of(sign: &str, version: &str) -> Option<Span> {
    if version.starts_with(['*', 'x', 'X']) {
        return None;
    }
    let version = written(version)?;
    let whole = version.whole();
    let from = whole.from;
    Some(match sign {
        "" | "=" | "==" | "===" => whole,
        "^" => Span { from, until: version.caret() },
        "~" => Span { from, until: version.bumped(version.places.min(2) - 1) },
        "~=" | "~>" => Span { from, until: version.bumped(version.places.saturating_sub(2)) },
        ">=" => Span { from, ..EVERYTHING },
        ">" => Span { from: whole.until, ..EVERYTHING },
        "<" => Span { until: from, ..EVERYTHING },
        "<=" => Span { until: whole.until, ..EVERYTHING },
        "!=" => EVERYTHING,
        _ => return None,
    })
}

/// A version with as many places as were written.
struct Written {
    numbers: Version,
    /// 1 to 3.
    places: usize,
}

/// Reads as far as there are numbers: `20.11-alpine` is 20.11, `18.x` is 18.
fn written(text: &str) -> Option<Written> {
    let text = text.trim().trim_start_matches(['v', 'V']);
    let mut numbers = [0; 3];
    let mut places = 0;
    for part in text.split('.').take(3) {
        let digits = part.find(|mark: char| !mark.is_ascii_digit()).unwrap_or(part.len());
        let Ok(number) = part[..digits].parse() else { break };
        numbers[places] = number;
        places += 1;
        if digits < part.len() {
            break;
        }
    }
    (places > 0).then_some(Written { numbers, places })
}

impl Written {
    /// It and every finer version: 18 is everything from 18.0.0 to before 19.
    fn whole(&self) -> Span {
        Span { from: self.numbers, until: self.bumped(self.places - 1) }
    }

    /// The first version in which this place is one more.
    fn bumped(&self, place: usize) -> Version {
        let mut next = [0; 3];
        next[..=place].copy_from_slice(&self.numbers[..=place]);
        next[place] = next[place].saturating_add(1);
        next
    }

    /// The first place that is not zero stays as it is.
    fn caret(&self) -> Version {
        let first = self.numbers[..self.places].iter().position(|number| *number > 0);
        self.bumped(first.unwrap_or(self.places - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_claimed_version_is_held_against_what_is_asked_for() {
        for (claimed, asks, expected) in [
            ("18", "^18.2.0", Some(true)),
            ("18.3", "^18.2.0", Some(true)),
            ("18.1", "^18.2.0", Some(false)),
            ("18", "^19.0.0", Some(false)),
            ("1.38", "1.38.4", Some(true)),
            ("1.38", "1.54.1", Some(false)),
            ("3.12", ">=3.10", Some(true)),
            ("3.8", ">=3.10", Some(false)),
            ("3.12", ">=3.10,<3.12", Some(false)),
            ("3.12", ">= 3.10, < 3.13", Some(true)),
            ("20.11", "v20.11.1", Some(true)),
            ("20", "20-alpine", Some(true)),
            ("16", "15.4", Some(false)),
            ("1.2", "~1.2.3", Some(true)),
            ("1.3", "~1.2.3", Some(false)),
            ("1.9", "~1", Some(true)),
            ("1.5", "~=1.4", Some(true)),
            ("1.5", "~=1.4.2", Some(false)),
            ("0.3", "^0.2.3", Some(false)),
            ("0.2.9", "^0.2.3", Some(true)),
            ("0.0.4", "^0.0.3", Some(false)),
            ("17", "^16.0.0 || ^17.0.0", Some(true)),
            ("18", "16 - 17", Some(false)),
            ("17.2", "16 - 17", Some(true)),
            ("18", "18.x", Some(true)),
            ("2", "<=2", Some(true)),
            ("2", ">2", Some(false)),
            ("2", "!=2.1", Some(true)),
            ("18", "latest", None),
            ("18", "workspace:*", None),
            ("18", "*", None),
            ("18", "", None),
            ("lts", "^18", None),
        ] {
            assert_eq!(is_within(claimed, asks), expected, "{claimed} in {asks}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

        #[test]
        fn a_version_is_within_itself_and_what_it_is_a_part_of(numbers in prop::array::uniform3(0u64..40)) {
            let [major, minor, patch] = numbers;
            let full = format!("{major}.{minor}.{patch}");
            for asks in [full.clone(), format!("^{full}"), format!("~{full}"), format!(">={full}"), format!("{major}.{minor}")] {
                prop_assert_eq!(is_within(&full, &asks), Some(true), "{} in {}", full, asks);
            }
            let above = format!(">{full}");
            prop_assert_eq!(is_within(&full, &above), Some(false));
        }

        #[test]
        fn no_range_is_too_odd_to_be_read(claimed in "[0-9v.x*]{0,12}", asks in "[0-9^~<>=!|, .x*a-]{0,24}") {
            is_within(&claimed, &asks);
        }
    }
}
