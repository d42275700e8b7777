//! Reminders in Turkish: "... yapınca bana ... yapmayı hatırlat".
//!
//! The order stands last, the condition is a verb with an ending of its own,
//! and what is to be done is a verb made a noun. What a condition or a day
//! means is not known here.

use super::Asked;
use super::sentence::Sentence;
use jiff::Zoned;
use std::ops::Range;

pub(super) fn asked_in(sentence: &Sentence<'_>, said_at: &Zoned) -> Option<Asked> {
    let order = (0..sentence.len()).find_map(|at| {
        let end = order_at(sentence, at).filter(|_| !sentence.is_quoted(at))?;
        Some(at..end)
    })?;
    let all = 0..sentence.len();
    let asks = all.clone().any(|at| sentence.any(at, ASKING));
    let to_me = all.clone().any(|at| sentence.any(at, "bana bize"));
    let to_others = all.clone().any(|at| is_of_others(sentence.word(at)) && !to_me);
    if asks || to_others {
        return None;
    }
    let moments = sentence.moments(&all, said_at);
    let dated = |at: &usize| moments.iter().any(|(words, moment)| words.contains(at) && !moment.is_deadline);
    let announced = sentence.after_colon(order.end) && order.end < sentence.len();
    let fills =
        |at: usize| sentence.any(at, FILLING) || announced && sentence.any(at, "sunu bunu sunlari bunlari");
    let said = |of: Range<usize>| -> Vec<usize> {
        let told = of.filter(|at| !fills(*at)).collect::<Vec<_>>();
        if told.iter().all(dated) { Vec::new() } else { told }
    };
    // "Bana hatırlat: yarın raporu göndereyim" says it behind the order.
    let told = Some(said(0..order.start)).filter(|told| !told.is_empty());
    let told = told.unwrap_or_else(|| said(order.end..sentence.len()));
    let last = *told.last()?;
    let states = is_statement(sentence.word(last));
    // What is so on some day says nothing of when to be told of it.
    let counts = |words: &Range<usize>| !states || (0..words.start).all(fills);
    let moment = moments.iter().find(|(words, _)| counts(words)).map(|(_, moment)| moment.clone());
    let content: Vec<usize> = told.into_iter().filter(|at| !(dated(at) && moment.is_some())).collect();
    let (when, text) = parted(sentence, &content);
    let does = text.last().is_some_and(|last| is_deed(sentence.word(*last)) || states);
    if text.is_empty() || when.is_empty() && moment.is_none() && !does {
        return None;
    }
    let when = Some(joined(sentence, &when)).filter(|when| !when.is_empty());
    Some(Asked { text: joined(sentence, &text), when, moment })
}

/// The order that begins here; the word after it.
fn order_at(sentence: &Sentence<'_>, at: usize) -> Option<usize> {
    let orders = [
        "hatirlatir|hatirlatabilir misin|misiniz",
        "hatirlatmayi unutma|unutmayin",
        "hatirlatmani|hatirlatmanizi istiyorum|isterim|rica",
        "unutmama izin verme",
        "hatirlat|hatirlatsana|hatirlatin|hatirlatiniz|hatirlatirsin|hatirlatirmisin|unutturma|unutturmayin",
    ];
    let orders = orders.iter().find_map(|words| sentence.phrase(at, words));
    // "Hatırlatır mısın" as people type it, in one word or two.
    orders.filter(|_| !sentence.any(at + 1, "diye dedi dediler demis"))
}

/// What has to come up, and what is to be told then.
fn parted(sentence: &Sentence<'_>, content: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let content = match content {
        [first, rest @ ..] if sentence.any(*first, "eger") => rest,
        all => all,
    };
    let place = (0..content.len()).rev().find(|place| {
        let at = content[*place];
        is_condition(sentence, at)
    });
    let Some(place) = place else { return (Vec::new(), content.to_vec()) };
    let deed = content[..place].iter().position(|at| is_deed(sentence.word(*at)));
    match deed {
        Some(deed) if place + 1 == content.len() => {
            (content[deed + 1..=place].to_vec(), content[..=deed].to_vec())
        }
        _ => (content[..=place].to_vec(), content[place + 1..].to_vec()),
    }
}

/// A condition ends with this word.
fn is_condition(sentence: &Sentence<'_>, at: usize) -> bool {
    let word = sentence.word(at);
    if condition_root(word).is_some() {
        return true;
    }
    let before = at.checked_sub(1).map_or("", |before| sentence.word(before));
    let after_it = sentence.any(at, "sonra") && ["ktan", "kten"].iter().any(|end| before.ends_with(end));
    let before_it = sentence.any(at, "once") && ["madan", "meden"].iter().any(|end| before.ends_with(end));
    let at_once = ["maz", "mez"].iter().any(|end| word.ends_with(end))
        && word.get(..3).is_some_and(|beginning| before.starts_with(beginning));
    // "Bir sonraki deployda", "bir dahaki sefere".
    let next = (1..=3).any(|back| at.checked_sub(back).is_some_and(|at| sentence.any(at, "dahaki sonraki")))
        && (["da", "de", "ta", "te"].iter().any(|end| word.ends_with(end)) || word.starts_with("sefer"));
    after_it || before_it || at_once || next
}

/// The root of a verb whose ending says "when" or "if": "dokununca",
/// "ederken", "açtığımızda", "olursa".
pub(super) fn condition_root(word: &str) -> Option<&str> {
    if matches!(word, "erken" | "ince" | "dusunce" | "boyunca" | "guvence" | "yoksa" | "kirken") {
        return None;
    }
    let long = |root: &str| root.len() >= 2;
    let plain = ["inca", "ince", "unca", "unce", "arken", "erken", "irken", "urken", "iyorken", "uyorken"];
    if let Some(root) = plain.iter().find_map(|end| word.strip_suffix(end)).filter(|root| long(root)) {
        return Some(root.trim_end_matches('y'));
    }
    let conditional = ["sam", "sem", "sak", "sek", "san", "sen", "sa", "se"];
    let future = conditional.iter().find_map(|end| word.strip_suffix(end)?.strip_suffix('r'));
    if let Some(root) = future.filter(|root| root.len() >= 3) {
        return Some(root.trim_end_matches(['a', 'e', 'i', 'u']));
    }
    let there = word.strip_suffix("da").or_else(|| word.strip_suffix("de"))?;
    let whose = ["imiz", "umuz", "iniz", "unuz", "im", "um", "in", "un"];
    let done = whose.iter().find_map(|end| there.strip_suffix(end))?;
    ["dig", "dug", "tig", "tug"].iter().find_map(|end| done.strip_suffix(end)).filter(|root| !root.is_empty())
}

/// "Yenilemeyi": something to be done.
fn is_deed(word: &str) -> bool {
    let ends = ["mayi", "meyi", "masini", "mesini", "mamizi", "memizi", "mami", "memi"];
    ends.iter().any(|end| word.len() > end.len() + 1 && word.ends_with(end))
}

/// "Gerektiğini", "olacağını": something that is so.
fn is_statement(word: &str) -> bool {
    let ends = ["digini", "dugunu", "tigini", "tugunu", "cagini", "cegini", "digimi", "tigimi", "dugumu"];
    ends.iter().any(|end| word.ends_with(end))
}

/// "Kullanıcıya hatırlat" is what a program shall do.
fn is_of_others(word: &str) -> bool {
    let people =
        ["kullanici", "musteri", "uyeye", "uyelere", "abone", "calisan", "ekib", "takim", "ziyaretci"];
    matches!(word, "ona" | "onlara" | "herkese" | "size" | "sana")
        || people.iter().any(|one| word.starts_with(one)) && word.ends_with(['a', 'e'])
}

/// The words as they were written; what stood between them and is not among
/// them leaves no trace.
fn joined(sentence: &Sentence<'_>, words: &[usize]) -> String {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in words {
        match runs.last_mut() {
            Some(run) if run.end == *at => run.end += 1,
            _ => runs.push(*at..*at + 1),
        }
    }
    runs.iter().map(|run| sentence.written(run)).collect::<Vec<_>>().join(" ")
}

const FILLING: &str = "bana bize lutfen hey tamam ya peki ayrica";

const ASKING: &str = "ne nasil nasildi neden niye nerede nerde neresi hangi hangisi kim kimdi kac kacti neydi neler \
                      nedir miydi muydu";
