//! Instructions that hide in a text: what reads as if it wanted to be obeyed
//! by the agent that will read it.
//!
//! Nothing is removed here. A page or a log may well speak about instructions;
//! the caller only has to know, so that it stores such a text as quoted data.
//! The word lists are English and Turkish.

use crate::Instruction;
use crate::secrets::search_for;
use crate::view::{is_unseen, views};
use aho_corasick::AhoCorasick;
use regex::bytes::{Regex, RegexBuilder};
use std::sync::{LazyLock, OnceLock};

/// One sort of instruction: its reason, the words without one of which it
/// cannot be there, and its expression. In an expression `~` is white space of
/// any length, because a line may be broken anywhere.
struct Sort {
    reason: &'static str,
    words: &'static [&'static str],
    expression: &'static str,
}

const SORTS: &[Sort] = &[
    Sort {
        reason: "sets aside earlier instructions",
        words: &["ignore", "disregard", "forget", "override", "bypass"],
        expression: r"\b(?:ignore|disregard|forget|override|bypass)\b[^.]{0,40}?\b(?:previous|prior|above|earlier|preceding|foregoing|all|any|your|the|system|safety)\b[^.]{0,30}?\b(?:instructions?|prompts?|rules?|directions?|guidelines?|directives?|context|constraints?|guardrails?)\b",
    },
    Sort {
        reason: "sets aside earlier instructions",
        words: &["talimat", "kurallar", "komutlar", "yönerge", "yonerge"],
        expression: r"(?:talimat|kural|komut|y(?:ö|o)nerge)(?:[a-z]|ı|ü|ö)*[^.]{0,30}?(?:yok~?say|g(?:ö|o)rmezden~gel|unut|dikkate~alma|ge(?:ç|c)ersiz|bo(?:ş|s)~?ver|(?:ç|c)i(?:ğ|g)ne)",
    },
    Sort {
        reason: "gives the reader another role",
        words: &[
            "you are now",
            "act as",
            "pretend",
            "from now on",
            "new persona",
            "developer mode",
            "jailbreak",
        ],
        expression: r"\b(?:you~are~now~(?:an?|the|in|my|no~longer|free|going)\b|(?:act|behave)~as~(?:if~you|an?~(?:unrestricted|different|new|ai|assistant|admin))|pretend~(?:to~be|that~you|you~are)|from~now~on,?~(?:you|always|never|your)\b|new~persona|developer~mode|jailbreak)",
    },
    Sort {
        reason: "gives the reader another role",
        words: &["sen art", "bundan sonra", "gibi davran", "rolünü", "bundan böyle"],
        expression: r"(?:sen~art(?:ı|i)k|bundan~(?:sonra|b(?:ö|o)yle)~(?:sen|her~zaman|daima|asla)|gibi~davran|rol(?:ü|u)n(?:ü|u)~(?:ü|u)stlen)",
    },
    Sort {
        reason: "speaks of the system prompt",
        words: &["system prompt", "system message", "hidden prompt", "initial instructions"],
        expression: r"\b(?:system~(?:prompt|message)s?|hidden~prompt|initial~instructions)\b",
    },
    Sort {
        reason: "speaks of the system prompt",
        words: &["sistem istemi", "sistem mesaj", "sistem komut", "sistem talimat"],
        expression: r"sistem~(?:istemi|mesaj|komut|talimat)",
    },
    Sort {
        reason: "wants something hidden from the user",
        words: &[
            "tell",
            "inform",
            "mention",
            "reveal",
            "alert",
            "notify",
            "without asking",
            "silently",
            "knowledge",
        ],
        expression: r"(?:\b(?:do~not|don'?t|never|without)\s+(?:tell|telling|inform|informing|mention|mentioning|reveal|alert|notify|show|ask|asking)\b[^.]{0,30}?\b(?:the~)?(?:user|human|person|operator|developer|anyone|this)\b|\bsilently~(?:run|execute|send|add|install|delete|push|upload)\b|without~the~(?:user|human)'?s?~(?:knowledge|knowing|consent))",
    },
    Sort {
        reason: "wants something hidden from the user",
        words: &["kullanıcı", "kullanici"],
        expression: r"kullan(?:ı|i)c(?:ı|i)(?:[a-z]|ı|ü|ö)*[^.]{0,30}?(?:s(?:ö|o)yleme|bahsetme|haber~verme|g(?:ö|o)sterme|belli~etme|sormadan|fark~etme)",
    },
    Sort {
        reason: "wants to be remembered as a rule",
        words: &["remember", "memor", "always", "save this"],
        expression: r"(?:\b(?:remember|memori[sz]e|note)\b,?~(?:that~|to~|this:~?|for~(?:later|the~future)[,:]?~)?(?:you~(?:must|should|need~to|have~to|are~to)|always|never)\b|\b(?:save|store|add|write)~(?:this|the~following|it)~(?:to|in|into)~(?:your~|the~)?(?:long(?:-|~)term~)?memory\b|\byou~must~(?:always|never)\b)",
    },
    Sort {
        reason: "wants to be remembered as a rule",
        words: &["unutma", "hatırla", "hatirla", "hafıza", "hafiza", "belleğ"],
        expression: r"(?:(?:unutma|hat(?:ı|i)rla)[^.]{0,20}?(?:her~zaman|daima|asla|mutlaka|zorundas)|(?:her~zaman|daima|asla)[^.]{0,40}?(?:hat(?:ı|i)rla|unutma)|(?:haf(?:ı|i)za|belle(?:ğ|g))(?:[a-z]|ı)*[^.]{0,20}?(?:kaydet|ekle|yaz))",
    },
    Sort {
        reason: "imitates the marks of a conversation",
        words: &[
            "<system",
            "</system",
            "<assistant",
            "</assistant",
            "<human",
            "</human",
            "<user>",
            "</user>",
            "<tool",
            "</tool",
            "<function",
            "</function",
            "<invoke",
            "<|",
            "[inst]",
            "[/inst]",
            "<<sys>>",
            "tool_result",
            "<admin",
            "<instructions",
            "antml:",
        ],
        expression: r"(?:</?\s*(?:antml:)?(?:system|system[-_](?:reminder|prompt|message|instruction)|assistant|human|user|developer|admin|instructions?|tool[-_]?(?:result|results|use|call|response|output)|function[-_]?(?:calls?|results?|call)|invoke|thinking)\b[^<>\n]{0,80}>|<\|[a-z_ ]{2,30}\|>|\[/?INST\]|<</?SYS>>)",
    },
    Sort {
        reason: "imitates the marks of a conversation",
        words: &["system:", "assistant:", "human:", "### instruction", "### system", "\"role\""],
        expression: r#"(?m)(?:^[ \t>]*#{0,4}~?(?:system|assistant|human)(?:~(?:message|prompt))?:[ \t]*(?:you|ignore|please|from|always|never|do~not|the~user|i~)|^#{2,4}~(?:instructions?|system)\b|"role"[ \t]*:[ \t]*"(?:system|assistant|developer|tool)")"#,
    },
    Sort { reason: "hides instructions in a comment", words: &["<!--"], expression: r"<!--" },
    Sort {
        reason: "asks the reader to send something out",
        words: &["exfiltrat", "send", "upload", "post", "curl"],
        expression: r"\b(?:exfiltrate~(?:the|all|any|your|this|data|secrets?)\b|(?:send|upload|post|forward|leak)\b[^.]{0,40}?(?:\benv(?:ironment)?~(?:variables?|file)|\.env|\bsecrets?|credentials?|api~keys?|tokens?|passwords?|ssh~keys?|private~keys?|conversation|chat~history)\b[^.]{0,40}?\b(?:to|https?))",
    },
    Sort {
        reason: "speaks to a model",
        words: &[
            "ai assistant",
            "ai agent",
            "language model",
            "coding agent",
            "claude",
            "copilot",
            "yapay zeka",
        ],
        expression: r"\b(?:(?:attention|important|note|hey|dear)(?:[,:]|~to)~(?:all~)?(?:ai|llm|claude|copilot|coding|language~model|yapay~zek)|(?:ai~(?:assistants?|agents?)|language~models?|coding~agents?|claude|copilot)(?:~reading~this|[,:]?~(?:you~)?(?:must|should|need~to|are~(?:required|instructed)|please~(?:run|execute|ignore|add|delete)))|yapay~zeka[^.]{0,20}?(?:zorunda|meli|mal(?:ı|i)))",
    },
];

/// A comment is suspicious if it speaks to an agent and wants something.
const ADDRESSES: [&str; 14] = [
    "assistant",
    "agent",
    " ai ",
    "llm",
    "claude",
    "gpt",
    "model",
    "copilot",
    "instruction",
    "prompt",
    "talimat",
    "istem",
    "yapay zeka",
    "asistan",
];
const WANTS: [&str; 22] = [
    "ignore",
    "must",
    "always",
    "never",
    "do not",
    "don't",
    "should",
    "send",
    "run ",
    "execute",
    "delete",
    "remember",
    "disregard",
    "you are",
    "yok say",
    "unut",
    "gönder",
    "çalıştır",
    "asla",
    "her zaman",
    "sil",
    "zorunda",
];

static WORDS: LazyLock<(AhoCorasick, Vec<usize>)> = LazyLock::new(|| {
    let all = SORTS.iter().enumerate();
    search_for(
        all.flat_map(|(sort, row)| row.words.iter().map(move |word| (word.to_ascii_lowercase(), sort))),
    )
});

/// What in a text reads like an instruction, in order.
pub(crate) fn found(text: &str) -> Vec<Instruction> {
    let mut found = Vec::new();
    let view = views(text).pop();
    let bytes = view.as_ref().map_or(text.as_bytes(), |view| &view.bytes);
    let (words, sorts) = &*WORDS;
    let mut present = [false; SORTS.len()];
    let lower = bytes.to_ascii_lowercase();
    words.find_overlapping_iter(&lower).for_each(|hit| present[sorts[hit.pattern().as_usize()]] = true);
    for (sort, _) in present.iter().enumerate().filter(|(_, present)| **present) {
        for place in expression(sort).find_iter(bytes) {
            let mut range = place.range();
            if place.as_bytes() == b"<!--" {
                range.end = comment_end(bytes, range.end);
                if !speaks_to_an_agent(&bytes[range.clone()]) {
                    continue;
                }
            }
            if is_type(bytes, range.start) {
                continue;
            }
            let range = view.as_ref().map_or(range.clone(), |view| view.source(&range));
            let range = text.floor_char_boundary(range.start)..text.ceil_char_boundary(range.end);
            found.push(Instruction { range, reason: SORTS[sort].reason });
        }
    }
    if view.is_some() {
        found.extend(unseen(text));
    }
    found.sort_by_key(|instruction| (instruction.range.start, instruction.range.end));
    found
}

fn expression(sort: usize) -> &'static Regex {
    static EXPRESSIONS: [OnceLock<Regex>; SORTS.len()] = [const { OnceLock::new() }; SORTS.len()];
    EXPRESSIONS[sort].get_or_init(|| {
        let spaced = SORTS[sort].expression.replace('~', r"(?:\s+)");
        let built = RegexBuilder::new(&spaced).unicode(false).case_insensitive(true).build();
        built.expect("the expressions of the sorts are sound")
    })
}

/// `Vec<User>`: what the bracket at `at` opens is a type and not a tag.
pub(crate) fn is_type(text: &[u8], at: usize) -> bool {
    let name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_:".contains(byte);
    let camel = |pair: &[u8]| pair[0].is_ascii_uppercase() && pair[1].is_ascii_lowercase();
    text[at] == b'<' && at > 0 && name(&text[at - 1]) && text.get(at + 1..at + 3).is_some_and(camel)
}

/// Where a comment ends, or where nobody looks for its end any more.
fn comment_end(text: &[u8], start: usize) -> usize {
    let near = &text[start..text.len().min(start + 2_000)];
    start + near.windows(3).position(|end| end == b"-->").map_or(near.len(), |end| end + 3)
}

fn speaks_to_an_agent(comment: &[u8]) -> bool {
    let lower = String::from_utf8_lossy(comment).to_lowercase();
    let has = |list: &[&str]| list.iter().any(|word| lower.contains(word));
    has(&ADDRESSES) && has(&WANTS)
}

/// Runs of characters that nobody sees. Joiners belong into many scripts and
/// into pictures, so they count only between plain letters.
fn unseen(text: &str) -> Vec<Instruction> {
    let mut runs: Vec<Instruction> = Vec::new();
    let mut before = None;
    let mut rest = text.char_indices().peekable();
    while let Some((at, found)) = rest.next() {
        let after = rest.peek().map(|(_, next)| *next);
        if is_unseen(found) && is_misplaced(found, before, after, at) {
            let end = at + found.len_utf8();
            match runs.last_mut() {
                Some(last) if last.range.end == at => last.range.end = end,
                _ => runs.push(Instruction { range: at..end, reason: "has characters that nobody sees" }),
            }
        }
        before = Some(found);
    }
    runs
}

/// Whether an unseen character has no honest reason to be where it is.
fn is_misplaced(found: char, before: Option<char>, after: Option<char>, at: usize) -> bool {
    let plain = |side: Option<char>| side.is_none_or(|next| next.is_ascii());
    match found {
        '\u{200c}' | '\u{200d}' => plain(before) && plain(after),
        '\u{feff}' => at > 0,
        '\u{ad}' | '\u{200e}' | '\u{200f}' => false,
        _ => true,
    }
}
