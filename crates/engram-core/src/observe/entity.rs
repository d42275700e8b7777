//! The things with a name that a sentence speaks of.
//!
//! They are told by their shape (paths, identifiers, versions, addresses) and
//! by the words around them (who owns, who was asked, what runs on a port).
//! There is no list of products or of people here: a name that nobody has
//! heard of is found like any other, and a famous one without shape or
//! company is not.

use super::names::{
    ABBREVIATIONS, ANNOTATIONS, CALENDAR, CLASS_NOUNS, COMPANY_FORMS, COUNTED, ENDINGS, FOLDERS, HOLDERS,
    INSTALLERS, MACHINE_ENDINGS, NAMED_FILES, NOT_NAMES, PERSON_AFTER, PERSON_BEFORE, ROLES, SERVICE_NOUNS,
    TOOL_AFTER, TOOL_BEFORE,
};
use crate::ask::speech::{is_small, words_of};
use crate::words::words;
use serde::{Deserialize, Serialize};

words! {
    /// What sort of thing a name names.
    pub enum EntityKind ("entity kind") {
        File = "file",
        Symbol = "symbol",
        Package = "package",
        Tool = "tool",
        Service = "service",
        Person = "person",
        Organisation = "organisation",
        Host = "host",
    }
}

/// A thing with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entity {
    pub kind: EntityKind,
    /// How it is compared: the same for every spelling of the name.
    pub name: String,
    /// How it was written.
    pub written: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// No observation names more things than this.
pub const MOST_ENTITIES: usize = 8;

/// The entities of a text, the surest first.
pub fn entities_of(text: &str) -> Vec<Entity> {
    let tokens = tokens_of(text);
    let mut found: Vec<(u32, Entity)> = Vec::new();
    for at in 0..tokens.len() {
        let Some((sure, kind, written)) = kind_at(&tokens, at) else { continue };
        let (written, inner) = split_version(written, kind);
        let version = inner.or_else(|| version_after(&tokens, at));
        let name = name_of(kind, written);
        if name.is_empty() {
            continue;
        }
        match found.iter_mut().find(|(_, known)| known.name == name) {
            Some((known, entity)) => {
                if sure > *known {
                    (*known, entity.kind) = (sure, kind);
                }
                entity.version = entity.version.take().or(version);
            }
            None => found.push((sure, Entity { kind, name, written: written.to_owned(), version })),
        }
    }
    found.sort_by_key(|(sure, _)| std::cmp::Reverse(*sure));
    found.into_iter().map(|(_, entity)| entity).take(MOST_ENTITIES).collect()
}

/// A word as it stands in the text, without the punctuation around it.
struct Token<'t> {
    text: &'t str,
    /// As it is compared with the words of the tables.
    plain: String,
    /// It stood between backticks.
    quoted: bool,
    /// An apostrophe and a Turkish ending followed it: only names have that.
    declined: bool,
    /// It is the first word of a sentence, so that its capital says nothing.
    opens: bool,
    /// A comma or a full stop follows.
    closes: bool,
}

fn tokens_of(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut opens = true;
    for (piece, quoted) in text.split('`').zip([false, true].into_iter().cycle()) {
        if quoted && !piece.is_empty() {
            tokens.push(Token {
                text: piece,
                plain: plain_of(piece),
                quoted,
                declined: false,
                opens: false,
                closes: false,
            });
            opens = false;
            continue;
        }
        for raw in piece.split_whitespace() {
            let text = bare(raw);
            if text.is_empty() {
                continue;
            }
            let after = raw.trim_end_matches(['"', ')', '\'']);
            let ends = after.ends_with(['.', '!', '?', ':']);
            let closes = ends || after.ends_with([',', ';']);
            tokens.push(Token {
                text,
                plain: plain_of(text),
                quoted: false,
                declined: is_declined(raw),
                opens,
                closes,
            });
            opens = ends;
        }
    }
    tokens
}

fn plain_of(text: &str) -> String {
    words_of(text).into_iter().next().map(|word| word.folded).unwrap_or_default()
}

/// A word without quotes, brackets and the endings that follow an apostrophe.
pub(crate) fn bare(raw: &str) -> &str {
    let text = raw.trim_matches(|mark: char| "\"'“”‘’(),;:!?[]{}…".contains(mark));
    let text = text.strip_suffix('.').unwrap_or(text).trim_end_matches(['.', ')', '"']);
    match text.find(['\'', '’']) {
        Some(at) if at > 0 => &text[..at],
        _ => text,
    }
}

/// "lokalise'den" is a name; "that's" and "don't" are not.
pub(super) fn is_declined(raw: &str) -> bool {
    let ending = raw
        .split_once(['\'', '’'])
        .map(|(_, ending)| ending.trim_end_matches(|mark: char| !mark.is_alphabetic()));
    ending.is_some_and(|ending| {
        !ending.is_empty()
            && ending.chars().all(char::is_lowercase)
            && !["s", "t", "re", "ve", "ll", "d", "m"].contains(&ending)
    })
}

type Guess<'t> = (u32, EntityKind, &'t str);

/// What the token at this place names, with how sure that is.
fn kind_at<'t>(tokens: &[Token<'t>], at: usize) -> Option<Guess<'t>> {
    let token = &tokens[at];
    by_shape(token).or_else(|| if token.quoted { None } else { by_company(tokens, at) })
}

fn by_shape<'t>(token: &Token<'t>) -> Option<Guess<'t>> {
    use EntityKind::*;
    let text = token.text;
    if token.quoted && text.contains(' ') && !text.contains("::") && !text.contains(['<', '(', '=', '{']) {
        let first = text.split(' ').next().unwrap_or_default();
        let command =
            first.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        return (command && first.len() > 1).then_some((60, Tool, first));
    }
    if let Some(rest) = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")) {
        let host = rest.split(['/', ':', '?', '#']).next().unwrap_or_default();
        return host.contains('.').then_some((90, Host, host));
    }
    if let Some(rest) = text.strip_prefix('@') {
        let letters = |name: &str| {
            name.len() > 1 && name.chars().all(|mark| mark.is_alphanumeric() || "-_.".contains(mark))
        };
        return match rest.split_once('/') {
            Some((scope, name)) => {
                (letters(scope) && letters(name.split('@').next()?)).then_some((95, Package, text))
            }
            None => (letters(rest) && !ANNOTATIONS.contains(&rest)).then_some((80, Person, rest)),
        };
    }
    if let Some((name, version)) = text.split_once('@') {
        let digit =
            version.trim_start_matches(['^', '~', 'v', '=']).starts_with(|mark: char| mark.is_ascii_digit());
        return (digit && !name.is_empty()).then_some((95, Package, text));
    }
    if is_path(text) {
        return Some((95, File, text));
    }
    if is_address(text) {
        return Some((85, Host, text));
    }
    if is_symbol(text, token.quoted) {
        return Some((if token.quoted { 92 } else { 88 }, Symbol, text));
    }
    None
}

/// A path of a file or a folder, by its shape.
pub(crate) fn is_path(text: &str) -> bool {
    let last = text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let ending =
        last.rsplit_once('.').map(|(stem, ending)| (stem, ending.split(':').next().unwrap_or(ending)));
    let is_file = ending.is_some_and(|(stem, ending)| !stem.is_empty() && ENDINGS.contains(&ending))
        || NAMED_FILES.contains(&last)
        || last.starts_with('.') && last.len() > 3 && last[1..].bytes().all(|byte| byte.is_ascii_lowercase());
    let marks = text.chars().all(|mark| mark.is_alphanumeric() || "/._-~*+@:".contains(mark));
    let slashes = text.matches('/').count();
    let rooted = ["/", "./", "../", "~/"].iter().any(|root| text.starts_with(root)) && last.len() > 1;
    let foldered = slashes >= 1 && text.split('/').next().is_some_and(|first| FOLDERS.contains(&first));
    marks
        && text.len() > 2
        && (is_file || slashes >= 1 && (rooted || foldered || slashes >= 2 || text.ends_with('/')))
}

/// An address of a machine: numbers with dots, or names with dots that end as
/// the names of machines do.
fn is_address(text: &str) -> bool {
    let (host, port) = text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port)));
    if port.is_some_and(|port| port.is_empty() || !port.bytes().all(|byte| byte.is_ascii_digit())) {
        return false;
    }
    let labels: Vec<&str> = host.split('.').collect();
    let plain = |label: &&str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let numbers = labels.len() == 4 && labels.iter().all(|label| label.parse::<u8>().is_ok());
    let named = labels.len() >= 2
        && labels.iter().all(plain)
        && host.bytes().any(|byte| byte.is_ascii_alphabetic())
        && labels.last().is_some_and(|last| MACHINE_ENDINGS.contains(last))
        && (labels.len() > 2 || labels[0].len() > 2);
    numbers || named || host == "localhost"
}

/// An identifier of a program, by its humps, underscores and colons.
pub(crate) fn is_symbol(text: &str, quoted: bool) -> bool {
    let core = text.trim_end_matches("()").trim_start_matches('&');
    let called = core.len() < text.len();
    let letters = |mark: char| mark.is_ascii_alphanumeric() || mark == '_';
    if core.len() < 3 || !core.starts_with(|mark: char| mark.is_ascii_alphabetic() || mark == '_') {
        return false;
    }
    if let Some((left, right)) = core.split_once("::") {
        return left.chars().all(letters) && right.starts_with(|mark: char| letters(mark) || mark == '<');
    }
    if quoted && core.contains('<') && core.starts_with(|mark: char| mark.is_ascii_uppercase()) {
        return true;
    }
    let dotted = core.split('.').count() == 2
        && core.split('.').all(|part| part.len() > 1 && part.chars().all(letters));
    let snaky = |part: &str| part.trim_matches('_').contains('_') && part.chars().all(letters);
    if dotted {
        return quoted || called || core.split('.').any(|part| snaky(part) || is_camel(part));
    }
    core.chars().all(letters)
        && (snaky(core) || is_camel(core) || is_class(core) || called || quoted && !core.contains('.'))
}

/// Small letters, then a hump: `loadConfig`. A trailing run of capitals is how
/// products are spelt ("macOS"), not how code is.
fn is_camel(text: &str) -> bool {
    text.starts_with(|mark: char| mark.is_ascii_lowercase())
        && humps(text) >= 1
        && !ends_in_capitals(text)
        && text.len() > 4
}

/// Two humps and the last one is a noun of programs: `BillingGateway`. Other
/// double humps may be products, which their company tells.
fn is_class(text: &str) -> bool {
    text.starts_with(|mark: char| mark.is_ascii_uppercase())
        && humps(text) >= 2
        && !ends_in_capitals(text)
        && CLASS_NOUNS.iter().any(|noun| text.ends_with(noun))
}

/// How many words with a capital a name is made of.
pub(crate) fn humps(text: &str) -> usize {
    let marks: Vec<char> = text.chars().collect();
    let first = usize::from(marks.first().is_some_and(|mark| mark.is_ascii_uppercase()));
    first + marks.windows(2).filter(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase()).count()
}

fn ends_in_capitals(text: &str) -> bool {
    text.len() > 2 && text.bytes().rev().take(2).all(|byte| byte.is_ascii_uppercase())
}

/// What the words around a name make of it.
fn by_company<'t>(tokens: &[Token<'t>], at: usize) -> Option<Guess<'t>> {
    use EntityKind::*;
    let token = &tokens[at];
    let text = token.text;
    let plain = token.plain.as_str();
    let before = |back: usize| at.checked_sub(back).map_or("", |place| tokens[place].plain.as_str());
    let (previous, earlier) = (before(1), before(2));
    let next = if token.closes { "" } else { tokens.get(at + 1).map_or("", |next| next.plain.as_str()) };
    let later = tokens.get(at + 2).map_or("", |later| later.plain.as_str());
    let capital = text.starts_with(char::is_uppercase);
    let name = text.chars().all(|mark| mark.is_alphanumeric() || "-_.+#".contains(mark))
        && text.chars().any(char::is_alphabetic);
    let common = !name || text.chars().count() < 2 || is_common(plain);
    let one_of = |list: &[&str], word: &str| list.contains(&word);

    // Packages are named by those who install them.
    if one_of(INSTALLERS, earlier)
        && one_of(&["add", "install", "i", "get", "require"], previous)
        && !text.starts_with('-')
    {
        return Some((90, Package, text));
    }
    if one_of(INSTALLERS, plain) && one_of(&["add", "install", "i", "run", "test", "build", "get"], next) {
        return Some((55, Tool, text));
    }
    if one_of(&["crate", "package", "library", "gem", "npm"], next) && !common && !token.closes {
        return Some((75, Package, text));
    }
    if common || one_of(COMPANY_FORMS, plain) {
        return None;
    }
    if capital && one_of(COMPANY_FORMS, next) {
        return Some((85, Organisation, text));
    }
    // People have roles, and do what programs do not.
    let human = || {
        one_of(PERSON_BEFORE, previous) && !token.opens
            || one_of(PERSON_AFTER, next)
            || one_of(&["is", "ise"], next)
                && one_of(&["the", "our", "a"], later)
                && role_follows(tokens, at + 3)
            || next == "the" && role_follows(tokens, at + 2)
            || next == "from"
                && later.len() > 2
                && tokens.get(at + 2).is_some_and(|from| from.text.starts_with(char::is_uppercase))
            || role_near(tokens, at)
    };
    if capital
        && human()
        && text.chars().all(|mark| mark.is_alphabetic() || mark == '-')
        && !all_capitals(text)
    {
        return Some((78, Person, text));
    }
    let works = || {
        one_of(&["at", "for"], previous)
            && one_of(&["works", "work", "worked", "working", "is", "team", "folks", "people"], earlier)
            || one_of(&["support", "sales", "legal"], next) && previous == "from"
            || one_of(&["customer", "partner", "vendor", "client", "musterimiz"], previous)
    };
    if capital && works() && !token.opens {
        return Some((76, Organisation, text));
    }
    // A service is called one, or is somewhere.
    if one_of(SERVICE_NOUNS, next)
        && (capital && !token.opens || previous == "the" || text.contains('-'))
        && !one_of(NOT_NAMES, plain)
    {
        return Some((72, Service, text));
    }
    if one_of(&["runs", "listens", "calisiyor", "runs"], next) && one_of(&["on", "at", "in"], later)
        || next == "is" && later == "at"
    {
        return (!one_of(NOT_NAMES, plain)).then_some((70, Service, text));
    }
    if text.contains('-')
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.starts_with(|mark: char| mark.is_ascii_lowercase())
        && text.len() > 3
    {
        return Some((66, Host, text));
    }
    let hyphened = text.split('-').count() > 1
        && text.split('-').all(|part| part.starts_with(|mark: char| mark.is_ascii_uppercase()));
    if hyphened && text.len() > 4 {
        return Some((64, Symbol, text));
    }
    if text.contains('-')
        && (one_of(HOLDERS, next) || one_of(&["in", "under", "from", "with"], previous) && token.closes)
    {
        return Some((60, Service, text));
    }
    if token.declined
        && text.chars().all(char::is_alphanumeric)
        && text.chars().any(char::is_alphabetic)
        && text.len() > 2
    {
        return Some((56, Tool, text));
    }
    // A tool is used, preferred to another, or has a version.
    let chosen = one_of(&["uses", "using"], previous)
        || previous == "of" && earlier == "instead"
        || previous == "than" && earlier == "rather"
        || next == "instead" && later == "of"
        || next == "over" && capital
        || next == "yerine"
        || previous == "yerine"
        || next == "degil"
        || previous == "degil"
        || previous == "not" && (token.closes || at + 1 == tokens.len());
    let dotted_version =
        tokens.get(at + 1).is_some_and(|after| is_version(after.text) && after.text.contains('.'));
    let versioned =
        dotted_version || capital && tokens.get(at + 1).is_some_and(|after| is_version(after.text));
    let said_version = capital && version_after(tokens, at).is_some();
    if !token.closes && (versioned || said_version) && !one_of(COUNTED, plain) {
        return Some((74, Tool, text));
    }
    if chosen && !one_of(NOT_NAMES, plain) {
        return Some((58, Tool, text));
    }
    if !capital {
        return None;
    }
    let product = ends_in_capitals(text) && humps(text) >= 1 && !all_capitals(text) || humps(text) >= 2;
    let named =
        !token.opens && (one_of(TOOL_BEFORE, previous) || one_of(TOOL_AFTER, next) || all_capitals(text));
    let apart =
        text.len() > 2 && !one_of(ABBREVIATIONS, text) && !one_of(COUNTED, plain) && !one_of(CALENDAR, plain);
    ((product || named) && apart).then_some((if product { 68 } else { 50 }, Tool, text))
}

fn all_capitals(text: &str) -> bool {
    text.len() > 1 && !text.chars().any(char::is_lowercase)
}

/// A word that every text has, or a role, a day, a number: no name.
fn is_common(plain: &str) -> bool {
    plain.len() < 2 || is_small(plain) || CALENDAR.contains(&plain)
}

/// A role within the next three words.
fn role_follows(tokens: &[Token<'_>], from: usize) -> bool {
    tokens.iter().skip(from).take(3).any(|token| ROLES.contains(&token.plain.as_str()))
}

/// A Turkish role within four words of a name that opens the sentence: "Ayşe
/// backend ekibinin lideri".
fn role_near(tokens: &[Token<'_>], at: usize) -> bool {
    tokens[at].opens
        && tokens.iter().skip(at + 1).take(4).any(|token| {
            [
                "lideri",
                "sahibi",
                "sorumlusu",
                "yoneticisi",
                "muduru",
                "bakiyor",
                "ekipte",
                "onayliyor",
                "inceliyor",
            ]
            .contains(&token.plain.as_str())
        })
}

/// A version: digits with dots, or with a v before them.
pub(crate) fn is_version(text: &str) -> bool {
    let digits = text.strip_prefix('v').unwrap_or(text);
    digits.starts_with(|mark: char| mark.is_ascii_digit())
        && digits.len() <= 12
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && digits.split('.').all(|part| !part.is_empty() && part.len() <= 4)
}

/// A version written onto the name: `serde@1.0`.
fn split_version(written: &str, kind: EntityKind) -> (&str, Option<String>) {
    if kind != EntityKind::Package {
        return (written, None);
    }
    match written.rsplit_once('@') {
        Some((name, version)) if !name.is_empty() => {
            (name, Some(version.trim_start_matches(['^', '~', 'v', '=']).to_owned()))
        }
        _ => (written, None),
    }
}

/// A version behind the name: "Postgres 16", "Redis is version 6.2".
fn version_after(tokens: &[Token<'_>], at: usize) -> Option<String> {
    if tokens[at].closes {
        return None;
    }
    let version =
        |token: &Token<'_>| is_version(token.text).then(|| token.text.trim_start_matches('v').to_owned());
    let direct = tokens.get(at + 1).and_then(version);
    direct.or_else(|| {
        let said = tokens.iter().enumerate().skip(at + 1).take(4);
        let after =
            said.into_iter().find(|(_, token)| matches!(token.plain.as_str(), "version" | "surumu"))?.0;
        tokens.get(after + 1).and_then(version)
    })
}

/// Files and symbols are spelt exactly; people spell other names as they like.
pub(crate) fn name_of(kind: EntityKind, written: &str) -> String {
    match kind {
        EntityKind::File => {
            let path = written.strip_prefix("./").unwrap_or(written).trim_end_matches('/');
            path.split(':').next().unwrap_or(path).to_owned()
        }
        EntityKind::Symbol => written.trim_end_matches("()").trim_start_matches('&').to_owned(),
        EntityKind::Package | EntityKind::Host => written.to_lowercase(),
        _ => words_of(written).into_iter().map(|word| word.folded).collect::<Vec<_>>().join("-"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let told = |entity: Entity| {
            let version = entity.version.map(|version| format!("@{version}")).unwrap_or_default();
            format!("{} {}{version}", entity.kind, entity.name)
        };
        let found: Vec<String> = entities_of(text).into_iter().map(told).collect();
        assert_eq!(found.join(", "), expected, "{text}");
    }

    #[test]
    fn code_is_told_by_its_shape() {
        check("the deploy script is in ops/deploy.sh", "file ops/deploy.sh");
        check("see ./src/a.rs:12 and Cargo.toml.", "file src/a.rs, file Cargo.toml");
        check("it is `RetryPolicy::Exponential` now", "symbol RetryPolicy::Exponential");
        check("call load_config() in SessionStore::evict", "symbol load_config, symbol SessionStore::evict");
        check("loadUser and E2E_BASE_URL matter", "symbol loadUser, symbol E2E_BASE_URL");
        check("either and/or read/write is fine", "");
        check("run `make release` first", "tool make");
        check("a number like 1.5 or 10:30 is none", "");
    }

    #[test]
    fn packages_have_installers_and_versions() {
        check("pinned to serde@1.0.229", "package serde@1.0.229");
        check("we import @acme/ui everywhere", "package @acme/ui");
        check("then cargo add rayon and go on", "package rayon, tool cargo");
        check("the CI image ships protoc 3.12", "tool protoc@3.12");
        check("we moved to Postgres 16 because of that", "tool postgres@16");
        check("Redis on prod is version 6.2", "tool redis@6.2");
    }

    #[test]
    fn machines_have_addresses() {
        check("grafana is at metrics.internal.acme.io", "host metrics.internal.acme.io, service grafana");
        check("see https://docs.example.com/a/b?c", "host docs.example.com");
        check("10.0.4.12 adresinde", "host 10.0.4.12");
        check("the billing-api service runs on port 7070", "service billing-api");
    }

    #[test]
    fn people_own_and_are_asked() {
        check("Ada owns the pipeline", "person ada");
        check("I asked Priya about it", "person priya");
        check("ping @lena before you merge", "person lena");
        check("Sarah's the product owner", "person sarah");
        check("Ayşe backend ekibinin lideri", "person ayse");
        check("Kenji from Stripe support is our contact", "person kenji, organisation stripe");
        check("she works at Stripe", "organisation stripe");
        check("a contract with Foo GmbH", "organisation foo");
    }

    #[test]
    fn tools_are_used_and_compared() {
        check("the frontend uses pnpm, not npm.", "tool pnpm, tool npm");
        check("redis yerine nats kullanalim", "tool redis, tool nats");
        check("the workers talk over NATS", "tool nats");
        check("RabbitMQ is what we have", "tool rabbitmq");
        check("it is a good day", "");
    }

    #[test]
    fn no_more_than_eight_are_named() {
        let text = (0..20).map(|number| format!("src/file{number}.rs ")).collect::<String>();
        assert_eq!(entities_of(&text).len(), MOST_ENTITIES);
    }
}
