//! The public items of C++, C# and PHP files, read by their braces.
//!
//! Knows no grammar: those of C++ and C# would add more to the program than
//! all others here together. What stands before a `{` or a `;` in a namespace
//! or a class is a head, and a head says by its words what it is. Macros that
//! do not pair their braces are read wrongly.

use crate::parse::{MAX_DEPTH, Page};
use crate::{ItemKind, Language};

/// A longer head is a table of values or broken.
const MAX_HEAD: usize = 2_000;

pub(crate) fn read(page: &mut Page, language: Language) {
    let plain = without_comments_and_strings(page.text, language);
    // One room for each open brace; the file itself is the first.
    let mut rooms = vec![Room { kind: Within::Open, public: true }];
    let mut start = 0;
    for (at, byte) in plain.bytes().enumerate() {
        let depth = rooms.len();
        let room = &rooms[depth - 1];
        match byte {
            b'{' => {
                let next = opened(page, language, &plain, start..at, room, depth);
                rooms.push(next);
                start = at + 1;
            }
            b'}' => {
                // A brace too many closes nothing.
                if depth > 1 {
                    rooms.pop();
                }
                start = at + 1;
            }
            b';' => {
                if room.is_read(depth) {
                    statement(page, language, &plain, start..at, room);
                }
                start = at + 1;
            }
            b':' if language == Language::Cpp => {
                let label = plain[start..at].trim();
                let public = label == "public";
                if public || matches!(label, "private" | "protected") {
                    rooms[depth - 1].public = public;
                    start = at + 1;
                }
            }
            _ => {}
        }
    }
}

struct Room {
    kind: Within,
    /// Whether what comes next in it is public, in C++.
    public: bool,
}

enum Within {
    /// A file or a namespace.
    Open,
    Type {
        name: String,
        is_trait: bool,
    },
    /// A body, a list of values: nothing in it is looked at.
    Closed,
}

impl Room {
    fn is_read(&self, depth: usize) -> bool {
        depth <= MAX_DEPTH && !matches!(self.kind, Within::Closed)
    }

    fn owner(&self) -> Option<&str> {
        match &self.kind {
            Within::Type { name, .. } => Some(name),
            _ => None,
        }
    }
}

fn opened(
    page: &mut Page,
    language: Language,
    plain: &str,
    range: std::ops::Range<usize>,
    room: &Room,
    depth: usize,
) -> Room {
    let closed = Room { kind: Within::Closed, public: false };
    if !room.is_read(depth) {
        return closed;
    }
    let (head, about) = head_at(page.text, plain, range);
    let words = words_of(&head);
    // Nobody outside of the file reaches into a namespace without a name.
    if words == ["namespace"] {
        return closed;
    }
    if words.contains(&"namespace") || words.first() == Some(&"extern") && words.len() <= 2 {
        return Room { kind: Within::Open, public: true };
    }
    let before_call = head.split('(').next().unwrap_or(&head);
    let type_word = words_of(before_call).into_iter().position(|word| {
        matches!(word, "class" | "struct" | "union" | "interface" | "trait" | "enum" | "record")
    });
    if let Some(at) = type_word {
        let kind = words[at];
        let scoped = kind == "enum" && matches!(words.get(at + 1), Some(&"class" | &"struct"));
        let name = words.get(at + 1 + usize::from(scoped)).copied().unwrap_or_default().to_owned();
        let item = match kind {
            "class" => ItemKind::Class,
            "interface" | "trait" => ItemKind::Trait,
            _ => ItemKind::Type,
        };
        if name.is_empty() || !is_public(language, &words, room) {
            return closed;
        }
        page.add(item, &name, room.owner(), shown(&head), about.as_deref());
        if kind == "enum" {
            return closed;
        }
        let public = kind != "class";
        return Room { kind: Within::Type { name, is_trait: item == ItemKind::Trait }, public };
    }
    function(page, language, &head, about.as_deref(), room, false);
    closed
}

fn statement(page: &mut Page, language: Language, plain: &str, range: std::ops::Range<usize>, room: &Room) {
    let (head, about) = head_at(page.text, plain, range);
    function(page, language, &head, about.as_deref(), room, true);
}

/// Adds a function or a method, if the head is one.
fn function(
    page: &mut Page,
    language: Language,
    head: &str,
    about: Option<&str>,
    room: &Room,
    without_body: bool,
) {
    let Some((before, _)) = head.split_once('(') else { return };
    let words = words_of(before);
    let name = words.last().copied().unwrap_or_default().trim_start_matches(['*', '&']);
    // `x = f(y)` is a value, `return f(y)` a statement, `A::f` told in its class.
    let no_function = before.contains(['=', '.', '#', '"'])
        || before.contains("->")
        || (language == Language::Cpp && name.contains("::"))
        || words.iter().any(|word| {
            matches!(
                *word,
                "return"
                    | "if"
                    | "while"
                    | "for"
                    | "switch"
                    | "using"
                    | "typedef"
                    | "new"
                    | "delete"
                    | "friend"
            )
        });
    let named = name.starts_with(|letter: char| letter.is_alphabetic() || matches!(letter, '_' | '~'))
        || words.contains(&"operator");
    let typed = match language {
        Language::Php => words.contains(&"function") && !name.is_empty() && name != "function",
        // A word alone is a call or a macro, and in a class a constructor.
        _ => words.len() > 1 || room.owner() == Some(name.trim_start_matches('~')),
    };
    // A prototype in the open is an offer in C++; elsewhere it is a call.
    let prototype = !without_body || room.owner().is_some() || language == Language::Cpp;
    if no_function || !named || !typed || !prototype || !is_public(language, &words, room) {
        return;
    }
    let kind = if room.owner().is_some() { ItemKind::Method } else { ItemKind::Function };
    page.add(kind, name, room.owner(), shown(head), about);
}

fn is_public(language: Language, words: &[&str], room: &Room) -> bool {
    let is_trait = matches!(room.kind, Within::Type { is_trait: true, .. });
    match language {
        Language::CSharp => is_trait || words.contains(&"public"),
        Language::Php => !words.contains(&"private") && !words.contains(&"protected"),
        _ => room.public && !(words.contains(&"static") && room.owner().is_none()),
    }
}

/// The head between two braces, and the comment above it.
///
/// `plain` has blanks for comments, byte for byte, so that a place in it is
/// the same place in the text.
fn head_at(text: &str, plain: &str, range: std::ops::Range<usize>) -> (String, Option<String>) {
    let part = &plain[range.clone()];
    // Attributes and a PHP opening belong to no head.
    let lines = part.lines().filter(|line| {
        let line = line.trim();
        let attribute = line.starts_with("#[") || (line.starts_with('[') && line.ends_with(']'));
        !line.is_empty() && !attribute && !line.starts_with("<?")
    });
    let head = lines.collect::<Vec<_>>().join("\n");
    if head.len() > MAX_HEAD || head.trim().is_empty() {
        return (String::new(), None);
    }
    let skipped = part.len() - part.trim_start().len();
    let above = text.get(range.start..range.start + skipped).unwrap_or_default();
    let start = ["///", "/**"].iter().filter_map(|mark| above.find(mark)).min();
    (head.trim().to_owned(), start.map(|start| above[start..].to_owned()))
}

fn shown(head: &str) -> &str {
    let head = head.strip_prefix("public ").unwrap_or(head);
    // What a C++ constructor sets is a part of its body.
    head.find(") :").map_or(head, |end| &head[..=end])
}

fn words_of(head: &str) -> Vec<&str> {
    head.split(|letter: char| letter.is_whitespace() || matches!(letter, '(' | ')' | ',' | '<' | '>'))
        // The quotes of a string whose inside is blank.
        .filter(|word| !word.is_empty() && !matches!(*word, "\"" | "\"\""))
        .map(|word| word.trim_end_matches(':'))
        .collect()
}

/// The text with blanks for comments and for what is inside strings, of the
/// same length in bytes. Line breaks stay.
fn without_comments_and_strings(text: &str, language: Language) -> String {
    let bytes = text.as_bytes();
    let mut plain = bytes.to_vec();
    let mut blank = |from: usize, to: usize| {
        for byte in plain.iter_mut().take(to).skip(from) {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    };
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let hash = language == Language::Php && rest[0] == b'#' && !rest.starts_with(b"#[");
        // `1'000` is a number in C++.
        let in_number = language == Language::Cpp && at > 0 && bytes[at - 1].is_ascii_digit();
        let quote = rest[0] == b'"' || (rest[0] == b'\'' && !in_number);
        let end = if language != Language::Php && rest[0] == b'#' {
            // Lines for the preprocessor; their braces need not pair.
            at + directive_length(rest)
        } else if rest.starts_with(b"//") || hash {
            at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            at + rest.windows(2).skip(2).position(|two| two == b"*/").map_or(rest.len(), |end| end + 4)
        } else if quote {
            at + quoted_length(rest)
        } else {
            at += 1;
            continue;
        };
        // The quotes stay, to show that a value was there.
        let inside = usize::from(quote);
        blank(at + inside, end.saturating_sub(inside).max(at + inside));
        at = end.max(at + 1);
    }
    // Where a string that is not closed ends with a longer letter, half of
    // that letter is left; such a text is broken anyway.
    String::from_utf8(plain).unwrap_or_else(|_| " ".repeat(text.len()))
}

/// To the end of the line, or of the last of those joined by a backslash.
fn directive_length(rest: &[u8]) -> usize {
    let ends = (0..rest.len()).filter(|&at| rest[at] == b'\n');
    ends.into_iter().find(|&at| !rest[..at].ends_with(b"\\")).unwrap_or(rest.len())
}

/// A string ends at its quote, or else at the end of its line.
fn quoted_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            b'\n' => return at,
            byte if byte == rest[0] => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}
