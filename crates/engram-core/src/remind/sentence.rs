//! One sentence, cut into words, as the readers of reminders look at it.
//!
//! It knows where a word stands and what stands between two of them, and no
//! phrase of either language.

use crate::ask::speech::{Word, words_of};
use crate::form::{self, moments_in, quotations};
use jiff::Zoned;
use std::ops::Range;

pub(super) struct Sentence<'t> {
    pub(super) text: &'t str,
    words: Vec<Word>,
    quoted: Vec<Range<usize>>,
}

impl<'t> Sentence<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { text, words: words_of(text), quoted: quotations(text) }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// As it is compared; empty beyond the end.
    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.folded.as_str())
    }

    /// The word is one of these.
    pub(super) fn any(&self, at: usize, words: &str) -> bool {
        let word = self.word(at);
        !word.is_empty() && words.split(' ').any(|one| one == word)
    }

    /// The word before is one of these.
    pub(super) fn after_any(&self, at: usize, words: &str) -> bool {
        at.checked_sub(1).is_some_and(|before| self.any(before, words))
    }

    /// These words one after the other, `a|b` being either; the word after them.
    pub(super) fn phrase(&self, at: usize, words: &str) -> Option<usize> {
        words.split(' ').try_fold(at, |at, one| {
            one.split('|').any(|one| one == self.word(at) && !one.is_empty()).then_some(at + 1)
        })
    }

    pub(super) fn is_quoted(&self, at: usize) -> bool {
        let Some(word) = self.words.get(at) else { return false };
        self.quoted.iter().any(|quoted| quoted.start < word.at.end && word.at.start < quoted.end)
    }

    /// What stands between a word and the one before it.
    fn gap(&self, at: usize) -> &'t str {
        let start = at.checked_sub(1).and_then(|before| self.words.get(before)).map_or(0, |word| word.at.end);
        let end = self.words.get(at).map_or(self.text.len(), |word| word.at.start);
        &self.text[start..end]
    }

    /// Another clause begins with this word.
    pub(super) fn begins_clause(&self, at: usize) -> bool {
        let gap = self.gap(at);
        // A mark inside a name or a number parts nothing: "parser.rs", "10:30".
        let parts = gap.contains(char::is_whitespace) && gap.contains([',', ';', ':', '.', '!', '?', '(']);
        at == 0 || parts || gap.contains(['—', '–']) || gap.contains(" - ")
    }

    pub(super) fn after_colon(&self, at: usize) -> bool {
        self.begins_clause(at) && self.gap(at).contains(':')
    }

    /// As it was written, with the marks that belong to these words and without
    /// those that part them from others.
    pub(super) fn written(&self, of: &Range<usize>) -> &'t str {
        let bytes = self.bytes(of);
        let text = self.text[bytes].trim();
        let text = text.trim_start_matches([',', ';', ':', '—', '–', '!', '?', ')']).trim_start();
        let text = text.strip_prefix("- ").unwrap_or(text);
        text.trim_end_matches([',', ';', ':', '—', '–', '.', '!', '?', '(', '-', ' '])
    }

    /// From the end of the word before to the beginning of the word after.
    fn bytes(&self, of: &Range<usize>) -> Range<usize> {
        if of.is_empty() {
            return 0..0;
        }
        let before = of.start.checked_sub(1).and_then(|before| self.words.get(before));
        let start = before.map_or(0, |word| word.at.end);
        let end = self.words.get(of.end).map_or(self.text.len(), |word| word.at.start);
        start..end.max(start)
    }

    /// The moments that these words name, each with its words.
    pub(super) fn moments(&self, of: &Range<usize>, said_at: &Zoned) -> Vec<(Range<usize>, form::Moment)> {
        let bytes = self.bytes(of);
        let within = |moment: form::Moment| {
            let (from, until) = (bytes.start + moment.at.start, bytes.start + moment.at.end);
            let first = of.clone().find(|at| self.words[*at].at.end > from)?;
            let end = of.clone().find(|at| self.words[*at].at.start >= until).unwrap_or(of.end);
            (first < end).then_some((first..end, moment))
        };
        moments_in(&self.text[bytes.clone()], said_at).into_iter().filter_map(within).collect()
    }

    /// The moment that these words name, and nothing else.
    pub(super) fn moment_of(&self, of: &Range<usize>, said_at: &Zoned) -> Option<form::Moment> {
        let mut found: Option<form::Moment> = None;
        let mut next = of.start;
        for (words, moment) in self.moments(of, said_at) {
            if words.start != next {
                return None;
            }
            next = words.end;
            found = Some(match found {
                Some(known) => known.with(moment),
                None => moment,
            });
        }
        found.filter(|_| next == of.end)
    }

    /// The words without the moment they end with, and that moment.
    pub(super) fn without_last_moment(
        &self,
        mut of: Range<usize>,
        said_at: &Zoned,
    ) -> (Range<usize>, Option<form::Moment>) {
        let mut found: Option<form::Moment> = None;
        for (words, moment) in self.moments(&of, said_at).into_iter().rev() {
            if words.end != of.end || words.start == of.start {
                break;
            }
            // What has to be done by then says so itself.
            if moment.is_deadline {
                return (of, found.or(Some(moment)));
            }
            of.end = words.start;
            found = Some(match found {
                Some(known) => known.with(moment),
                None => moment,
            });
        }
        (of, found)
    }
}
