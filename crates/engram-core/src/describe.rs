//! A text in short, for those who do not read all of it: one line that stands
//! for it, and the field of knowledge it belongs to.
//!
//! Both are read off the text itself by rules in English and Turkish; no word
//! is added that was not there. Where nothing can be told, nothing is: a wrong
//! field hides a memory from whoever narrows by it. Who keeps them is not known
//! here.

mod fields;

use crate::ask::speech::{Word, begins, count_content, fold, is_apostrophe, words_of};
use crate::form::pieces::{Piece, pieces, ticks};
use crate::observe::{Entity, EntityKind};
use fields::{FIELDS, FILES, FOLDERS, HOSTS, NAMES};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

/// No summary is longer, in characters.
pub const LONGEST_SUMMARY: usize = 100;
/// A sentence is cut after a clause rather than after a word if so many
/// characters are left of it.
const ENOUGH: usize = 50;
/// What has fewer words that say something is a label or an exclamation.
const TELLING: usize = 2;

/// One line for where the whole text would be too much: its first statement, or
/// a list under the line that leads it in. None: the text is such a line
/// itself, or there is no place to cut it.
pub fn summary_of(text: &str) -> Option<String> {
    let text = text.trim();
    if !text.contains('\n') && text.chars().count() <= LONGEST_SUMMARY {
        return None;
    }
    let found = candidates(text);
    let short = |sort: Sort| {
        let of_sort = found.iter().filter(move |candidate| candidate.sort == sort);
        of_sort.filter_map(|candidate| shortened(&candidate.line))
    };
    let says_enough = |line: &String| count_content(&words_of(line)) >= TELLING;
    let rising = [Sort::Statement, Sort::Question, Sort::Label, Sort::Verbatim];
    rising.into_iter().find_map(|sort| short(sort).find(says_enough)).or_else(|| {
        let any = rising.into_iter().flat_map(short);
        any.into_iter().find(|line| line.chars().any(char::is_alphanumeric))
    })
}

/// How well a line stands for its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Statement,
    Question,
    /// A heading, or a line in bold.
    Label,
    /// Of code or of a table.
    Verbatim,
}

struct Candidate {
    sort: Sort,
    line: String,
}

fn candidates(text: &str) -> Vec<Candidate> {
    let pieces = pieces(text, usize::MAX);
    let mut found = Vec::new();
    let mut rest = pieces.as_slice();
    while let Some(first) = rest.first() {
        // The items under one line are told together: none stands for all.
        let listed = |piece: &&Piece| piece.listed && first.listed && piece.lead == first.lead;
        let together = if first.lead.is_some() { rest.iter().take_while(listed).count().max(1) } else { 1 };
        let (these, after) = rest.split_at(together);
        rest = after;
        let said = these.iter().map(|piece| said_in(text, piece)).filter(|said| !said.is_empty());
        let said = said.collect::<Vec<_>>().join("; ");
        let leads = first.listed || first.verbatim;
        let line = match first.lead.as_deref().map(bare).filter(|lead| leads && !lead.is_empty()) {
            Some(lead) => format!("{lead}: {said}"),
            None => said,
        };
        let sort = match () {
            () if first.verbatim && first.lead.is_none() => Sort::Verbatim,
            () if is_label(&text[first.body.clone()]) => Sort::Label,
            () if line.ends_with('?') => Sort::Question,
            () => Sort::Statement,
        };
        found.push(Candidate { sort, line: line.trim_end_matches(':').to_owned() });
    }
    found
}

/// The words of a piece in one line, without marks around them.
fn said_in(text: &str, piece: &Piece) -> String {
    let body = &text[piece.body.clone()];
    if piece.verbatim {
        let mut lines = body.lines().map(|line| line.trim().trim_matches('|').trim());
        let telling = |line: &&str| !line.starts_with(FENCES) && line.chars().any(char::is_alphanumeric);
        return lines.find(telling).map(bare).unwrap_or_default();
    }
    let said = bare(body);
    if piece.listed && piece.lead.is_some() {
        said.trim_end_matches(['.', ';', ',']).to_owned()
    } else {
        said
    }
}

const FENCES: [char; 2] = ['`', '~'];

/// A stretch of text in one line, without the marks of a heading, a list or a
/// quotation before it and without the rule under it.
fn bare(said: &str) -> String {
    let lines = said.lines().map(|line| line.trim().trim_start_matches("> ").trim_start());
    let ruled = |line: &&str| line.len() > 2 && line.chars().all(|mark| matches!(mark, '=' | '-'));
    let words = lines.filter(|line| !ruled(line)).flat_map(str::split_whitespace);
    let line = words.collect::<Vec<_>>().join(" ");
    let mut rest = line.as_str();
    loop {
        let after = without_mark(rest);
        if after.len() == rest.len() {
            return rest.to_owned();
        }
        rest = after;
    }
}

fn without_mark(line: &str) -> &str {
    let marks = ["> ", "- ", "* ", "+ ", "• ", "– ", "[ ] ", "[x] ", "[X] "];
    if let Some(after) = marks.iter().find_map(|mark| line.strip_prefix(mark)) {
        return after.trim_start();
    }
    let hashes = line.trim_start_matches('#');
    if hashes.len() < line.len() && hashes.starts_with(' ') {
        return hashes.trim_start();
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = line[digits..].strip_prefix(". ").or_else(|| line[digits..].strip_prefix(") "));
    match numbered {
        // "3. sürüm" goes on in small letters: the third version, no step.
        Some(after) if (1..=3).contains(&digits) && !after.starts_with(char::is_lowercase) => after,
        _ => line,
    }
}

fn is_label(said: &str) -> bool {
    let said = said.trim();
    let bold = |mark: &str| {
        said.strip_prefix(mark).and_then(|said| said.strip_suffix(mark)).is_some_and(|it| !it.contains(mark))
    };
    let level = said.bytes().take_while(|byte| *byte == b'#').count();
    let ruled = said.lines().last().is_some_and(|line| line.starts_with("===") || line.starts_with("---"));
    bold("**") || bold("__") || level > 0 && said[level..].starts_with(' ') || ruled && said.contains('\n')
}

/// A line that fits: the line itself, or its beginning with an ellipsis. None:
/// it can only be cut where that would bend what it says.
fn shortened(line: &str) -> Option<String> {
    if line.chars().count() <= LONGEST_SUMMARY {
        return Some(line.to_owned());
    }
    let spans = code_spans(line);
    let mut best: Option<(bool, &str)> = None;
    for (at, _) in line.match_indices(' ') {
        let kept = line[..at].trim_end_matches(|mark: char| mark == ' ' || ",;:-–—(".contains(mark));
        let length = kept.chars().count();
        if length >= LONGEST_SUMMARY {
            break;
        }
        let before = line[..at].rsplit(' ').next().unwrap_or_default();
        let after = line[at + 1..].split(' ').next().unwrap_or_default();
        if kept.is_empty() || spans.iter().any(|span| span.contains(&at)) || is_one(before, after) {
            continue;
        }
        let clause = length >= ENOUGH && is_clause_end(before, after);
        if clause || best.is_none_or(|(clause, _)| !clause) {
            best = Some((clause, kept));
        }
    }
    best.map(|(_, kept)| format!("{kept}…"))
}

/// The stretches between backticks.
fn code_spans(line: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(next) = line[at..].find('`') {
        at += next;
        // Ticks that never close are passed together.
        let run = line[at..].len() - line[at..].trim_start_matches('`').len();
        let length = ticks(&line[at..]);
        spans.extend(length.map(|length| at..at + length));
        at += length.unwrap_or(run);
    }
    spans
}

/// Whether two words are one thing: a number and what it counts, since half of
/// "1 000" or of "30 days" reads like another number, a path with a blank in
/// it, or a word that leans on the next.
fn is_one(before: &str, after: &str) -> bool {
    let number = before.ends_with(|mark: char| mark.is_numeric());
    let path = ['/', '\\'].iter().any(|part| before.contains(*part) && after.find(*part) > Some(0));
    number || path || before.ends_with('\\') || LEANING.contains(&fold(before).as_str())
}

fn is_clause_end(before: &str, after: &str) -> bool {
    let opens = after.starts_with(['(', '–', '—']) || after == "-";
    let joins = JOINING.contains(&fold(after.trim_end_matches(',')).as_str());
    before.ends_with([',', ';', ':', ')']) || opens || joins
}

/// Words that say nothing before what follows them is known.
const LEANING: &[&str] = &[
    "a", "an", "the", "of", "to", "in", "at", "on", "by", "for", "with", "from", "into", "and", "or", "as",
    "than", "bir", "bu", "su", "ve", "veya", "her", "en", "cok", "daha",
];

/// Words that begin another clause.
const JOINING: &[&str] = &[
    "because", "but", "which", "although", "whereas", "since", "unless", "cunku", "ama", "fakat", "ancak",
    "oysa",
];

/// The field of knowledge that most of the telling words and files speak of.
/// None: nothing tells, or two fields are told equally.
///
/// Each telling word counts once, however often it is said, and a longer one
/// takes its words with it: "github actions" tells of ci and not of git too.
pub fn domain_of(text: &str, entities: &[Entity]) -> Option<String> {
    let mut told: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut tell = |field, by| {
        told.entry(field).or_default().insert(by);
    };
    // A path and an address tell by what they end with; their words are names.
    let mut named = vec![false; text.len()];
    for entity in entities {
        match entity.kind {
            EntityKind::File => file_tells(&entity.name).into_iter().for_each(|(by, field)| tell(field, by)),
            EntityKind::Host => {
                let ends = HOSTS.iter().find(|(ending, _)| entity.name.ends_with(ending));
                ends.into_iter().for_each(|(by, field)| tell(field, by));
            }
            EntityKind::Tool | EntityKind::Package => {
                let known = NAMES.iter().find(|(name, _)| *name == entity.name);
                known.into_iter().for_each(|(by, field)| tell(field, by));
                continue;
            }
            _ => continue,
        }
        for (at, found) in text.match_indices(&entity.written) {
            named[at..at + found.len()].fill(true);
        }
    }
    let words: Vec<Word> = words_of(text)
        .into_iter()
        .filter(|word| !named[word.at.start])
        .map(|word| undeclined(text, word))
        .collect();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let initial = word.folded.bytes().next().unwrap_or_default();
        let known = PHRASES.get(&initial).map(Vec::as_slice).unwrap_or_default();
        let said = known.iter().filter(|phrase| begins(&words[at..], phrase.words));
        let longest = said.max_by_key(|phrase| phrase.length);
        longest.into_iter().for_each(|phrase| tell(phrase.field, phrase.words));
        at += longest.map_or(1, |phrase| phrase.length);
    }
    let most = told.values().map(BTreeSet::len).max()?;
    let mut fields = told.into_iter().filter(|(_, by)| by.len() == most).map(|(field, _)| field);
    let first = fields.next()?;
    fields.next().is_none().then(|| first.to_owned())
}

/// What a path tells: the first of its folder, its name and its ending that
/// tells anything.
fn file_tells(path: &str) -> Option<(&'static str, &'static str)> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let folder = FOLDERS.iter().find(|(folder, _)| path.contains(folder));
    let whole = FILES.iter().find(|(file, _)| file.eq_ignore_ascii_case(name));
    let ending = || FILES.iter().find(|(ending, _)| ending.starts_with('.') && name.ends_with(ending));
    folder.or(whole).or_else(ending).copied()
}

/// A word without the ending behind its apostrophe: "Docker'da" is Docker.
fn undeclined(text: &str, word: Word) -> Word {
    match text[word.at.clone()].split_once(is_apostrophe) {
        Some((name, _)) => Word { folded: fold(name), ..word },
        None => word,
    }
}

/// One telling word, which may be several words.
struct Phrase {
    field: &'static str,
    words: &'static str,
    length: usize,
}

/// The telling words by the first byte of their first word.
static PHRASES: LazyLock<HashMap<u8, Vec<Phrase>>> = LazyLock::new(|| {
    let mut found: HashMap<u8, Vec<Phrase>> = HashMap::new();
    for (field, phrases) in FIELDS {
        for words in phrases.split(',').map(str::trim) {
            let first = words.split(' ').next().unwrap_or_default();
            let initials: BTreeSet<u8> = first.split('|').filter_map(|word| word.bytes().next()).collect();
            for initial in initials {
                let length = words.split(' ').count();
                found.entry(initial).or_default().push(Phrase { field, words, length });
            }
        }
    }
    found
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::entities_of;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let summary = summary_of(text).unwrap_or_else(|| "(itself)".to_owned());
        assert_eq!(summary, expected, "{text}");
    }

    #[test]
    fn a_short_line_needs_no_summary() {
        check("", "(itself)");
        check("we use tabs", "(itself)");
        check("  - we use tabs\n", "(itself)");
        check(&"ş".repeat(100), "(itself)");
    }

    #[test]
    fn the_first_statement_stands_for_the_text() {
        check("The staging key is in vault.\nAda put it there.", "The staging key is in vault.");
        check("Staging anahtarı kasada. Ada koydu.\nSonra bakarız.", "Staging anahtarı kasada.");
        check("Great!\nThe deploy runs on Fridays.", "The deploy runs on Fridays.");
        check("Why is it slow?\nThe linker does all the work twice.", "The linker does all the work twice.");
        check("Neden yavaş?\nBağlayıcı her şeyi iki kez yapıyor.", "Bağlayıcı her şeyi iki kez yapıyor.");
        check("who broke the build?\nwho merged it?", "who broke the build?");
    }

    #[test]
    fn headings_and_marks_are_left_out() {
        check("# Deploy\n\nWe deploy from main with a tag.", "We deploy from main with a tag.");
        check("Deploy steps\n============\n\nWe tag main first.", "We tag main first.");
        check("**Deploy steps now**\nWe tag main first.", "We tag main first.");
        check("- run the linter\n- run the tests", "run the linter");
        check("1. Run the linter\n2. Run the tests", "Run the linter");
        check("> We tag main first.\n> Then it runs.", "We tag main first.");
        check("- [x] move the database\n- [ ] move the cache", "move the database");
        check("3. sürüm yayında.\nAda duyurdu.", "3. sürüm yayında.");
        check("# Nothing but a heading\n\n## And another one", "Nothing but a heading");
    }

    #[test]
    fn a_list_is_told_with_the_line_above_it() {
        check(
            "To release:\n- run the tests\n- tag main\n- tell Ada",
            "To release: run the tests; tag main; tell Ada",
        );
        check(
            "Yayın adımları:\n1. Testleri çalıştır.\n2. Etiketle.",
            "Yayın adımları: Testleri çalıştır; Etiketle",
        );
        check("Run it so:\n```sh\ncargo test\n```", "Run it so: cargo test");
        check("```\nlet kept = text;\nlet lost = 0;\n```", "let kept = text;");
    }

    #[test]
    fn a_long_sentence_is_cut_after_a_clause_or_a_word() {
        check(
            "The nightly import of the orders reads the whole file at once, which is why the machine needs \
             sixteen gigabytes of memory for it.",
            "The nightly import of the orders reads the whole file at once…",
        );
        check(
            "Gece çalışan sipariş aktarımı bütün dosyayı tek seferde belleğe okuyor çünkü satırlar birbirine \
             bağlı ve sırası önemli.",
            "Gece çalışan sipariş aktarımı bütün dosyayı tek seferde belleğe okuyor…",
        );
        check(
            "every worker of the import keeps its own copy of the price list in memory and reads it again at \
             the start of each day",
            "every worker of the import keeps its own copy of the price list in memory and reads it again…",
        );
    }

    #[test]
    fn code_paths_and_numbers_stay_whole() {
        check(
            "Whoever wants to see the failing requests of the last hour in production has to call `kubectl logs \
             --since 1h deploy/api` first",
            "Whoever wants to see the failing requests of the last hour in production has to call…",
        );
        check(
            "After a restart the cache of the billing service is cold and the first page may take as long as 30 \
             seconds to load",
            "After a restart the cache of the billing service is cold and the first page may take as long…",
        );
        check(
            "The certificates that the old windows machine in the office needs are to be put into C:\\Program \
             Files\\Acme\\certs by hand",
            "The certificates that the old windows machine in the office needs are to be put…",
        );
        check(&format!("see https://example.com/{}", "a/".repeat(80)), "see…");
        check(&"a".repeat(300), "(itself)");
    }

    proptest! {
        #[test]
        fn a_summary_is_one_short_line_of_the_text(text in "[a-zışğ0-9`.,:;#*>/\\\\ \\-\n]{0,400}") {
            if let Some(summary) = summary_of(&text) {
                prop_assert!(summary.chars().count() <= LONGEST_SUMMARY, "{summary}");
                prop_assert!(!summary.contains('\n') && !summary.trim().is_empty());
                let known: Vec<String> = words_of(&text).into_iter().map(|word| word.folded).collect();
                for word in words_of(&summary) {
                    prop_assert!(known.contains(&word.folded), "{} in {summary}", word.folded);
                }
            }
        }
    }

    #[test]
    fn the_field_is_the_one_that_most_words_tell() {
        for (text, expected) in [
            ("cargo build needs a newer rustc here", "rust"),
            ("the parser lives in src/parse/mod.rs", "rust"),
            ("we never unwrap in the crates of the core", "rust"),
            ("Rust'ta lifetime hatası alıyoruz", "rust"),
            ("the importer is a FastAPI app on Python 3.12", "python"),
            ("bağımlılıklar pip ile kuruluyor", "python"),
            ("scripts/import.py reads the price list", "python"),
            ("use pnpm, not npm", "javascript"),
            ("paketler node_modules klasöründe", "javascript"),
            ("the config is read in web/src/config.ts", "typescript"),
            ("TypeScript strict kipi açık kalsın", "typescript"),
            ("we moved to Go 1.22 in May", "go"),
            ("each goroutine has its own buffer", "go"),
            ("the service runs on the JVM with Spring Boot", "java"),
            ("Gradle sürümü 8.5 olmalı", "java"),
            ("the integration tests need a fixture for each tenant", "testing"),
            ("testleri pytest ile çalıştırıyoruz", "testing"),
            ("run cargo test before you push", "testing"),
            ("always rebase, never merge into a feature branch", "git"),
            ("commit mesajları İngilizce yazılır", "git"),
            ("pull requests need two reviews", "git"),
            ("the Dockerfile uses a multi-stage build", "docker"),
            ("Docker'da konteyner ayağa kalkmıyor", "docker"),
            ("kubectl is only allowed in the staging namespace", "kubernetes"),
            ("podlar sürekli yeniden başlıyor, helm ile düzelttik", "kubernetes"),
            ("backups go to an S3 bucket in us-east-1", "aws"),
            ("loglar CloudWatch'ta, AWS hesabı Ada'nın", "aws"),
            ("Postgres 16 holds the orders; migrations run at start", "database"),
            ("veritabanı yedekleri gece alınıyor", "database"),
            ("the schema is in db/schema.sql", "database"),
            ("never put a password or an API key into the repository", "security"),
            ("parolalar şifreli tutulur, yetki kontrolü şart", "security"),
            ("the navbar breaks in dark mode", "frontend"),
            ("arayüzde buton renkleri değişti", "frontend"),
            ("Next.js pages use Tailwind", "frontend"),
            ("billing-api listens on port 7070 behind nginx", "networking"),
            ("ağ güvenlik duvarı 443 dışında her şeyi kapatıyor", "networking"),
            ("GitHub Actions runs it on every push", "ci"),
            ("CI pipeline'ı Jenkins'te çalışıyor", "ci"),
            ("the workflow is .github/workflows/release.yml", "ci"),
            ("the glossary is part of the documentation", "documentation"),
            ("README her sürümde güncellenir, dokümanlar da", "documentation"),
            ("p99 latency doubled after the cache was removed", "performance"),
            ("açılış yavaş, darboğaz disk", "performance"),
            ("I use Neovim with my own keybindings", "editor"),
            ("VS Code kısayolları klavyeye göre", "editor"),
            ("the bucket is at files.s3.amazonaws.com", "aws"),
            // Nothing tells, a word tells something else, or two tell as much.
            ("Ada owns the billing team", ""),
            ("toplantı salı günü saat üçte", ""),
            ("let's go and see how users react in spring", ""),
            ("o dün eve gitti", ""),
            ("see docs/notes.md for the plan", ""),
            ("the Docker image is built by Jenkins", ""),
            ("", ""),
        ] {
            let domain = domain_of(text, &entities_of(text)).unwrap_or_default();
            assert_eq!(domain, expected, "{text}");
        }
    }

    #[test]
    fn a_word_counts_once_however_often_it_is_said() {
        assert_eq!(domain_of("docker docker docker and psql for sql", &[]).as_deref(), Some("database"));
    }

    #[test]
    fn every_telling_word_is_folded_and_tells_one_field() {
        let mut owners: BTreeMap<String, &str> = BTreeMap::new();
        for (field, phrases) in FIELDS {
            for phrase in phrases.split(',').map(str::trim) {
                assert!(!phrase.is_empty() && phrase == fold(phrase) && !phrase.contains("  "), "{phrase}");
                let spelt = phrase.split(' ').fold(vec![String::new()], |before, words| {
                    let longer =
                        |start: &String| words.split('|').map(|it| format!("{start} {it}")).collect();
                    before.iter().flat_map(|start| -> Vec<String> { longer(start) }).collect()
                });
                for one in spelt {
                    let other = owners.insert(one.clone(), field);
                    assert!(other.is_none(), "{one} tells of {field} and of {other:?}");
                }
            }
        }
        let known = |field: &str| FIELDS.iter().any(|(name, _)| *name == field);
        for (by, field) in NAMES.iter().chain(FILES).chain(FOLDERS).chain(HOSTS) {
            assert!(known(field), "{by} tells of {field}");
        }
    }
}
