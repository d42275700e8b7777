//! A text as pieces: sentences under their headings, list items, code.
//!
//! Long texts are split here and never cut: the pieces together hold every
//! byte that is not blank. It does not know what a sentence says.

use crate::ask::when::token::quoted;
use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// With the bullet, and the heading if this piece is the first under it.
    pub(crate) whole: Range<usize>,
    /// What is said.
    pub(crate) body: Range<usize>,
    /// The heading or the line that it stands under.
    pub(crate) lead: Option<String>,
    /// One of several under that line.
    pub(crate) listed: bool,
    /// Code or a table: nothing in it is changed.
    pub(crate) verbatim: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Prose,
    Heading,
    Item { indent: usize },
    Code,
    Table,
}

/// Lines that belong together.
#[derive(Debug, Clone)]
struct Block {
    sort: Sort,
    whole: Range<usize>,
    body: Range<usize>,
}

pub(crate) fn pieces(text: &str, most: usize) -> Vec<Piece> {
    let blocks = blocks(text);
    let mut cutter = Cutter { text, most: most.max(4), made: Vec::new(), waiting: None, leads: Vec::new() };
    for (place, block) in blocks.iter().enumerate() {
        let next = blocks.get(place + 1).map(|next| next.sort);
        cutter.take(block, next);
    }
    cutter.release();
    cutter.made
}

/// What later pieces stand under.
struct Lead {
    /// A heading stands above every line, a line above its items.
    indent: Option<usize>,
    text: String,
}

struct Cutter<'a> {
    text: &'a str,
    most: usize,
    made: Vec<Piece>,
    /// A heading that no piece holds yet.
    waiting: Option<Range<usize>>,
    leads: Vec<Lead>,
}

impl Cutter<'_> {
    fn take(&mut self, block: &Block, next: Option<Sort>) {
        let indent = match block.sort {
            Sort::Item { indent } => Some(indent),
            _ => None,
        };
        self.leads.retain(|lead| match (lead.indent, indent) {
            (None, _) => block.sort != Sort::Heading,
            (Some(of), Some(indent)) => of < indent + 1 && (of == 0 || of <= indent),
            (Some(_), None) => matches!(block.sort, Sort::Code | Sort::Table),
        });
        match block.sort {
            Sort::Heading => {
                self.release();
                self.waiting = Some(block.whole.clone());
                self.leads.push(Lead { indent: None, text: subject(&self.text[block.body.clone()]) });
            }
            Sort::Code | Sort::Table => {
                let lead = self.lead();
                self.verbatim(block, lead);
            }
            Sort::Prose => {
                let leads_in = matches!(next, Some(Sort::Item { .. } | Sort::Code | Sort::Table));
                self.prose(block, leads_in.then_some(0), false);
            }
            Sort::Item { indent } => {
                let deeper = matches!(next, Some(Sort::Item { indent: next }) if next > indent);
                self.prose(block, deeper.then_some(indent + 1), true);
            }
        }
    }

    fn lead(&self) -> Option<String> {
        // The nearest line and what it stands under itself; a heading only
        // where no line says more.
        let lines: Vec<&str> =
            self.leads.iter().filter(|lead| lead.indent.is_some()).map(|lead| lead.text.as_str()).collect();
        if lines.is_empty() {
            self.leads.last().map(|lead| lead.text.clone()).filter(|lead| !lead.is_empty())
        } else {
            Some(lines.join(": "))
        }
    }

    /// The sentences of a block; the last one may lead in what follows.
    fn prose(&mut self, block: &Block, leads_in: Option<usize>, item: bool) {
        let under = self.lead();
        let mut sentences = sentences(self.text, block.body.clone());
        let mut line = None;
        if let Some(indent) = leads_in
            && let Some(last) = sentences.last().cloned()
        {
            let said = self.text[last.clone()].trim_end();
            let short = said.len() <= LONGEST_LEAD && (item || said.ends_with(':'));
            if short {
                sentences.pop();
                line = Some((indent, last));
            }
        }
        let first = self.waiting.is_some();
        let mut start = block.whole.start;
        for (place, body) in sentences.into_iter().enumerate() {
            // Under a heading the first sentence tells what it is about; every
            // item does.
            let lead = under.clone().filter(|_| item || first && place == 0);
            self.push(start.min(body.start)..body.end, body.clone(), lead, item);
            start = usize::MAX;
        }
        if let Some((indent, last)) = line {
            self.release();
            self.waiting = Some(start.min(last.start)..last.end);
            self.leads.push(Lead { indent: Some(indent), text: subject(&self.text[last]) });
        }
    }

    fn verbatim(&mut self, block: &Block, lead: Option<String>) {
        let first = self.made.len();
        let waiting = self.waiting.is_some();
        for part in cut(self.text, block.body.clone(), self.most, true) {
            let lead = lead.clone().filter(|_| waiting && self.made.len() == first);
            self.push(part.clone(), part, lead, false);
        }
        for piece in &mut self.made[first..] {
            piece.verbatim = true;
        }
    }

    fn push(&mut self, whole: Range<usize>, body: Range<usize>, lead: Option<String>, listed: bool) {
        let start = self.waiting.as_ref().map_or(whole.start, |waiting| waiting.start);
        if whole.end - start > self.most {
            self.release();
        }
        let start = self.waiting.take().map_or(whole.start, |waiting| waiting.start);
        if whole.end - start <= self.most {
            self.made.push(Piece { whole: start..whole.end, body, lead, listed, verbatim: false });
            return;
        }
        for part in cut(self.text, start..whole.end, self.most, false) {
            let said = part.start.max(body.start)..part.end;
            let body = if said.is_empty() { part.clone() } else { said };
            self.made.push(Piece { whole: part, body, lead: lead.clone(), listed, verbatim: false });
        }
    }

    /// A heading with nothing under it is a piece of its own.
    fn release(&mut self) {
        if let Some(waiting) = self.waiting.take() {
            for part in cut(self.text, waiting, self.most, false) {
                let body = part.clone();
                self.made.push(Piece { whole: part, body, lead: None, listed: false, verbatim: false });
            }
        }
    }
}

/// A line that leads a list in is short; a longer one is a paragraph.
const LONGEST_LEAD: usize = 160;

/// What a heading or a line before a list is about.
fn subject(line: &str) -> String {
    let line = line.trim().trim_start_matches('#').trim().trim_end_matches(':').trim();
    let bold =
        line.strip_prefix("**").and_then(|line| line.strip_suffix("**")).filter(|line| !line.contains("**"));
    bold.unwrap_or(line).trim_end_matches(':').trim().to_owned()
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut fence: Option<&str> = None;
    // Whether the block before may go on with this line.
    let mut open = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let whole = start..start + line.trim_end().len();
        start += line.len();
        let indent = line.len() - line.trim_start().len();
        let said = line.trim();
        if let Some(mark) = fence {
            if let Some(block) = blocks.last_mut() {
                (block.whole.end, block.body.end) =
                    (whole.end.max(block.whole.end), whole.end.max(block.body.end));
            }
            if said.starts_with(mark) {
                (fence, open) = (None, false);
            }
            continue;
        }
        if said.is_empty() {
            open = false;
            continue;
        }
        let body = whole.start + indent..whole.end;
        let mark = ["```", "~~~"].into_iter().find(|mark| said.starts_with(mark));
        let sort = match () {
            () if mark.is_some() => Sort::Code,
            () if said.starts_with('|') => Sort::Table,
            () if is_heading(said) => Sort::Heading,
            () => match bullet(said) {
                Some(length) => {
                    blocks.push(Block {
                        sort: Sort::Item { indent },
                        whole: body.clone(),
                        body: body.start + length..body.end,
                    });
                    open = true;
                    continue;
                }
                None => Sort::Prose,
            },
        };
        // "`" three times with its end on the same line is no block.
        let inline = mark.is_some_and(|mark| said[mark.len()..].contains(mark));
        let sort = if inline { Sort::Prose } else { sort };
        if let Some(block) = blocks.last_mut().filter(|_| open) {
            let goes_on = match block.sort {
                Sort::Item { .. } => sort == Sort::Prose && indent > 0,
                other => other == sort && matches!(sort, Sort::Prose | Sort::Table),
            };
            if goes_on {
                (block.whole.end, block.body.end) = (whole.end, whole.end);
                continue;
            }
        }
        blocks.push(Block { sort, whole: body.clone(), body });
        open = sort != Sort::Heading;
        fence = mark.filter(|_| sort == Sort::Code);
    }
    blocks
}

fn is_heading(said: &str) -> bool {
    let level = said.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&level) && said[level..].starts_with(' ')
}

/// The bytes of a bullet. A number says which step it is and stays.
fn bullet(said: &str) -> Option<usize> {
    let mark = said.chars().next()?;
    if matches!(mark, '-' | '*' | '+' | '•' | '–') {
        let after = &said[mark.len_utf8()..];
        let space = after.len() - after.trim_start().len();
        return (space > 0 && space < after.len()).then_some(mark.len_utf8() + space);
    }
    let digits = said.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &said[digits..];
    let numbered = (1..=3).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") "));
    numbered.then_some(0)
}

/// The sentences of a stretch of prose, without the white space between them.
pub(super) fn sentences(text: &str, of: Range<usize>) -> Vec<Range<usize>> {
    let prose = &text[of.clone()];
    let fixed = quotations(prose);
    let mut found = Vec::new();
    let mut from = 0;
    let mut quote = fixed.iter().peekable();
    let mut marks = prose.char_indices().peekable();
    let mut depth = 0_i32;
    while let Some((at, mark)) = marks.next() {
        while quote.next_if(|quote| quote.end <= at).is_some() {}
        if quote.peek().is_some_and(|quote| quote.contains(&at)) {
            continue;
        }
        let end = at + mark.len_utf8();
        let next = marks.peek().map_or(' ', |(_, next)| *next);
        depth = match mark {
            '(' | '[' => depth + 1,
            ')' | ']' => (depth - 1).max(0),
            '\n' => 0,
            _ => depth,
        };
        let ends = match mark {
            '\n' => breaks(&prose[from..at], &prose[end..]),
            '.' | '!' | '?' | '…' => {
                next.is_whitespace() && depth == 0 && stops(&prose[from..end], &prose[end..])
            }
            _ => false,
        };
        if ends {
            found.push(from..end);
            from = end;
        }
    }
    found.push(from..prose.len());
    let trimmed = found.into_iter().filter_map(|range| {
        let said = &prose[range.clone()];
        let start = range.start + (said.len() - said.trim_start().len());
        let end = range.start + said.trim_end().len();
        (start < end).then(|| of.start + start..of.start + end)
    });
    // Marks without a word belong to the sentence before.
    let mut sentences: Vec<Range<usize>> = Vec::new();
    for range in trimmed {
        let words = text[range.clone()].chars().any(char::is_alphanumeric);
        match sentences.last_mut() {
            Some(last) if !words => last.end = range.end,
            _ => sentences.push(range),
        }
    }
    sentences
}

/// Whether a line ends its sentence. A long line without a mark at its end,
/// followed by a small letter, was only broken to fit a page.
fn breaks(before: &str, after: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or(before).trim();
    let marked = line.ends_with(['.', '!', '?', ':', ';', '…']);
    let small = after.trim_start().chars().next().is_some_and(|first| !first.is_uppercase());
    marked || !small || line.chars().count() < WRAPPED
}

const WRAPPED: usize = 50;

/// Whether the point at the end of `before` ends a sentence.
fn stops(before: &str, after: &str) -> bool {
    let next = after.trim_start().chars().next();
    let small = next.is_some_and(char::is_lowercase);
    if before.ends_with("...") || before.ends_with('…') {
        return !small;
    }
    let Some(said) = before.strip_suffix('.') else { return true };
    let word = said.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or(said);
    let letters = word.chars().count();
    let lower = word.to_lowercase();
    let short = ABBREVIATIONS.contains(&lower.as_str()) && (small || !ENDING.contains(&lower.as_str()))
        || letters == 1 && word.chars().all(char::is_alphabetic) && word != "I";
    // "3. sürüm" is the third, and "1. Build" a step.
    let ordinal = word.chars().all(|c| c.is_ascii_digit()) && (small || said.len() == word.len());
    !(short || ordinal)
}

const ABBREVIATIONS: &[&str] = &[
    "e.g", "i.e", "eg", "ie", "vs", "dr", "mr", "mrs", "ms", "st", "no", "approx", "cf", "fig", "sec", "etc",
    "vb", "vs", "örn", "bkz", "yy", "prof", "inc", "ltd", "jr",
];

/// Those with which a sentence may end.
const ENDING: &[&str] = &["etc", "vb", "no", "inc", "ltd", "jr", "sec", "st"];

/// Code in backticks and what is quoted, in its order.
pub(crate) fn quotations(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    let mut before = ' ';
    while let Some(mark) = text[at..].chars().next() {
        let length = match mark {
            '`' => ticks(&text[at..]),
            '"' | '“' => quoted(&text[at..within(text, at)]),
            '\'' | '‘' if !before.is_alphanumeric() => quoted(&text[at..within(text, at)]),
            '«' => text[at..within(text, at)].find('»').map(|end| end + '»'.len_utf8()),
            _ => None,
        };
        match length {
            Some(length) => {
                found.push(at..at + length);
                at += length;
                before = '`';
            }
            None => {
                // Ticks that never close are passed together.
                let run = text[at..].len() - text[at..].trim_start_matches('`').len();
                at += run.max(mark.len_utf8());
                before = mark;
            }
        }
    }
    found
}

/// Nobody quotes more than this; a mark without its twin is looked for no
/// further.
const LONGEST_QUOTE: usize = 2_000;

fn within(text: &str, at: usize) -> usize {
    text.floor_char_boundary((at + LONGEST_QUOTE).min(text.len()))
}

/// The bytes from these ticks to as many others.
pub(crate) fn ticks(rest: &str) -> Option<usize> {
    let count = rest.bytes().take_while(|byte| *byte == b'`').count();
    let mut at = count;
    while let Some(next) = rest[at..].find('`') {
        at += next;
        let run = rest[at..].bytes().take_while(|byte| *byte == b'`').count();
        at += run;
        if run == count {
            return Some(at);
        }
    }
    None
}

/// Parts of at most so many bytes, cut at lines or at blanks, or in the middle
/// of what has neither.
fn cut(text: &str, of: Range<usize>, most: usize, lines: bool) -> Vec<Range<usize>> {
    let most = most.max(4);
    let mut parts = Vec::new();
    let mut from = of.start;
    while from < of.end {
        let rest = &text[from..of.end];
        let rest_from =
            from + (rest.len() - if lines { rest } else { rest.trim_start() }.trim_start_matches('\n').len());
        let rest = &text[rest_from..of.end];
        if rest.len() <= most {
            if !rest.trim().is_empty() {
                parts.push(rest_from..of.start.max(rest_from + rest.trim_end().len()));
            }
            break;
        }
        let room = &rest[..rest.floor_char_boundary(most)];
        let line = if lines { room.rfind('\n') } else { None };
        let blank = room.rfind(char::is_whitespace).filter(|at| *at > 0);
        let end = line.filter(|at| *at > 0).or(blank).unwrap_or(room.len());
        let said = room[..end].trim_end();
        if !said.is_empty() {
            parts.push(rest_from..rest_from + said.len());
        }
        from = rest_from + end.max(1);
        while !text.is_char_boundary(from) {
            from += 1;
        }
    }
    parts
}
