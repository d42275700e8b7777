//! Markdown cut into its blocks: headings, paragraphs, items, rows, code.
//!
//! It owns as much of the format as people use in notes for agents, and leaves
//! out what is only for the eye. What a block is worth it does not know.

/// A block of a text, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Block {
    Heading {
        level: usize,
        text: String,
    },
    Paragraph(String),
    /// An item of a list; `indent` in columns tells which item it is part of.
    Item {
        indent: usize,
        text: String,
    },
    /// A row of a table: "Header: value, Header: value".
    Row(String),
    /// Code, or more of an item: belongs to the block before it.
    Attached(String),
    /// A line across the page.
    Break,
}

pub(crate) fn blocks_of(text: &str) -> Vec<Block> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let mut cutting = Cutting::default();
    let mut lines = without_comments(after_front_matter(&text)).into_iter().peekable();
    while let Some(line) = lines.next() {
        let next = lines.peek().map(String::as_str).unwrap_or_default();
        cutting.take(&line, next);
    }
    cutting.close();
    cutting.end_code();
    cutting.blocks
}

fn after_front_matter(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("---\n") else { return text };
    let mut offset = 0;
    for line in rest.split_inclusive('\n') {
        offset += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            return &rest[offset..];
        }
    }
    text
}

/// The lines of a text without comments. In code a comment is code.
fn without_comments(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut fence: Option<Fence> = None;
    let mut inside = false;
    for line in text.lines() {
        if let Some(open) = &fence {
            if open.is_closed_by(line) {
                fence = None;
            }
            lines.push(line.to_owned());
            continue;
        }
        let mut kept = String::new();
        let mut rest = line;
        loop {
            let (mark, length) = if inside { ("-->", 3) } else { ("<!--", 4) };
            let Some(found) = rest.find(mark) else { break };
            if !inside {
                kept += &rest[..found];
            }
            rest = &rest[found + length..];
            inside = !inside;
        }
        if inside {
            // What was only a comment leaves no line, so that a list around it
            // stays one.
            if !kept.trim().is_empty() {
                lines.push(kept);
            }
            continue;
        }
        let touched = kept.len() + rest.len() != line.len();
        kept += rest;
        if touched && kept.trim().is_empty() {
            continue;
        }
        fence = Fence::opened_by(&kept);
        lines.push(kept);
    }
    lines
}

/// The marks that code stands between.
#[derive(Debug, Clone)]
struct Fence {
    mark: char,
    length: usize,
    indent: usize,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let start = line.trim_start_matches(['>', ' ']);
        let mark = start.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let length = start.chars().take_while(|found| *found == mark).count();
        let info = &start[length..];
        // Three marks and their like in one line are code in a sentence.
        let opens = length >= 3 && !(mark == '`' && info.contains('`'));
        opens.then_some(Self { mark, length, indent: line.len() - start.len() })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim_start_matches(['>', ' ']).trim_end();
        line.chars().count() >= self.length && line.chars().all(|found| found == self.mark)
    }
}

#[derive(Default)]
struct Cutting {
    blocks: Vec<Block>,
    open: Option<Open>,
    /// Code that has begun: its fence, whether it stands in a quotation, and
    /// its lines.
    code: Option<(Fence, bool, Vec<String>)>,
    /// The headers of the table we are in. None: in none.
    table: Option<Vec<String>>,
    /// Whether indented text can belong to an item.
    in_list: bool,
}

/// A block whose end has not been seen.
struct Open {
    /// The columns before the mark and before the text of an item. None: a
    /// paragraph.
    item: Option<(usize, usize)>,
    text: String,
    after_blank: bool,
}

impl Cutting {
    fn take(&mut self, line: &str, next: &str) {
        if let Some((fence, quoted, lines)) = &mut self.code {
            let line = if *quoted { unquoted(line).0 } else { line.to_owned() };
            let (indent, _) = indent_of(&line);
            lines.push(line[indent.min(fence.indent).min(line.len())..].to_owned());
            if fence.is_closed_by(&line) {
                self.end_code();
            }
            return;
        }
        let (line, quoted) = unquoted(line);
        let line = line.replace('\t', "    ");
        let (indent, rest) = indent_of(&line);
        if let Some(headers) = &self.table {
            if rest.contains('|') {
                let row = row_of(headers, rest);
                self.blocks.extend(row.map(Block::Row));
                return;
            }
            self.table = None;
        }
        if let Some(fence) = Fence::opened_by(&line) {
            self.close();
            self.code = Some((fence, quoted, vec![rest.to_owned()]));
        } else if rest.is_empty() {
            match &mut self.open {
                Some(open) if open.item.is_some() => open.after_blank = true,
                _ => self.close(),
            }
        } else if let Some((level, text)) = heading(rest).filter(|_| indent < 4) {
            self.begin_anew();
            self.blocks.push(Block::Heading { level, text: inline(text) });
        } else if let Some(level) = underline(rest)
            && let Some(Open { item: None, text, .. }) = &self.open
        {
            let text = text.clone();
            self.open = None;
            self.begin_anew();
            self.blocks.push(Block::Heading { level, text });
        } else if is_break(rest) {
            self.begin_anew();
            self.blocks.push(Block::Break);
        } else if rest.contains('|') && is_table_rule(next) {
            self.close();
            self.table = Some(cells(rest));
        } else if let Some((marker, text)) = self.item(rest) {
            self.close();
            self.in_list = true;
            let item = Some((indent, indent + marker));
            self.open = Some(Open { item, text: task(&inline(text)), after_blank: false });
        } else {
            self.words(indent, rest);
        }
    }

    /// The mark of a list and the text behind it. Only a list that begins at
    /// one interrupts a paragraph: a line may begin with the year 1986.
    fn item<'a>(&self, rest: &'a str) -> Option<(usize, &'a str)> {
        let (marker, text) = item(rest)?;
        let in_paragraph = self.open.as_ref().is_some_and(|open| open.item.is_none());
        let numbered = rest.starts_with(|mark: char| mark.is_ascii_digit());
        (!in_paragraph || !numbered || rest.starts_with("1.") || rest.starts_with("1)"))
            .then_some((marker, text))
    }

    fn words(&mut self, indent: usize, rest: &str) {
        if is_decoration(rest) {
            return;
        }
        let words = inline(rest);
        if words.is_empty() {
            return;
        }
        match &mut self.open {
            Some(open) if !open.after_blank => {
                if !open.text.is_empty() {
                    open.text.push(' ');
                }
                open.text += &words;
            }
            Some(Open { item: Some((mark, _)), text, after_blank }) if indent > *mark => {
                text.push('\n');
                *text += &words;
                *after_blank = false;
            }
            None if indent > 0 && self.in_list => self.attach(words),
            None if indent >= 4 => self.attach(rest.to_owned()),
            _ => {
                self.begin_anew();
                self.open = Some(Open { item: None, text: words, after_blank: false });
            }
        }
    }

    fn attach(&mut self, text: String) {
        match self.blocks.last_mut() {
            Some(Block::Attached(before)) => {
                before.push('\n');
                *before += &text;
            }
            _ => self.blocks.push(Block::Attached(text)),
        }
    }

    fn end_code(&mut self) {
        if let Some((_, _, lines)) = self.code.take() {
            self.blocks.push(Block::Attached(lines.join("\n")));
        }
    }

    /// What follows is part of no list.
    fn begin_anew(&mut self) {
        self.close();
        self.in_list = false;
    }

    fn close(&mut self) {
        if let Some(Open { item, text, .. }) = self.open.take() {
            match item {
                _ if text.is_empty() => {}
                Some((indent, _)) => self.blocks.push(Block::Item { indent, text }),
                None => self.blocks.push(Block::Paragraph(text)),
            }
        }
    }
}

/// A line without the marks of a quotation, and whether it had any.
fn unquoted(line: &str) -> (String, bool) {
    let (indent, mut rest) = indent_of(line);
    if indent > 3 || !rest.starts_with('>') {
        return (line.to_owned(), false);
    }
    while let Some(inner) = rest.strip_prefix('>') {
        rest = inner.strip_prefix(' ').unwrap_or(inner);
    }
    (rest.to_owned(), true)
}

fn indent_of(line: &str) -> (usize, &str) {
    let rest = line.trim_start_matches(' ');
    (line.len() - rest.len(), rest.trim_end())
}

fn heading(rest: &str) -> Option<(usize, &str)> {
    let level = rest.len() - rest.trim_start_matches('#').len();
    let text = &rest[level..];
    if !(1..=6).contains(&level) || !(text.is_empty() || text.starts_with(' ')) {
        return None;
    }
    let text = text.trim();
    let bare = text.trim_end_matches('#');
    Some((level, if bare.is_empty() || bare.ends_with(' ') { bare.trim_end() } else { text }))
}

/// The level of the heading that this line underlines.
fn underline(rest: &str) -> Option<usize> {
    match rest {
        _ if rest.len() < 2 => None,
        _ if rest.chars().all(|mark| mark == '=') => Some(1),
        _ if rest.chars().all(|mark| mark == '-') => Some(2),
        _ => None,
    }
}

fn is_break(rest: &str) -> bool {
    let marks: String = rest.split(' ').collect();
    marks.len() >= 3 && ["-", "*", "_"].iter().any(|mark| marks.replace(mark, "").is_empty())
}

/// The columns that the mark takes, and the text behind it.
fn item(rest: &str) -> Option<(usize, &str)> {
    let digits = rest.len() - rest.trim_start_matches(|mark: char| mark.is_ascii_digit()).len();
    let mark = match digits {
        0 if rest.starts_with(['-', '*', '+']) => 1,
        1..=9 if rest[digits..].starts_with(['.', ')']) => digits + 1,
        _ => return None,
    };
    let text = &rest[mark..];
    (text.is_empty() || text.starts_with(' ')).then(|| (mark + 1, text.trim_start()))
}

/// Whether something is still to be done is part of what an item says.
fn task(text: &str) -> String {
    if let Some(rest) = text.strip_prefix("[ ] ") {
        format!("to do: {rest}")
    } else if let Some(rest) = text.strip_prefix("[x] ").or_else(|| text.strip_prefix("[X] ")) {
        format!("done: {rest}")
    } else {
        text.to_owned()
    }
}

fn is_table_rule(line: &str) -> bool {
    let line = line.trim();
    line.contains('-') && line.contains('|') && line.chars().all(|mark| matches!(mark, '|' | '-' | ':' | ' '))
}

fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    let whole = line.replace("\\|", "\u{0}");
    whole.split('|').map(|cell| inline(cell.replace('\u{0}', "|").trim())).collect()
}

fn row_of(headers: &[String], line: &str) -> Option<String> {
    if is_table_rule(line) {
        return None;
    }
    let named = |(number, value): (usize, String)| match headers.get(number) {
        _ if value.is_empty() => None,
        Some(header) if !header.is_empty() => Some(format!("{header}: {value}")),
        _ => Some(value),
    };
    let row: Vec<String> = cells(line).into_iter().enumerate().filter_map(named).collect();
    (!row.is_empty()).then(|| row.join(", "))
}

/// Lines of nothing but tags, targets of links, and the marks of notes.
fn is_decoration(rest: &str) -> bool {
    let target = rest.starts_with('[')
        && rest.split_once("]: ").is_some_and(|(name, target)| !name.contains(' ') && !target.contains(' '));
    let note = rest.starts_with("[!") && rest.ends_with(']');
    target || note || (rest.starts_with('<') && only_tags(rest))
}

fn only_tags(text: &str) -> bool {
    let mut rest = text.trim_start();
    while let Some(tag) = rest.strip_prefix('<') {
        let Some((inside, after)) = tag.split_once('>') else { return false };
        // `<https://…>` is an address.
        let name = inside.trim_start_matches('/');
        if !name.starts_with(|mark: char| mark.is_ascii_alphabetic())
            || inside.contains("://") && !inside.contains(' ')
        {
            return false;
        }
        rest = after.trim_start();
    }
    rest.is_empty()
}

/// A text without pictures; links into the same folder are their words, links
/// elsewhere keep their address. Code stays as it is.
pub(crate) fn inline(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.trim();
    if let Some((_, target, "")) = link(rest)
        && target.starts_with('#')
    {
        // A table of contents says nothing.
        return String::new();
    }
    while let Some(mark) = rest.chars().next() {
        if mark == '`' {
            let marks = rest.len() - rest.trim_start_matches('`').len();
            let end = rest[marks..].find(&rest[..marks]).map_or(rest.len(), |end| end + 2 * marks);
            kept += &rest[..end];
            rest = &rest[end..];
        } else if let Some((_, _, after)) = rest.strip_prefix('!').and_then(link) {
            rest = after;
        } else if let Some((words, target, after)) = link(rest) {
            let words = inline(words);
            kept += &words;
            if target.contains("://") && !words.is_empty() && words != target {
                kept += &format!(" ({target})");
            }
            rest = after;
        } else {
            kept.push(mark);
            rest = &rest[mark.len_utf8()..];
        }
    }
    kept.trim().to_owned()
}

/// The words and the target of the link that `text` begins with, and what
/// follows it.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let inside = text.strip_prefix('[')?;
    let mut depth = 1;
    let end = inside.find(|mark| {
        depth += match mark {
            '[' => 1,
            ']' => -1,
            _ => 0,
        };
        depth == 0
    })?;
    let (target, after) = inside[end + 1..].strip_prefix('(')?.split_once(')')?;
    Some((&inside[..end], target.split(' ').next().unwrap_or_default(), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(text: &str) -> Block {
        Block::Paragraph(text.to_owned())
    }

    fn item(indent: usize, text: &str) -> Block {
        Block::Item { indent, text: text.to_owned() }
    }

    fn attached(text: &str) -> Block {
        Block::Attached(text.to_owned())
    }

    fn top(level: usize, text: &str) -> Block {
        Block::Heading { level, text: text.to_owned() }
    }

    #[test]
    fn headings_come_in_both_spellings() {
        let text = "# One #\nTwo\n---\nThree\n===\n#not a heading\n\n## C#\n";
        let blocks = blocks_of(text);
        assert_eq!(
            blocks,
            [top(1, "One"), top(2, "Two"), top(1, "Three"), paragraph("#not a heading"), top(2, "C#")]
        );
    }

    #[test]
    fn a_paragraph_is_one_line_and_an_item_goes_on_where_it_is_indented() {
        let text = "one\ntwo\n\n- a\n  b\n\n  more of it\n- c\nlazy\n    - d\n\nafter\n2. no list\n1. yes\n";
        let blocks = blocks_of(text);
        assert_eq!(
            blocks,
            [
                paragraph("one two"),
                item(0, "a b\nmore of it"),
                item(0, "c lazy"),
                item(4, "d"),
                paragraph("after 2. no list"),
                item(0, "yes"),
            ]
        );
    }

    #[test]
    fn code_is_kept_as_it_is_and_nothing_in_it_is_markdown() {
        let text = "run\n```sh\n# not a heading\n<!-- no comment -->\n\n- no item\n```\n- item\n  ~~~\n  x\n  ~~~\n  rest\n\nend\n\n    indented\n";
        let blocks = blocks_of(text);
        assert_eq!(
            blocks,
            [
                paragraph("run"),
                attached("```sh\n# not a heading\n<!-- no comment -->\n\n- no item\n```"),
                item(0, "item"),
                attached("~~~\nx\n~~~\nrest"),
                paragraph("end"),
                attached("indented"),
            ]
        );
        assert_eq!(blocks_of("```\nnever closed"), [attached("```\nnever closed")]);
        assert_eq!(blocks_of("use ```x``` here"), [paragraph("use ```x``` here")]);
    }

    #[test]
    fn what_is_only_for_the_eye_is_left_out() {
        let text = "---\nname: x\n---\n<!-- a\nlong\n\ncomment -->\n[![Build](b.svg)](https://ci)\n![logo](l.png)\n\n<p align=\"center\">\n<br/>\n</p>\n\n- one <!-- aside --> two\n<!-- between -->\n- three\n\n***\n\n[ref]: https://example.org\n> [!NOTE]\n> quoted\n> words\n";
        let blocks = blocks_of(text);
        assert_eq!(blocks, [item(0, "one  two"), item(0, "three"), Block::Break, paragraph("quoted words")]);
        // Without an end it is no front matter.
        assert_eq!(blocks_of("---\nwords"), [Block::Break, paragraph("words")]);
    }

    #[test]
    fn a_table_is_told_row_by_row() {
        let text = "| Command | Does |\n|---|:-:|\n| `a \\| b` | pipes |\n| | nothing |\n|  |  |\nafter\n";
        let rows: Vec<Block> = blocks_of(text);
        let row = |text: &str| Block::Row(text.to_owned());
        assert_eq!(rows, [row("Command: `a | b`, Does: pipes"), row("Does: nothing"), paragraph("after")]);
    }

    #[test]
    fn links_are_their_words() {
        assert_eq!(inline("see [the guide](docs/guide.md) first"), "see the guide first");
        assert_eq!(inline("[CI](https://ci.example.org \"t\")"), "CI (https://ci.example.org)");
        assert_eq!(inline("[Testing](#testing)"), "");
        assert_eq!(inline("`[a](b)` and a[0](x) ![p](q)"), "`[a](b)` and a0");
        assert_eq!(inline("[x] done"), "[x] done");
    }

    #[test]
    fn whether_it_is_done_is_said() {
        assert_eq!(
            blocks_of("- [ ] ship it\n- [x] build it\n"),
            [item(0, "to do: ship it"), item(0, "done: build it")]
        );
    }
}
