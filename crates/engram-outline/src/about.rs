//! What a doc comment says in its first sentence, if that is short.
//!
//! Knows the marks of comments of every language here, and no grammar.

/// A longer first sentence is left out rather than cut: half a sentence may
/// say the opposite.
const MAX_CHARS: usize = 110;

/// The first sentence of a comment, or of a Python doc string.
pub(crate) fn first_sentence(comment: &str) -> Option<String> {
    let mut sentence = String::new();
    for line in comment.lines() {
        let line = without_marks(line);
        if line.is_empty() || line.starts_with('@') {
            if sentence.is_empty() {
                continue;
            }
            break;
        }
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        sentence.push_str(line);
        if let Some(end) = end_of_sentence(&sentence) {
            sentence.truncate(end);
            break;
        }
        if sentence.len() > 8 * MAX_CHARS {
            return None;
        }
    }
    let sentence = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
    let says_something = sentence.chars().any(char::is_alphabetic);
    (says_something && sentence.chars().count() <= MAX_CHARS).then_some(sentence)
}

fn without_marks(line: &str) -> &str {
    let mut line = line.trim();
    for mark in ["///", "//!", "/**", "/*!", "//", "/*", "#"] {
        if let Some(rest) = line.strip_prefix(mark) {
            line = rest;
            break;
        }
    }
    line = line.trim_end_matches("*/").trim();
    for quote in ["\"\"\"", "'''"] {
        line = line.trim_start_matches(['r', 'R', 'u', 'U']).strip_prefix(quote).unwrap_or(line);
        line = line.strip_suffix(quote).unwrap_or(line);
    }
    line = line.strip_prefix("* ").unwrap_or(line);
    if line == "*" {
        return "";
    }
    for tag in ["<summary>", "</summary>", "<p>"] {
        line = line.trim().trim_start_matches(tag).trim_end_matches(tag);
    }
    line.trim()
}

/// Past the first full stop that ends a sentence. One inside "e.g." or
/// "std.fs" does not.
fn end_of_sentence(text: &str) -> Option<usize> {
    text.match_indices(['.', '!', '?']).map(|(at, _)| at + 1).find(|&end| {
        let word = text[..end].rsplit(' ').next().unwrap_or("");
        let shortened = word[..word.len() - 1].contains('.') || word.eq_ignore_ascii_case("etc.");
        !shortened && (end == text.len() || text[end..].starts_with(' '))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(comment: &str, expected: Option<&str>) {
        assert_eq!(first_sentence(comment).as_deref(), expected);
    }

    #[test]
    fn the_first_sentence_is_kept_and_the_second_is_not() {
        check("/// Adds one. Adds two.", Some("Adds one."));
        check("/// Adds\n/// one.\n/// More.", Some("Adds one."));
        check("/**\n * Adds one\n * @param x\n */", Some("Adds one"));
        check("\"\"\"Adds one.\n\nMore.\"\"\"", Some("Adds one."));
        check("// Adds, e.g. one. Two.", Some("Adds, e.g. one."));
    }

    #[test]
    fn a_long_or_empty_sentence_is_left_out() {
        check(&format!("/// {}", "word ".repeat(40)), None);
        check("//////////", None);
        check("", None);
    }
}
