//! What a text claims about the files, symbols, commands, versions and ports
//! of a project.
//!
//! A sentence is cut into statements, the things it names are found by their
//! shape, and what the words around them take back is left out. It would
//! rather miss a claim than make one: a missed claim is never checked, and a
//! made-up one puts a good memory in doubt.

use super::cues::{THING, Told, is_aside, is_idle, is_loose, is_outcome, is_turkish_change, told_by};
use super::lists::{
    AFTER_COMMANDS, BEFORE_COMMANDS, CARGO_OWN, CODE_NOUN_STEMS, CODE_NOUNS, COMPOSER_OWN, INTERPRETERS,
    LISTENS, OPTIONS_WITH_VALUE, PNPM_OWN,
};
use super::token::{Token, tokens_of};
use super::version::version_at;
use super::{Claim, CommandClaim, Runner};
use crate::ask::speech::{Word, is_small, words_of};
use crate::observe::sentence::sentences_of;
use crate::observe::{
    ENDINGS, EntityKind, FOLDERS, MACHINE_ENDINGS, NAMED_FILES, humps, is_path, is_symbol, name_of,
};

/// A text with more is a listing, and the rest of it is not read.
pub const MOST_CLAIMS: usize = 16;

/// The claims of a text, each once, in their order.
pub fn claims_in(text: &str) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    for sentence in sentences_of(text) {
        let sentence = &text[sentence];
        let tokens = tokens_of(sentence);
        let things = things_in(&tokens);
        if things.is_empty() || is_idle(sentence, &words_around(&tokens, &things).words) {
            continue;
        }
        for range in statements(&tokens) {
            let inside: Vec<Thing> =
                things.iter().filter(|thing| range.contains(&thing.from)).cloned().collect();
            for claim in claimed(&tokens[range.clone()], shifted(inside, range.start)) {
                if !claims.contains(&claim) {
                    claims.push(claim);
                }
            }
        }
    }
    claims.truncate(MOST_CLAIMS);
    claims
}

/// Something with a name that was found among the tokens.
#[derive(Debug, Clone)]
struct Thing {
    from: usize,
    /// How many tokens name it.
    len: usize,
    claims: Vec<Claim>,
}

fn shifted(things: Vec<Thing>, by: usize) -> Vec<Thing> {
    things.into_iter().map(|thing| Thing { from: thing.from - by, ..thing }).collect()
}

/// Where the statements of a sentence begin and end. What is set apart as not
/// so, "a, not b" and "a, b değil", takes nothing back of what is before it.
fn statements(tokens: &[Token<'_>]) -> Vec<std::ops::Range<usize>> {
    let word = |at: usize| if tokens[at].quoted { "" } else { tokens[at].folded.as_str() };
    let ends_in_denial = tokens.last().is_some_and(|last| last.folded == "degil");
    let begins = |at: &usize| {
        let comma = || tokens[*at - 1].raw.ends_with(',') || tokens[*at - 1].quoted && tokens[*at - 1].closes;
        let apart = || match word(*at) {
            "but" | "however" | "whereas" | "without" | "ama" | "fakat" | "ancak" | "oysa" => true,
            "not" => comma() || word(*at - 1) == "and",
            _ => ends_in_denial && comma(),
        };
        *at > 0 && (tokens[*at].parted || apart())
    };
    let mut from = 0;
    let mut ranges = Vec::new();
    for at in (0..tokens.len()).filter(begins).chain([tokens.len()]) {
        ranges.push(from..at);
        from = at;
    }
    ranges
}

/// The words of a statement, with one word for each thing.
struct Around {
    words: Vec<Word>,
    /// The place of each thing among them.
    places: Vec<usize>,
}

fn words_around(tokens: &[Token<'_>], things: &[Thing]) -> Around {
    let mut around = Around { words: Vec::new(), places: Vec::new() };
    let word = |folded: &str| Word { at: 0..0, folded: folded.to_owned() };
    let mut at = 0;
    while at < tokens.len() {
        if let Some(thing) = things.iter().find(|thing| thing.from == at) {
            around.places.push(around.words.len());
            around.words.push(word(THING));
            at += thing.len;
            continue;
        }
        if tokens[at].quoted {
            around.words.push(word(THING));
        } else {
            around.words.extend(words_of(tokens[at].raw));
        }
        at += 1;
    }
    around
}

/// What a statement claims of the things in it.
fn claimed(tokens: &[Token<'_>], things: Vec<Thing>) -> Vec<Claim> {
    // "It was in a and is now in b": what is before "now" was so.
    let now = (0..tokens.len()).find(|at| {
        matches!(tokens[*at].folded.as_str(), "now" | "artik" | "simdi")
            && things.iter().any(|thing| thing.from > *at)
    });
    if let Some(now) = now {
        let after: Vec<Thing> = things.iter().filter(|thing| thing.from > now).cloned().collect();
        let before = things.iter().any(|thing| thing.from < now);
        let looks_back = told_by(&words_around(&tokens[..now], &things).words) == Told::Nothing;
        if before || looks_back {
            return claimed(&tokens[now + 1..], shifted(after, now + 1));
        }
    }
    let Around { words, places } = words_around(tokens, &things);
    let told = told_by(&words);
    let loose = is_loose(&words);
    let turkish = told == Told::After && is_turkish_change(&words);
    let kept = things.into_iter().zip(places).filter(|(thing, place)| {
        let held = match told {
            Told::Nothing => false,
            Told::All => true,
            Told::After if turkish => is_goal(tokens, thing),
            Told::After => is_outcome(&words, *place),
        };
        held && !is_aside(&words, *place)
    });
    kept.flat_map(|(thing, _)| thing.claims)
        .filter(|claim| !(loose && matches!(claim, Claim::Version { .. })))
        .collect()
}

/// "B'ye taşındı", "b olarak adlandırıldı": where a Turkish change leads.
fn is_goal(tokens: &[Token<'_>], thing: &Thing) -> bool {
    let last = &tokens[thing.from + thing.len - 1];
    let next = tokens.get(thing.from + thing.len).map_or("", |next| next.folded.as_str());
    let dative = ["a", "e", "ya", "ye", "na", "ne"];
    let noun =
        |word: &str| ["una", "ine", "ina", "une"].iter().any(|end| word.len() > 5 && word.ends_with(end));
    dative.contains(&last.ending.as_str())
        || last.ending.is_empty() && (next == "olarak" || noun(next) || thing.len > 1 && noun(&last.folded))
}

fn things_in(tokens: &[Token<'_>]) -> Vec<Thing> {
    let calls_code = tokens.iter().any(|token| is_code_noun(&token.folded) && !token.quoted);
    let mut things = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let found = commands_at(tokens, at)
            .or_else(|| port_at(tokens, at).map(|(claim, len)| (vec![claim], len)))
            .or_else(|| version_at(tokens, at).map(|(claim, len)| (vec![claim], len)))
            .or_else(|| file_of(&tokens[at]).map(|claim| (vec![claim], 1)))
            .or_else(|| symbol_at(tokens, at, calls_code).map(|claim| (vec![claim], 1)));
        match found {
            Some((claims, len)) => {
                things.push(Thing { from: at, len, claims });
                at += len;
            }
            None => at += 1,
        }
    }
    things
}

// Files

fn file_of(token: &Token<'_>) -> Option<Claim> {
    file_named(token.text, token.quoted)
}

/// A path from the root of a project; what is elsewhere on a machine, or a
/// pattern, names no file of it.
fn file_named(text: &str, quoted: bool) -> Option<Claim> {
    let outside = ["/", "~", "../", "@"].iter().any(|start| text.starts_with(start));
    if outside || text.contains(['*', '~', '@', '+']) || text.contains("..") || !is_path(text) {
        return None;
    }
    let path = name_of(EntityKind::File, text);
    let mut parts = path.split('/');
    let first = parts.next().unwrap_or_default();
    let last = path.rsplit('/').next().unwrap_or_default();
    let folders = path.contains('/') || text.ends_with('/');
    // "github.com/a/b" is an address; ".github/a/b" is a folder.
    let host = folders
        && first
            .rsplit_once('.')
            .is_some_and(|(name, end)| !name.is_empty() && MACHINE_ENDINGS.contains(&end));
    let known = last.rsplit_once('.').is_some_and(|(stem, end)| !stem.is_empty() && ENDINGS.contains(&end))
        || NAMED_FILES.contains(&last)
        || first.starts_with('.') && first.len() > 2;
    let foldered =
        folders && (FOLDERS.contains(&first) || text.ends_with('/') || quoted || text.starts_with("./"));
    let letters = path.contains(char::is_alphabetic);
    // "Node.js" and "Vue.js" are names.
    let product = !folders && path.ends_with(".js") && path.starts_with(char::is_uppercase);
    (!host && letters && !product && (known || foldered)).then_some(Claim::File(path))
}

// Symbols

fn is_code_noun(folded: &str) -> bool {
    CODE_NOUNS.contains(&folded) || CODE_NOUN_STEMS.iter().any(|stem| folded.starts_with(stem))
}

/// A name of the code. Between backticks or with brackets its shape is enough;
/// a plain word has to be called a function or the like right beside it.
fn symbol_at(tokens: &[Token<'_>], at: usize, calls_code: bool) -> Option<Claim> {
    let token = &tokens[at];
    let called = token.raw.contains("()");
    let name = token.text.split(['<', '(']).next().unwrap_or_default().trim_start_matches('&');
    let parts: Vec<&str> = name.split("::").flat_map(|part| part.split('.')).collect();
    let identifier = |part: &&str| {
        !part.is_empty()
            && !part.starts_with(|mark: char| mark.is_ascii_digit())
            && part.chars().all(|mark| mark.is_alphanumeric() || mark == '_')
    };
    if name.len() < 3 || !parts.iter().all(identifier) || is_code_noun(&token.folded) && !token.quoted {
        return None;
    }
    let shaped = name.contains("::")
        || parts.iter().any(|part| part.trim_matches('_').contains('_') || humps(part) >= 2)
        || is_symbol(name, false);
    let beside = |at: Option<usize>| {
        at.and_then(|at| tokens.get(at)).is_some_and(|near| !near.quoted && is_code_noun(&near.folded))
    };
    let named_so = beside(at.checked_sub(1)) || beside(Some(at + 1)) && !token.closes;
    let claimed = match token.quoted {
        true => shaped || called || named_so,
        false => called || shaped && calls_code,
    };
    claimed.then(|| Claim::Symbol(name.to_owned()))
}

// Ports

fn port_at(tokens: &[Token<'_>], at: usize) -> Option<(Claim, usize)> {
    let token = &tokens[at];
    let folded = |at: usize| tokens.get(at).map_or("", |token| token.folded.as_str());
    if let Some(port) = addressed(token) {
        return Some((Claim::Port(port), 1));
    }
    let number = |at: usize| tokens.get(at).and_then(|token| port_of(token.text));
    // "Port 8080", "port is 8080", "portu 8080"; "8080 portunda".
    if matches!(token.folded.as_str(), "port" | "portu" | "portumuz") && token.text.len() >= 4 {
        if let Some(inside) = token.text.split_once(['=', ':']).and_then(|(_, number)| port_of(number)) {
            return Some((Claim::Port(inside), 1));
        }
        let joined =
            usize::from(matches!(folded(at + 1), "is" | "number" | "no") || token_is(tokens, at + 1, "="));
        return number(at + 1 + joined).map(|port| (Claim::Port(port), 2 + joined));
    }
    let port = port_of(token.text)?;
    let next = folded(at + 1);
    if next.starts_with("port") && next != "ports" && !token.closes {
        return Some((Claim::Port(port), 2));
    }
    if next == "numarali" && folded(at + 2).starts_with("port") {
        return Some((Claim::Port(port), 3));
    }
    let before = |back: usize| at.checked_sub(back).map_or("", folded);
    let listed = matches!(before(1), "ports" | "portlari")
        || matches!(before(1), "and" | "ve" | "or") && matches!(before(3), "ports" | "portlari" | "port");
    let listens = matches!(before(1), "on" | "to" | "at") && LISTENS.contains(&before(2))
        || next.starts_with("dinliyor")
        || next.starts_with("dinler");
    (listed || listens).then_some((Claim::Port(port), 1))
}

fn token_is(tokens: &[Token<'_>], at: usize, text: &str) -> bool {
    tokens.get(at).is_some_and(|token| token.text == text)
}

/// `:5432`, `localhost:3000`, `http://127.0.0.1:9000/health`.
fn addressed(token: &Token<'_>) -> Option<u16> {
    let raw = token.raw.trim_start_matches(['(', '"', '[']);
    let raw = ["http://", "https://", "ws://", "tcp://"]
        .iter()
        .find_map(|scheme| raw.strip_prefix(scheme))
        .unwrap_or(raw);
    let (host, rest) = raw.split_once(':')?;
    let local = host.is_empty()
        || host == "localhost"
        || host.split('.').filter_map(|part| part.parse::<u8>().ok()).count() == 4;
    let end = rest.find(|mark: char| !mark.is_ascii_digit()).unwrap_or(rest.len());
    let after = rest[end..].chars().next();
    let whole = after.is_none_or(|mark| "/,.;)\"'’]?!".contains(mark));
    port_of(&rest[..end]).filter(|_| local && whole)
}

/// Ports of two digits and more; one digit is a count.
fn port_of(text: &str) -> Option<u16> {
    let digits = (2..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|port| digits && *port > 0)
}

// Commands

fn commands_at(tokens: &[Token<'_>], at: usize) -> Option<(Vec<Claim>, usize)> {
    let token = &tokens[at];
    if token.quoted {
        let claims: Vec<Claim> =
            token.text.split("&&").flat_map(|part| part.split([';', '|'])).filter_map(of_line).collect();
        return (!claims.is_empty()).then_some((claims, 1));
    }
    let runner: Runner = token.text.parse().ok().filter(|_| !token.closes)?;
    let scripts = matches!(runner, Runner::Npm | Runner::Pnpm | Runner::Yarn);
    let named = if scripts && token_is(tokens, at + 1, "run") { at + 2 } else { at + 1 };
    let name = tokens.get(named).filter(|name| !name.quoted)?;
    let before = at.checked_sub(1).map_or("", |before| tokens[before].folded.as_str());
    let after = tokens.get(named + 1).map_or("", |after| after.folded.as_str());
    let sure = named == at + 2
        || BEFORE_COMMANDS.contains(&before)
        || AFTER_COMMANDS.contains(&after) && !name.closes;
    let words: Vec<&str> = tokens[at..=named].iter().map(|token| token.text).collect();
    let claim = of_words(&words).filter(|_| sure && !is_small(&name.folded))?;
    Some((vec![claim], words.len()))
}

/// The command of one line for a shell.
fn of_line(line: &str) -> Option<Claim> {
    let words: Vec<&str> = line
        .split_whitespace()
        .skip_while(|word| matches!(*word, "$" | "sudo" | "time") || word.contains('='))
        .collect();
    let first = *words.first()?;
    if let Some(claim) = file_named(first, true).filter(|_| words.len() > 1 || first.starts_with("./")) {
        return Some(claim);
    }
    if INTERPRETERS.contains(&first) {
        let file = words.iter().skip(1).find(|word| !word.starts_with('-'))?;
        return file_named(file, true).filter(|_| file.contains('.'));
    }
    of_words(&words)
}

fn of_words(words: &[&str]) -> Option<Claim> {
    let (first, rest) = words.split_first()?;
    let runner: Runner = first.parse().ok()?;
    let mut plain = Vec::new();
    let mut rest = rest.iter().copied();
    while let Some(word) = rest.next() {
        if OPTIONS_WITH_VALUE.contains(&word) {
            rest.next();
        } else if !word.starts_with(['-', '+']) && !word.contains('=') {
            plain.push(word);
        }
    }
    let name = match (runner, &plain[..]) {
        (Runner::Npm | Runner::Pnpm | Runner::Yarn, ["run" | "run-script", name, ..]) => name,
        (Runner::Npm | Runner::Yarn, [name @ ("test" | "start"), ..]) => name,
        (Runner::Pnpm, [name, ..]) if !PNPM_OWN.contains(name) => name,
        (Runner::Cargo, [name, ..]) if !CARGO_OWN.contains(name) => name,
        (Runner::Composer, ["run" | "run-script", name, ..]) => name,
        (Runner::Composer, [name, ..]) if !COMPOSER_OWN.contains(name) => name,
        (Runner::Make | Runner::Just | Runner::Task, [name, ..]) => name,
        _ => return None,
    };
    let plain = name.starts_with(|mark: char| mark.is_ascii_alphabetic())
        && name.chars().all(|mark| mark.is_ascii_alphanumeric() || "_.:/-".contains(mark));
    plain.then(|| Claim::Command(CommandClaim { runner, name: (*name).to_owned() }))
}
