//! A clause as words, and as much grammar as the readers of this room share:
//! which words are verbs, where a subject ends, what must not be touched.
//!
//! It decides nothing about a clause. The lists are written in the folded
//! spelling of the tokens: small letters, without Turkish signs.

use super::pieces::quotations;
use crate::ask::speech::{Language, language_of};
use crate::ask::when::reader::Reader;
use crate::ask::when::token::{Kind, Token, tokens};
use jiff::Zoned;
use std::ops::Range;

pub(super) struct Clause<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token>,
    pub(super) turkish: bool,
    /// Quotations and code: bytes that stay as they are.
    fixed: Vec<Range<usize>>,
}

/// What form of a verb a word is, if it is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    /// Is, has, can, won't.
    Auxiliary,
    Base,
    Third,
    Past,
}

impl<'a> Clause<'a> {
    pub(super) fn read(text: &'a str) -> Clause<'a> {
        let fixed = quotations(text);
        let mut tokens = tokens(text);
        for token in &mut tokens {
            if fixed.iter().any(|fixed| fixed.start < token.end && token.start < fixed.end) {
                token.kind = Kind::Opaque;
                token.text.clear();
                token.tail.clear();
            }
        }
        let mut clause = Clause { text, tokens, turkish: false, fixed };
        clause.turkish = clause.is_turkish();
        clause
    }

    pub(super) fn reader<'b>(&'b self, at: &'b Zoned) -> Reader<'b> {
        Reader::new(&self.tokens, at)
    }

    fn is_turkish(&self) -> bool {
        if language_of(self.text) == Language::Turkish {
            return true;
        }
        let all = 0..self.tokens.len();
        let english =
            all.clone().any(|at| self.any(at, "the a an is are was were we i you it to of and in will"));
        !english && all.clone().any(|at| self.turkish_verb(at) || self.any(at, TURKISH_WORDS))
    }

    pub(super) fn is_fixed(&self, at: &Range<usize>) -> bool {
        self.fixed.iter().any(|fixed| fixed.start < at.end && at.start < fixed.end)
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    pub(super) fn written(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| &self.text[token.start..token.end])
    }

    /// The bytes of these tokens.
    pub(super) fn bytes(&self, of: Range<usize>) -> Range<usize> {
        match (self.get(of.start), of.end.checked_sub(1).and_then(|last| self.get(last))) {
            (Some(first), Some(last)) if first.start <= last.end => first.start..last.end,
            _ => 0..0,
        }
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.get(at).is_some_and(|token| token.kind == Kind::Word)
    }

    /// The token is one of these words, without anything after an apostrophe.
    pub(super) fn any(&self, at: usize, words: &str) -> bool {
        self.get(at).is_some_and(|token| {
            token.kind == Kind::Word
                && token.tail.is_empty()
                && words.split(' ').any(|word| word == token.text)
        })
    }

    pub(super) fn after_any(&self, at: usize, words: &str) -> bool {
        at.checked_sub(1).is_some_and(|at| self.any(at, words))
    }

    /// These words, one after the other; the token after them.
    pub(super) fn phrase(&self, at: usize, words: &str) -> Option<usize> {
        words.split(' ').try_fold(at, |at, word| self.any(at, word).then_some(at + 1))
    }

    pub(super) fn is_mark(&self, at: usize, marks: &str) -> bool {
        self.get(at).is_some_and(|token| {
            token.kind == Kind::Mark && !token.text.is_empty() && marks.contains(token.text.as_str())
        })
    }

    pub(super) fn says(&self, words: &str) -> bool {
        (0..self.len()).any(|at| self.any(at, words))
    }

    /// The English verb here.
    pub(super) fn verb(&self, at: usize) -> Option<Verb> {
        let token = self.get(at).filter(|token| token.kind == Kind::Word)?;
        let word = token.text.as_str();
        let contracted = token.tail == "t" && (word == "can" || word.ends_with('n'));
        if contracted || self.any(at, AUXILIARIES) {
            return Some(Verb::Auxiliary);
        }
        if !token.tail.is_empty() {
            return None;
        }
        if is_past(word) {
            return Some(Verb::Past);
        }
        let listed = |word: &str| VERBS.split_ascii_whitespace().any(|verb| verb == word);
        if listed(word) {
            return Some(Verb::Base);
        }
        let third = [word.strip_suffix('s'), word.strip_suffix("es")].into_iter().flatten().any(listed)
            || word.strip_suffix("ies").is_some_and(|stem| listed(&format!("{stem}y")));
        third.then_some(Verb::Third)
    }

    /// Where the verb stands, if these tokens begin with a subject and its
    /// verb: "the database is", "we use", "Redis listens on".
    pub(super) fn stands(&self, of: Range<usize>) -> Option<usize> {
        let first = self.get(of.start)?;
        let pronoun = first.kind == Kind::Word && PRONOUNS.split(' ').any(|word| word == first.text);
        if pronoun && matches!(first.tail.as_str(), "s" | "re" | "ve" | "ll" | "d" | "m") {
            return Some(of.start).filter(|_| of.len() > 1);
        }
        let adverbs = |at: usize| (at..of.end).find(|at| !self.is_adverb(*at)).unwrap_or(of.end);
        if pronoun && first.tail.is_empty() {
            let verb = adverbs(of.start + 1);
            let bare = self.any(of.start, "this that these those") && self.verb(verb).is_none();
            if !bare {
                return (verb < of.end && self.is_word(verb) && verb + 1 < of.end
                    || self.verb(verb).is_some() && verb < of.end)
                    .then_some(verb);
            }
        }
        if self.any(of.start, NO_SUBJECT) {
            return None;
        }
        let determined = self.any(of.start, DETERMINERS);
        let named = first.kind == Kind::Opaque || first.capital;
        for at in of.start + 1..of.end.min(of.start + 7) {
            let kind = self.get(at)?.kind;
            if kind == Kind::Mark && !self.is_mark(at, "-–") || self.any(at, SUBORDINATORS) {
                return None;
            }
            let more = at + 1 < of.end && !self.is_mark(at + 1, ".,;:!?");
            let after_determiner = self.after_any(at, DETERMINERS);
            match self.verb(at).filter(|_| !after_determiner) {
                Some(Verb::Auxiliary) if more => return Some(at),
                Some(Verb::Third | Verb::Past) if more && (determined || named) => return Some(at),
                Some(Verb::Base) if more && (determined || named) => {
                    let plural = self.get(at - 1).is_some_and(|noun| noun.text.ends_with('s'));
                    if plural || self.after_any(at - 1, "and") {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    pub(super) fn is_adverb(&self, at: usize) -> bool {
        let ly = self.get(at).is_some_and(|token| {
            token.kind == Kind::Word
                && token.text.ends_with("ly")
                && !matches!(
                    token.text.as_str(),
                    "rely" | "apply" | "reply" | "supply" | "comply" | "multiply" | "fly"
                )
        });
        ly || self.any(at, ADVERBS)
    }

    /// Whether a Turkish sentence may end with this word.
    pub(super) fn turkish_verb(&self, at: usize) -> bool {
        let Some(token) = self.get(at).filter(|token| token.kind == Kind::Word && token.tail.is_empty())
        else {
            return false;
        };
        let word = token.text.as_str();
        if self.any(at, TURKISH_PREDICATES) {
            return true;
        }
        if self.any(at, "kendi simdi yedi yorum forum hadi belki acaba eskiden yetki gelecek")
            || word.len() < 5
        {
            return false;
        }
        is_turkish_future(word)
            || is_turkish_past(word)
            || TURKISH_VERBAL.split(' ').any(|end| word.ends_with(end))
    }
}

pub(super) fn is_turkish_future(word: &str) -> bool {
    let ends = |ends: &str| ends.split(' ').any(|end| word.len() > end.len() + 1 && word.ends_with(end));
    ends(FUTURE_ENDINGS) && !matches!(word, "yiyecek" | "icecek" | "giyecek" | "gelecek")
}

/// In the forms that people tell with: moved, we moved, I moved, they moved.
pub(super) fn is_turkish_past(word: &str) -> bool {
    let stem = ["ilar", "iler", "ular", "uler", "im", "ik", "um", "uk", "i", "u"];
    word.len() >= 5
        && !EXCEPT_PAST.contains(&word)
        && stem.iter().any(|ending| {
            word.strip_suffix(ending).is_some_and(|stem| {
                // "di" and "ti" after a verb; "kati" and "adi" are too short.
                (stem.ends_with('d') || stem.ends_with('t') && voiceless(&stem[..stem.len() - 1]))
                    && stem.len() >= 3
            })
        })
}

fn voiceless(stem: &str) -> bool {
    stem.ends_with(['c', 'f', 'h', 'k', 'p', 's', 't'])
}

pub(super) fn is_past(word: &str) -> bool {
    let regular =
        word.len() >= 4 && word.ends_with("ed") && !word.ends_with("eed") && !EXCEPT_ED.contains(&word);
    regular || IRREGULAR.split_ascii_whitespace().any(|past| past == word)
}

const TURKISH_WORDS: &str = "yarin dun bugun gelecek gecen onumuzdeki haftaya hafta pazartesi sali carsamba \
                             persembe cuma cumartesi kadar beri ve ama ben benim bana beni kullanici";

pub(super) const AUXILIARIES: &str = "is are was were am has have had do does did will would can could should must \
                           may might shall cannot isnt arent dont doesnt didnt cant wont";

/// Subjects that are no names.
pub(super) const PRONOUNS: &str =
    "i we you he she it they this that these those there everyone everybody nobody someone";

pub(super) const DETERMINERS: &str =
    "the a an our my your his her its their this that these those each every all both no any some";

/// What follows belongs to the clause before.
pub(super) const SUBORDINATORS: &str = "if when whenever because that which who whom whose whether unless while once \
                             until till so since although though where why how as than eger cunku";

/// With these no subject begins.
const NO_SUBJECT: &str = "in on at for from to by with without of since after before during until till under over \
                          between if when whenever because that which who unless while once so although not never \
                          only just also then now today tomorrow yesterday last next currently recently soon later \
                          please let lets is are was were do does did have has will can should to as than";

const ADVERBS: &str = "always never really also just still often already only now even ever rather much almost \
                       sometimes first then all both soon not";

/// Common verbs whose forms with an "s" are seldom nouns.
const VERBS: &str = "add agree allow apply ask assume attend avoid become begin believe belong break bring buy care \
    come commute compile connect consider contain cost create deal decide define depend disable dislike enable \
    enjoy enter exist expect expire expose fail feel find finish fit follow forget format get give go grow handle \
    happen hate have hear help hold hope import include install intend invoke join keep know learn leave let \
    like listen live log look lose love maintain make mean meet merge migrate move need offer open own pay plan \
    play point prefer produce provide publish pull push put read receive recommend reject rely remember remove \
    rename render replace require respond restart retry return rewrite rotate run save say see seem send serve \
    set share ship show sit sleep speak spend stand start stay stop store struggle study support switch take \
    talk teach tell tend think time travel trust try turn type understand upgrade use validate wait walk want \
    watch wear work worry write";

const IRREGULAR: &str = "was were had did got went came made took gave found left lost met ran said sent saw wrote \
    began broke built bought brought chose fell grew kept knew led rebuilt rewrote told thought won became drew \
    drove felt flew forgot froze heard held hid meant paid rang rose sang sat shook slept sold spent spoke spun \
    stood stole stuck swam taught threw undid understood woke wore withdrew overrode reran caught fought sought \
    lent bent dug hung lit slid struck swept wound overwrote";

const TURKISH_PREDICATES: &str = "var yok degil lazim gerek gerekir gerekiyor olur kullanir kullaniriz yapar yapariz \
                                  eder ederiz calisir severim kullanirim isterim yaparim ederim";

const TURKISH_VERBAL: &str = "iyor uyor iyoruz uyoruz iyorum uyorum iyorlar uyorlar iyorsun mali meli maliyiz meliyiz \
                              maliyim meliyim mistir mustur maktadir mektedir mis iyordu uyordu";

/// Nouns that end like a verb of the past.
const EXCEPT_PAST: &[&str] = &[
    "kendi", "simdi", "yetki", "etki", "katki", "artik", "taktik", "elastik", "plastik", "kredi", "melodi",
    "komedi", "yedi", "hadi", "metodu",
];

const EXCEPT_ED: &[&str] =
    &["embed", "hundred", "shared", "shed", "sled", "bred", "biased", "sacred", "naked"];

const FUTURE_ENDINGS: &str = "ecek acak ecegiz acagiz ecegim acagim eceksin acaksin ecekler acaklar ecektir acaktir \
                              eceksiniz acaksiniz";
