//! What the words of a claim that holds a value are: whoever answers for a
//! thing, kinds of things, what things have, where something is so.
//!
//! The lists are those of a developer, in English and Turkish. What follows
//! for two claims is not decided here.

use super::known::Mark;
use super::reading::Reading;
use super::values::About;
use super::words::Word;

/// Words of whoever answers for a thing.
pub(super) fn is_of_person(word: &Word) -> bool {
    #[rustfmt::skip]
    const ROOTS: &[&str] = &[
        "owner", "responsib", "contact", "maintain", "maintenance", "leading", "manage", "reviews", "reviewed", "sorumlu", "sahib",
        "lider", "yonetic", "yonetiyor", "devral", "ilgilen", "bakiyor", "assigne",
    ];
    const WORDS: &[&str] =
        &["own", "owns", "owned", "lead", "leads", "leader", "led", "charge", "belongs", "basina", "ait"];
    WORDS.contains(&word.folded.as_str()) || ROOTS.iter().any(|root| word.folded.starts_with(root))
}

/// Many things are one, or have one.
pub(super) fn is_generic(word: &Word) -> bool {
    #[rustfmt::skip]
    const KINDS: &[&str] = &[
        "server", "servic", "modul", "component", "app", "application", "system", "project", "repo",
        "repository", "packag", "codebas", "file", "folder", "directory", "config", "configuration", "script",
        "team", "cluster", "instanc", "machin", "user", "people", "databas", "tabl", "class", "function",
        "flag", "mode", "featur", "environment", "environ", "library", "version", "code", "setting", "data",
        "namespac", "issu", "sunucu", "servis", "uygula", "uygulama", "sistem", "proje", "depo", "paket",
        "dosya", "klasor", "dizin", "ekip", "ekib", "kume", "makin", "makine", "kullanici", "kullanic", "veritaban",
        "veritabani", "minimum", "maximum", "min", "max", "tablo", "sinif", "bayrak", "ozellik", "ortam", "gun", "saat", "sayi", "adres", "is",
        "taraf", "sinir", "sur", "sure", "mod", "ad", "degisken", "host",
    ];
    let is = |kind: &str| word.stem == kind || word.folded == kind;
    if matches!(word.folded.as_str(), "backend" | "ci") {
        return false;
    }
    word.is(Mark::SlotNoun)
        || word.stem_is(Mark::SlotNoun)
        || KINDS.iter().any(|kind| is(kind))
        || [
            "sunucu",
            "servis",
            "dosya",
            "klasor",
            "ekib",
            "ekip",
            "modul",
            "makine",
            "tablo",
            "ortam",
            "adres",
            "proje",
            "uygulama",
            "sistem",
            "paket",
            "veritaban",
        ]
        .iter()
        .any(|root| word.folded.starts_with(root))
}

/// The measure that a word names: all measures of time are one.
pub(super) fn measure_of(word: &Word) -> Option<&'static str> {
    #[rustfmt::skip]
    const MEASURES: &[(&str, &[&str])] = &[
        ("time", &["ms", "millisecond", "second", "sec", "minut", "min", "hour", "day", "week", "month",
            "year", "saniye", "dakika", "saat", "gun", "hafta", "ay", "yil", "saniy", "dakik", "haft"]),
        ("size", &["kb", "mb", "gb", "tb", "byt", "kib", "mib", "gib", "megabyt", "gigabyt"]),
        ("share", &["percent", "yuzd"]),
        ("times", &["time", "kez", "kere", "defa"]),
    ];
    let is = |root: &str| word.stem == root || word.folded == root;
    MEASURES.iter().find(|(_, roots)| roots.iter().any(|root| is(root))).map(|(name, _)| *name)
}

/// Verbs that say little in Turkish, in whatever form.
pub(super) fn is_light_in_turkish(word: &Word) -> bool {
    #[rustfmt::skip]
    const ROOTS: &[&str] = &[
        "kullan", "calis", "duruyor", "tutu", "bulun", "yapi", "yapti", "oldu", "olur", "ediyor", "istiyor",
        "seviyor", "tercih", "gecti", "tasi", "degisti", "kosuyor", "aldik", "alin", "basliyor", "baslar",
        "yayinlan", "barindir", "kaydir", "cektik", "yukselt", "guncelle", "cikar", "dusur", "adlandir",
        "erisil", "giril", "baglan", "gidiyor", "bakiyor", "saklan", "sakliyor", "gecir", "birak", "ayril",
    ];
    word.ending.is_empty() && !word.is_literal() && ROOTS.iter().any(|root| word.folded.starts_with(root))
}

/// A name of one of the sets of which a slot holds one, in whatever form.
pub(super) fn is_of_class(word: &Word) -> bool {
    #[rustfmt::skip]
    const PLAIN: &[&str] = &[
        "error", "info", "debug", "trace", "warn", "may", "march", "merge", "rest", "go", "fly", "render",
        "express", "black", "solid", "parcel", "fish", "main", "nose", "team", "teams",
    ];
    let verb =
        matches!(word.stem.as_str(), "merg" | "squash" | "rebas" | "trac" | "debug" | "render" | "warn");
    let plain = verb || PLAIN.contains(&word.folded.as_str());
    !word.small && !word.by_stem().known.classes.is_empty() && !plain
}

/// What a thing has rather than what it is.
pub(super) fn is_attribute(word: &Word) -> bool {
    #[rustfmt::skip]
    const NAMES: &[&str] = &[
        "limit", "timeout", "time", "day", "hour", "port", "version", "address", "host", "date", "schedul",
        "siz", "maximum", "minimum", "number", "count", "name", "ownership", "responsibility", "expiry", "interval",
        "lifetime", "lifetim", "ttl", "validity", "duration", "length", "age", "rotation", "suit",
        "gun", "saat", "sinir", "sure", "surum", "adres", "sayi", "ad", "adi",
    ];
    const ROOTS: &[&str] =
        &["gunu", "saati", "sinir", "sure", "surum", "port", "adres", "sayi", "sorumlu", "adin"];
    NAMES.contains(&word.stem.as_str()) || ROOTS.iter().any(|root| word.folded.starts_with(root))
}

/// A word that may be left out: the staging server is staging.
pub(super) fn is_transparent(word: &Word) -> bool {
    #[rustfmt::skip]
    const ROOTS: &[&str] = &[
        "server", "service", "module", "component", "app", "system", "team", "project", "repo", "package", "file",
        "machine", "environment", "instance", "cluster", "mode", "flag", "feature", "job", "sunucu", "servis",
        "bucket", "runner", "pool", "storage", "aralig", "merkez", "choice", "variable", "setting", "option",
        "threshold", "cap", "container", "ofis", "office", "bolge", "region",
        "modul", "uygulama", "sistem", "ekip", "ekib", "proje", "paket", "dosya", "makine", "ortam", "mod",
    ];
    is_attribute(word) || is_stuff(word) || ROOTS.iter().any(|root| word.folded.starts_with(root))
}

/// What a thing consists of, does or stands in: said of it, it adds nothing.
pub(super) fn is_stuff(word: &Word) -> bool {
    #[rustfmt::skip]
    const ROOTS: &[&str] = &[
        "traffic", "data", "source", "task", "box", "home", "rack", "process", "job", "trafi", "islem", "ofis",
        "office", "merkez", "center", "centre", "veri", "meeting", "toplanti",
    ];
    ROOTS.iter().any(|root| word.folded.starts_with(root) && word.folded.len() <= root.len() + 4)
}

pub(super) fn is_container(word: &Word) -> bool {
    ["folder", "directory", "klasor", "dizin"].iter().any(|root| word.folded.starts_with(root))
}

/// `eu-central-1`
pub(super) fn is_region(word: &Word) -> bool {
    let mut parts = word.folded.split('-');
    let (first, last) = (parts.next().unwrap_or(""), parts.next_back().unwrap_or(""));
    first.len() == 2 && last.len() == 1 && last.bytes().all(|mark| mark.is_ascii_digit())
}

/// What something is written in is a language or a form of file, never both.
pub(super) fn is_language(word: &Word) -> bool {
    #[rustfmt::skip]
    const LANGUAGES: &[&str] = &[
        "english", "turkish", "german", "french", "spanish", "ingilizce", "turkce", "almanca", "fransizca",
    ];
    LANGUAGES.iter().any(|language| word.folded.starts_with(language))
}

/// Names in code that begin or end alike: `reports_v1` and `reports_main`.
pub(super) fn are_of_a_family(one: &Word, other: &Word) -> bool {
    const ALIKE: usize = 4;
    let marked = |word: &Word| word.folded.contains(['_', '-', '.']);
    let front =
        || one.folded.bytes().zip(other.folded.bytes()).take_while(|(one, other)| one == other).count();
    let back = || {
        one.folded
            .bytes()
            .rev()
            .zip(other.folded.bytes().rev())
            .take_while(|(one, other)| one == other)
            .count()
    };
    marked(one) && marked(other) && (front() >= ALIKE || back() >= ALIKE)
}

/// "Cert" for "certificates": what developers cut short.
fn is_clipped(short: &str, long: &str) -> bool {
    #[rustfmt::skip]
    const CLIPPED: &[&str] = &[
        "cert", "auth", "config", "env", "dep", "repo", "app", "var", "lib", "doc", "admin", "spec", "param",
        "sync", "perf", "notif", "rec", "temp", "prod", "dev", "stat", "calc", "conf", "info", "demo", "sub",
    ];
    let root = short.strip_suffix('s').unwrap_or(short);
    CLIPPED.contains(&root) && long.len() >= root.len() + 4 && long.starts_with(root)
}

/// Forms of one word that no stem brings together: "translation" and
/// "translators".
pub(super) fn is_one_root(one: &Word, other: &Word, turkish: bool) -> bool {
    let has_forms = |word: &Word| word.folded.chars().all(|mark| mark.is_alphabetic() || mark == '-');
    if !has_forms(one) || !has_forms(other) {
        return false;
    }
    if is_clipped(&one.folded, &other.folded) || is_clipped(&other.folded, &one.folded) {
        return true;
    }
    if turkish && short_root(one) == short_root(other) {
        return true;
    }
    let shared = one.folded.bytes().zip(other.folded.bytes()).take_while(|(one, other)| one == other).count();
    shared >= 5 && shared + 3 >= one.folded.len().min(other.folded.len())
}

pub(super) fn names_setting(reading: &Reading, word: &Word, spelled: &str) -> bool {
    let inflected = reading.turkish && spelled.len() >= 4 && word.letters <= spelled.len() + 4;
    word.folded == spelled || inflected && word.folded.starts_with(spelled)
}

#[rustfmt::skip]
const SETTINGS: &[&[(&str, &[&str])]] = &[
        &[("production", &["prod", "production", "uretim", "canli", "live"]), ("staging", &["staging", "stage"]),
            ("dev", &["dev", "development", "gelistirme"]), ("local", &["local", "locally", "yerel"]),
            ],
        &[("frontend", &["frontend", "ui", "onyuz"]), ("backend", &["backend"]), ("mobile", &["mobile", "mobil"]),
            ("android", &["android"]), ("ios", &["ios"]), ("desktop", &["desktop", "masaustu"])],
        &[("old", &["old", "legacy", "eski", "former"])],
        &[("primary", &["primary", "main"]), ("replica", &["replica", "secondary", "standby", "yedek"])],
        &[("unit", &["unit", "birim"]), ("integration", &["integration", "entegrasyon"]), ("e2e", &["e2e"])],
];

/// Where a claim says that something is so: a group, and which of it.
pub(super) fn settings_of(reading: &Reading) -> Vec<(usize, &'static str)> {
    let names = |word: &Word, spelled: &str| names_setting(reading, word, spelled);
    let mut found = Vec::new();
    for (group, members) in SETTINGS.iter().enumerate() {
        for (name, spellings) in *members {
            if reading.words.iter().any(|word| spellings.iter().any(|spelled| names(word, spelled))) {
                found.push((group, *name));
            }
        }
    }
    found
}

/// What a person does for a thing, where that is less than to answer for it.
pub(super) fn roles_of(reading: &Reading) -> Vec<&'static str> {
    const ROLES: &[&str] = &["review", "contact", "notes", "write"];
    let told = |role: &&&str| {
        reading
            .words
            .iter()
            .any(|word| word.folded.starts_with(**role) && (is_of_person(word) || **role == "write"))
    };
    ROLES.iter().filter(told).copied().collect()
}

pub(super) fn is_setting(reading: &Reading, about: &About) -> bool {
    let word = &reading.words[about.word];
    let mut spellings = SETTINGS[0].iter().flat_map(|(_, spellings)| *spellings);
    spellings.any(|spelled| names_setting(reading, word, spelled))
}

/// A Turkish word of one syllable without its ending: the stems leave it be.
fn short_root(word: &Word) -> &str {
    const ENDINGS: &[&str] =
        &["lari", "leri", "lar", "ler", "dan", "den", "tan", "ten", "da", "de", "in", "un"];
    let root = |ending: &str| word.folded.strip_suffix(ending).filter(|root| root.len() == 3);
    ENDINGS.iter().find_map(|ending| root(ending)).unwrap_or(&word.folded)
}
