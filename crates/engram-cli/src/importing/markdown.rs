//! Markdown as events: one for each paragraph, item or row.
//!
//! It owns what a piece needs from around it to be understood alone. Where the
//! text comes from is told by its name; when it was written nobody tells, so
//! the events have no time.

use super::markdown_blocks::{Block, blocks_of};
use engram_core::turn::{Event, EventType};

/// Fewer words than this do not say what they are about.
const FEW_WORDS: usize = 6;
/// Below every heading that is marked as one.
const UNMARKED_LEVEL: usize = 7;
/// Files that speak of the whole project.
const PROJECT_FILES: &[&str] = &["CLAUDE", "CLAUDE.local", "AGENTS", "MEMORY"];
/// Words that point at what was said before.
const POINTING: &[&str] = &["it", "its", "this", "that", "these", "those", "they", "such"];

/// The pieces of a text that is called `source_name`, in order.
///
/// A piece of an item begins with the items above it, and with the sentence
/// that leads to the list. The nearest heading is put before a piece that has
/// fewer than six words, begins with a word like "this", or is no sentence at
/// all: a row, or code alone; not so the title of a project's own rules. All headings are in the source, as
/// "CLAUDE.md#Testing > Unit tests". Items and paragraphs that only lead to
/// others (they end in a colon, are all bold, or are one word with items below
/// it) are no pieces, and neither are imports (`@docs/guide.md`): those
/// files are imported by their own name, or not.
pub(crate) fn events_of_markdown(text: &str, source_name: &str) -> Vec<Event> {
    let mut above = Above::default();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut blocks = blocks_of(text).into_iter().peekable();
    while let Some(block) = blocks.next() {
        match block {
            Block::Heading { level, text } => above.under(level, text),
            Block::Break => above.leave_list(),
            Block::Paragraph(text) if is_import(&text) => above.leave_list(),
            Block::Paragraph(text) => match label(&text) {
                Some(label) => above.under(UNMARKED_LEVEL, label),
                None => {
                    above.leave_list();
                    let leads = matches!(blocks.peek(), Some(Block::Item { .. } | Block::Row(_)));
                    if leads && text.ends_with(':') {
                        above.lead = Some(bare(&text).to_owned());
                    } else {
                        pieces.push(above.piece(&text, Form::Sentence));
                    }
                }
            },
            Block::Item { indent, text } => {
                above.parents.retain(|(above, _)| *above < indent);
                let children =
                    matches!(blocks.peek(), Some(Block::Item { indent: below, .. }) if *below > indent);
                let is_name = text.ends_with(':') || label(&text).is_some() || !text.contains(' ');
                let only_leads = children && is_name;
                if !only_leads && !is_import(&text) {
                    pieces.push(above.piece(&text, Form::Sentence));
                }
                above.parents.push((indent, bare(&text).to_owned()));
            }
            Block::Row(text) => {
                above.parents.clear();
                pieces.push(above.piece(&text, Form::Other));
            }
            Block::Attached(text) => {
                match pieces.last_mut().filter(|piece| piece.headings == above.headings) {
                    Some(piece) => {
                        piece.text.push('\n');
                        piece.text += &text;
                    }
                    None => pieces.push(above.piece(&text, Form::Other)),
                }
            }
        }
    }
    pieces.into_iter().map(|piece| piece.told(source_name)).collect()
}

/// What stands above the next piece.
#[derive(Default)]
struct Above {
    headings: Vec<(usize, String)>,
    lead: Option<String>,
    /// Items above, with their columns.
    parents: Vec<(usize, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Sentence,
    Other,
}

struct Piece {
    headings: Vec<(usize, String)>,
    text: String,
    stands_alone: bool,
}

impl Above {
    fn under(&mut self, level: usize, text: String) {
        self.leave_list();
        self.headings.retain(|(above, _)| *above < level);
        if !text.is_empty() {
            self.headings.push((level, text));
        }
    }

    fn leave_list(&mut self) {
        self.lead = None;
        self.parents.clear();
    }

    fn piece(&self, text: &str, form: Form) -> Piece {
        let parents = self.parents.iter().map(|(_, parent)| parent.as_str());
        let above: Vec<&str> = self.lead.as_deref().into_iter().chain(parents).collect();
        let text = above.into_iter().chain([text]).collect::<Vec<_>>().join(": ");
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or_default().trim_matches(|mark: char| !mark.is_alphabetic());
        let points = POINTING.contains(&first.to_lowercase().as_str());
        let enough = words.count() + 1 >= FEW_WORDS;
        let stands_alone = form == Form::Sentence && enough && !points;
        Piece { headings: self.headings.clone(), text, stands_alone }
    }
}

impl Piece {
    fn told(self, source_name: &str) -> Event {
        let file = source_name.rsplit('/').next().unwrap_or(source_name);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        // A title that only repeats the name of the file explains nothing.
        let repeats = |text: &str| text.eq_ignore_ascii_case(file) || text.eq_ignore_ascii_case(stem);
        let headings: Vec<&(usize, String)> =
            self.headings.iter().filter(|(_, text)| !repeats(text)).collect();
        // The title of a project's rules is the project, and they are kept there.
        let is_title = |level: usize| level == 1 && PROJECT_FILES.contains(&stem);
        let text = match headings.last() {
            Some((level, heading)) if !self.stands_alone && !is_title(*level) => {
                format!("{}: {}", bare(heading), self.text)
            }
            _ => self.text,
        };
        let path: Vec<&str> = headings.iter().map(|(_, text)| text.as_str()).collect();
        let source = match path.join(" > ") {
            none if none.is_empty() => source_name.to_owned(),
            path => format!("{source_name}#{path}"),
        };
        Event { source: Some(source), ..Event::new(EventType::File, text) }
    }
}

/// The words of a paragraph that is all bold: a heading in all but its mark.
fn label(text: &str) -> Option<String> {
    let inside = ["**", "__"].iter().find_map(|mark| {
        let text = text.trim_end_matches(':');
        text.strip_prefix(mark)?.strip_suffix(mark).filter(|inside| !inside.contains(mark))
    })?;
    Some(inside.trim_end_matches(':').trim().to_owned()).filter(|inside| !inside.is_empty())
}

/// A text that leads to another, without what ends it.
fn bare(text: &str) -> &str {
    let text = text.trim_end_matches(':').trim();
    let inside = ["**", "__"]
        .iter()
        .find_map(|mark| text.strip_prefix(mark)?.strip_suffix(mark).filter(|inside| !inside.contains(mark)));
    inside.unwrap_or(text).trim_end_matches(':').trim()
}

fn is_import(text: &str) -> bool {
    text.split_whitespace().all(|word| word.len() > 1 && word.starts_with('@'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let events = events_of_markdown(text, "CLAUDE.md");
        assert!(events.iter().all(|event| event.event == EventType::File && event.time.is_none()));
        let told = |event: &Event| format!("{} | {}\n", event.source.as_deref().unwrap(), event.text);
        expected.assert_eq(&events.iter().map(told).collect::<String>());
    }

    #[test]
    fn short_pieces_carry_their_heading_and_long_ones_stand_alone() {
        check(
            "# Shop\n\nuse tabs\n\n## Testing\n\n- cargo test\n- Every bug gets a test before it is fixed.\n\n### Unit tests\nThis is only for crates that do no input or output.\n",
            expect![[r#"
                CLAUDE.md#Shop | use tabs
                CLAUDE.md#Shop > Testing | Testing: cargo test
                CLAUDE.md#Shop > Testing | Every bug gets a test before it is fixed.
                CLAUDE.md#Shop > Testing > Unit tests | Unit tests: This is only for crates that do no input or output.
            "#]],
        );
    }

    #[test]
    fn an_item_keeps_what_it_is_part_of() {
        check(
            "Before every commit:\n\n1. format\n2. run the tests:\n   - the quick ones first, always\n   - then the slow ones\n\nDeploys go out on monday and never on friday.\n\n- Frontend\n  - we use pnpm, not npm, everywhere\n- **Backend:**\n  - cargo only\n",
            expect![[r#"
                CLAUDE.md | Before every commit: format
                CLAUDE.md | Before every commit: run the tests: the quick ones first, always
                CLAUDE.md | Before every commit: run the tests: then the slow ones
                CLAUDE.md | Deploys go out on monday and never on friday.
                CLAUDE.md | Frontend: we use pnpm, not npm, everywhere
                CLAUDE.md | Backend: cargo only
            "#]],
        );
    }

    #[test]
    fn code_stays_with_what_it_explains() {
        check(
            "## Build\n\nBuild it like this:\n\n```sh\nmake all\n```\n\n## Run\n\n```sh\nmake run\n```\n\n- the tests\n  ```sh\n  make test\n  ```\n  need a database\n",
            expect![[r#"
                CLAUDE.md#Build | Build: Build it like this:
                ```sh
                make all
                ```
                CLAUDE.md#Run | Run: ```sh
                make run
                ```
                CLAUDE.md#Run | Run: the tests
                ```sh
                make test
                ```
                need a database
            "#]],
        );
    }

    #[test]
    fn rows_are_told_under_their_heading() {
        check(
            "## Ports\n\nThe services listen on these ports:\n\n| Service | Port |\n|---|---|\n| api | 8080 |\n| web | 3000 |\n",
            expect![[r#"
                CLAUDE.md#Ports | Ports: The services listen on these ports: Service: api, Port: 8080
                CLAUDE.md#Ports | Ports: The services listen on these ports: Service: web, Port: 3000
            "#]],
        );
    }

    #[test]
    fn bold_lines_are_headings_and_imports_are_left_out() {
        check(
            "@docs/guide.md\n@AGENTS.md\n\n**Style**\n\nno emoji\n\n- @other.md\n- ask @anna before a release\n",
            expect![[r#"
                CLAUDE.md#Style | Style: no emoji
                CLAUDE.md#Style | Style: ask @anna before a release
            "#]],
        );
    }

    #[test]
    fn a_text_without_words_has_no_pieces() {
        for text in
            ["", "---\nname: x\n---\n", "# Title\n\n## Empty\n", "<!-- only a comment -->", "---\n***\n"]
        {
            assert!(events_of_markdown(text, "a.md").is_empty(), "{text}");
        }
    }

    #[test]
    fn a_long_paragraph_is_not_cut() {
        let long = "word ".repeat(5_000);
        let events = events_of_markdown(&long, "a.md");
        assert_eq!((events.len(), events[0].text.len()), (1, long.len() - 1));
    }
}
