//! The phrases that tell of a bond, in English and Turkish, in the folded
//! spelling.
//!
//! What stands between two names must be a phrase from beginning to end, so
//! that "does not use", "used to use" and "may use" are none. What a phrase is
//! held against is not known here.

use crate::graph::BondKind::{self, *};

/// Which of the two names the bond comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Forward,
    Back,
}
use Way::*;

/// The Turkish ending of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    /// None at all.
    Bare,
    /// As the object of a verb, with or without an ending.
    Object,
    /// With the ending of the object.
    Accusative,
    Dative,
    Genitive,
    /// With or without the ending of the genitive.
    Owner,
    Ablative,
    Locative,
    /// "With", written onto the name or after it.
    With,
    /// "It is", written onto the name or not said.
    Said,
}
use Case::*;

impl Case {
    pub(super) fn allows(self, ending: &str) -> bool {
        let one_of = |endings: &[&str]| endings.contains(&ending);
        match self {
            Bare => ending.is_empty(),
            Object => ending.is_empty() || Accusative.allows(ending),
            Accusative => one_of(&["i", "u", "yi", "yu", "ni", "nu"]),
            Dative => one_of(&["e", "a", "ye", "ya", "ne", "na"]),
            Genitive => one_of(&["in", "un", "nin", "nun"]),
            Owner => ending.is_empty() || Genitive.allows(ending),
            Ablative => one_of(&["den", "dan", "ten", "tan", "nden", "ndan"]),
            Locative => one_of(&["de", "da", "te", "ta", "nde", "nda"]),
            With => ending.is_empty() || one_of(&["le", "la", "yle", "yla"]),
            Said => ending.is_empty() || one_of(&["dir", "dur", "tir", "tur"]),
        }
    }
}

/// What has to stand before the first name, in its clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// Nothing that says anything: the name is the subject.
    Subject,
    /// Whatever.
    Anything,
    /// These words, with who did it or without.
    Deed(&'static str),
}
use Before::*;

/// How a bond is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Phrase {
    pub(super) kind: BondKind,
    pub(super) way: Way,
    pub(super) before: Before,
    pub(super) first: Case,
    /// All that stands between the names.
    pub(super) between: &'static str,
    pub(super) second: Case,
    /// What follows the second name, up to where the phrase is complete; `$` is
    /// that no noun does.
    pub(super) after: &'static str,
}

impl Phrase {
    /// It tells of a way from the one to the other.
    pub(super) fn is_move(&self) -> bool {
        self.first == Ablative || self.before == Deed(MOVED)
    }
}

const MOVED: &str = "moved|migrated|switched from $";

/// Subject, verb, object.
const fn said(kind: BondKind, way: Way, between: &'static str) -> Phrase {
    Phrase { kind, way, before: Subject, first: Bare, between, second: Bare, after: "" }
}

/// The same, where the second name must not belong to a noun behind it.
const fn said_alone(kind: BondKind, way: Way, between: &'static str) -> Phrase {
    Phrase { after: "$", ..said(kind, way, between) }
}

/// Subject, object, verb.
const fn turkish(kind: BondKind, way: Way, second: Case, after: &'static str) -> Phrase {
    Phrase { kind, way, before: Subject, first: Bare, between: "$", second, after }
}

pub(super) const PHRASES: &[Phrase] = &[
    said(Uses, Forward, "uses|use $"),
    said(Uses, Forward, "is|are using $"),
    said(Uses, Forward, "makes|make use of $"),
    said(Uses, Back, "is|are used by $"),
    said(DependsOn, Forward, "depends|depend|relies|rely on $"),
    said(DependsOn, Forward, "requires|require|needs|need $"),
    said(DependsOn, Forward, "is|are dependent on $"),
    said(DependsOn, Forward, "is|are built on top of $"),
    said(DependsOn, Back, "is|are required|needed by $"),
    said(DependsOn, Back, "is a dependency of $"),
    said(IsA, Forward, "is a kind|type|sort of $"),
    said_alone(IsA, Forward, "is|are a|an $"),
    said(PartOf, Forward, "is|are part of $"),
    said(PartOf, Forward, "is a part|component|module of $"),
    said(PartOf, Forward, "belongs|belong to $"),
    said(PartOf, Back, "consists|consist of $"),
    said(PartOf, Back, "contains|contain|includes|include $"),
    said_alone(Causes, Forward, "causes|cause|caused|triggers|trigger|triggered $"),
    said_alone(Causes, Forward, "leads|lead|led to $"),
    said_alone(Causes, Forward, "results|result|resulted in $"),
    said_alone(Causes, Back, "is|are|was|were caused|triggered by $"),
    said_alone(Fixes, Forward, "fixes|fix|fixed|resolves|resolve|resolved|solves|solve|solved $"),
    said_alone(Fixes, Back, "is|are|was|were fixed|resolved|solved by $"),
    said(Contradicts, Forward, "contradicts|contradict $"),
    said(Contradicts, Forward, "conflicts|conflict with $"),
    said(Contradicts, Forward, "is|are incompatible with $"),
    said(Replaces, Forward, "replaces|replace|replaced|supersedes|supersede|superseded $"),
    said(Replaces, Forward, "takes|took the place of $"),
    said(Replaces, Back, "is|are|was|were|been replaced by|with $"),
    said(Replaces, Back, "is|are|was|were|been superseded by $"),
    Phrase { before: Anything, ..said(Replaces, Forward, "instead of $") },
    Phrase { before: Anything, ..said(Replaces, Forward, "in place of $") },
    Phrase { before: Deed("replaced $"), ..said(Replaces, Back, "with|by $") },
    Phrase { before: Deed("swapped $"), ..said(Replaces, Back, "for|with $") },
    Phrase { before: Deed(MOVED), ..said(Replaces, Back, "to $") },
    said(RelatedTo, Forward, "is|are related to $"),
    said(RelatedTo, Forward, "relates|relate to $"),
    said(TestedBy, Forward, "is|are tested by|in $"),
    said(TestedBy, Forward, "is|are covered by $"),
    said(TestedBy, Back, "tests|test|covers|cover $"),
    said(ConfiguredBy, Forward, "is|are configured by|in|through|via|with $"),
    said(ConfiguredBy, Back, "configures|configure $"),
    said(Imports, Forward, "imports|import $"),
    said(Imports, Forward, "imports|import from $"),
    said(Imports, Back, "is|are imported by|in $"),
    turkish(Uses, Forward, Object, "kullaniyor|kullaniyorlar|kullanir|kullanmakta"),
    turkish(Uses, Back, Bare, "tarafindan kullaniliyor|kullanilir|kullanilmakta"),
    turkish(DependsOn, Forward, Dative, "bagimli|bagimlidir"),
    turkish(DependsOn, Forward, Dative, "ihtiyac duyuyor|duyar"),
    turkish(DependsOn, Forward, Object, "gerektiriyor|gerektirir"),
    Phrase { between: "bir $", ..turkish(IsA, Forward, Said, "$") },
    turkish(PartOf, Forward, Genitive, "parcasi|parcasidir"),
    turkish(PartOf, Forward, Genitive, "bir parcasi|parcasidir"),
    turkish(PartOf, Back, Object, "iceriyor|icerir"),
    turkish(Causes, Forward, Dative, "neden|sebep oluyor|oldu|olur"),
    turkish(Causes, Forward, Dative, "yol aciyor|acti|acar"),
    turkish(Fixes, Forward, Object, "cozuyor|cozdu|cozer|duzeltiyor|duzeltti|duzeltir|gideriyor|giderdi"),
    turkish(Contradicts, Forward, With, "ile celisiyor|celisir"),
    turkish(Contradicts, Forward, With, "celisiyor|celisir"),
    Phrase { before: Anything, first: Owner, between: "yerine $", ..turkish(Replaces, Back, Object, "") },
    turkish(Replaces, Forward, Genitive, "yerini aldi|aliyor"),
    turkish(Replaces, Forward, Genitive, "yerine gecti|geciyor"),
    turkish(Replaces, Back, With, "ile degistirildi|degisti"),
    turkish(Replaces, Back, With, "degistirildi"),
    Phrase {
        before: Anything,
        first: Accusative,
        ..turkish(Replaces, Back, With, "ile degistirdik|degistirdi")
    },
    Phrase { before: Anything, first: Accusative, ..turkish(Replaces, Back, With, "degistirdik|degistirdi") },
    Phrase {
        before: Anything,
        first: Ablative,
        ..turkish(Replaces, Back, Dative, "gectik|gecildi|gecti|tasindik|tasindi")
    },
    turkish(RelatedTo, Forward, With, "ile ilgili|ilgilidir|iliskili|iliskilidir"),
    turkish(TestedBy, Forward, With, "ile|tarafindan test ediliyor|edilir"),
    turkish(TestedBy, Forward, Locative, "test ediliyor|edilir"),
    turkish(TestedBy, Back, Accusative, "test ediyor|eder"),
    turkish(
        ConfiguredBy,
        Forward,
        With,
        "ile|tarafindan yapilandiriliyor|yapilandirilir|ayarlaniyor|ayarlanir",
    ),
    turkish(ConfiguredBy, Forward, Locative, "yapilandiriliyor|yapilandirilir|ayarlaniyor|ayarlanir"),
    turkish(ConfiguredBy, Back, Accusative, "yapilandiriyor|yapilandirir|ayarliyor"),
    turkish(Imports, Forward, Object, "import ediyor|eder"),
    turkish(Imports, Forward, Object, "ice aktariyor|aktarir"),
];

/// Words that may stand beside a phrase and change nothing of it.
#[rustfmt::skip]
pub(super) const FILLERS: &[&str] = &[
    "now", "currently", "already", "also", "heavily", "directly", "internally", "always", "today", "just",
    "recently", "finally", "fully", "completely", "entirely", "still", "mainly", "has", "have", "itself", "both",
    "artik", "su", "anda", "simdi", "hala", "zaten", "dogrudan", "da", "de", "ayrica",
];

/// Words before a name that only point at it.
#[rustfmt::skip]
pub(super) const POINTERS: &[&str] = &[
    "the", "a", "an", "our", "my", "your", "its", "their", "this", "that", "new", "main", "whole", "entire",
    "bu", "yeni", "bizim",
];

/// Nouns that say what a name names.
#[rustfmt::skip]
pub(super) const SORTS: &[&str] = &[
    "service", "server", "module", "crate", "package", "library", "file", "script", "job", "worker", "app",
    "application", "component", "tool", "cluster", "database", "db", "cache", "queue", "api", "backend",
    "frontend", "project", "repo", "function", "class", "layer", "system", "framework", "plugin",
    "servisi", "servis", "modulu", "paketi", "kutuphanesi", "kutuphanesini", "dosyasi", "dosyasini",
    "uygulamasi", "sunucusu", "veritabani", "veritabanini", "projesi", "kumesi", "sistemi",
];

/// Words right behind a phrase that take it back.
pub(super) const TAKE_BACK: &[&str] = &["no", "not", "never", "anymore", "degil", "degildir", "degildi"];

/// Where a clause begins.
#[rustfmt::skip]
pub(super) const JOINTS: &[&str] = &[
    "and", "but", "so", "because", "since", "while", "whereas", "that", "as", "therefore", "hence",
    "ve", "ama", "fakat", "cunku", "oysa", "ki",
];

/// Who may have done a deed.
pub(super) const DOERS: &[&str] = &["we", "i", "they", "you", "he", "she", "team", "user"];

/// Words that make a sentence less than a statement of how things are, beside
/// those that `claim` knows.
#[rustfmt::skip]
pub(super) const UNREAL: &[&str] = &[
    "when", "whenever", "unless", "once", "until", "whether", "assuming", "suppose", "imagine", "provided",
    "doubt", "denies", "deny", "false", "wrong", "untrue", "myth", "may", "lets", "let", "rumour", "rumor",
    "option", "goal", "idea", "alternative", "ideally", "secenek", "hedef", "fikir", "oneri",
    "sanmam", "sanmiyorum", "yanlis", "diyelim", "varsayalim", "surece",
];
