//! Blocks that a person marked as private: `<private>...</private>`.
//!
//! They go before anything else is looked at. In doubt more is dropped: a
//! block that is never closed reaches to the end of the text, and a block
//! inside another does not close the outer one.

use std::borrow::Cow;

/// The text without its private blocks, and how many there were.
pub(crate) fn dropped(text: &str) -> (Cow<'_, str>, usize) {
    let (mut left, mut blocks) = (Cow::Borrowed(text), 0);
    // What stood around a block may form a new tag once the block is gone.
    while let Some((shorter, found)) = pass(&left) {
        left = Cow::Owned(shorter);
        blocks += found;
    }
    (left, blocks)
}

fn pass(text: &str) -> Option<(String, usize)> {
    let mut kept = String::new();
    let (mut blocks, mut depth, mut done) = (0, 0usize, 0);
    for (start, _) in text.match_indices('<') {
        // A bracket inside the tag before it opens nothing.
        if start < done {
            continue;
        }
        match tag(&text[start..]) {
            Some(Tag::Open(length)) => {
                if depth == 0 {
                    blocks += 1;
                    kept.push_str(&text[done..start]);
                }
                depth += 1;
                done = start + length;
            }
            Some(Tag::Empty(length)) if depth == 0 => {
                blocks += 1;
                kept.push_str(&text[done..start]);
                done = start + length;
            }
            Some(Tag::Close(length)) if depth > 0 => {
                depth -= 1;
                done = start + length;
            }
            _ => (),
        }
    }
    (blocks > 0).then(|| {
        kept.push_str(if depth == 0 { &text[done..] } else { "" });
        (kept, blocks)
    })
}

/// A tag, and how long it is.
enum Tag {
    Open(usize),
    /// `<private/>`
    Empty(usize),
    Close(usize),
}

/// How long the attributes of a tag may be, in bytes.
const LONGEST: usize = 1_000;

fn tag(text: &str) -> Option<Tag> {
    if let Some(rest) = after(text, "</private") {
        let end = rest.trim_start();
        return end.starts_with('>').then(|| Tag::Close(text.len() - end.len() + 1));
    }
    let rest = after(text, "<private")?;
    if !rest.starts_with(|next: char| next == '>' || next == '/' || next.is_whitespace()) {
        return None;
    }
    let close = rest.bytes().take(LONGEST).position(|byte| byte == b'>')?;
    let length = text.len() - rest.len() + close + 1;
    Some(if rest[..close].trim() == "/" { Tag::Empty(length) } else { Tag::Open(length) })
}

/// What follows `start`, which is there in upper or lower case.
fn after<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let found = text.get(..start.len())?;
    found.eq_ignore_ascii_case(start).then(|| &text[start.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, left: &str, blocks: usize) {
        let (found, count) = dropped(text);
        assert_eq!((found.as_ref(), count), (left, blocks), "{text}");
    }

    #[test]
    fn a_private_block_goes_whole() {
        check("a <private>b</private> c", "a  c", 1);
        check("a <PRIVATE reason=\"mine\">b\nb</Private > c<private>d</private>", "a  c", 2);
        check("nothing here", "nothing here", 0);
    }

    #[test]
    fn an_unclosed_block_reaches_to_the_end() {
        check("a <private>b c", "a ", 1);
        check("a <private>b <private>c</private> d", "a ", 1);
    }

    #[test]
    fn a_block_inside_another_does_not_close_it() {
        check("a<private>b<private>c</private>d</private>e", "ae", 1);
    }

    #[test]
    fn what_is_no_tag_stays() {
        check("<privateer> and </private> and <private", "<privateer> and </private> and <private", 0);
        check("a<private/>b", "ab", 1);
    }

    #[test]
    fn a_tag_around_a_block_is_found_as_well() {
        check("<pri<private>x</private>vate>y</private>z", "z", 2);
    }
}
