//! Turkish: the last word says what is so, and its ending of whom.

use super::{Said, Standing, ends_in, one_of};
use crate::kind::Kind;

pub(super) fn standing_of(said: &[Said<'_>], orders: bool) -> Standing {
    let lead = said.iter().take_while(|said| one_of(LEADS, said)).count();
    let (before, core) = said.split_at(lead);
    let polite = core.iter().rev().take_while(|said| said.word == "lutfen").count();
    let core = &core[..core.len() - polite];
    let objects = before.iter().any(|said| one_of(&["hayir", "yok", "aslinda"], said));
    let doing = is_done_now(core);
    let points = doing || points_at_something(core);
    let asked = orders && !core.last().is_some_and(is_ordered);
    let kind =
        if points || asked { None } else { core.split_inclusive(|said| said.pauses).rev().find_map(kind_of) };
    Standing {
        kind: kind.map(|kind| if objects { Kind::Correction } else { kind }),
        points: doing || points && !core.iter().any(|said| said.named || said.pauses || is_date(said)),
    }
}

fn points_at_something(core: &[Said<'_>]) -> bool {
    let rules = core.iter().any(|said| one_of(&["asla", "hep", "zaman", "hic"], said));
    let named = core.iter().any(|said| said.named || said.declined);
    let soon = core.windows(2).any(|two| {
        one_of(&["saat", "dakika", "gun"], &two[0]) && two[1].word == "sonra"
            || one_of(STATES, &two[0]) && two[1].word == "degil"
    });
    let pointer = |(at, said): (usize, &Said<'_>)| {
        !said.declined && one_of(POINTERS, said) && !core.get(at + 1).is_some_and(is_date)
            || said.word == "yanlis" && !said.pauses
            || one_of(HERE, said) && !rules
            || !named && one_of(&["ayni", "eski", "yeni", "son", "onceki", "hala"], said)
    };
    let seen = core.first().is_some_and(|first| one_of(SEEN, first))
        && !core.get(1).is_some_and(is_of_many)
        && !core.last().is_some_and(|last| last.named);
    soon || seen || core.iter().enumerate().any(pointer)
}

/// "Loglara bakıyorum": what "I" do, unless it is done for months, felt, or
/// told of "me" among others ("loglara ben bakıyorum").
fn is_done_now(core: &[Said<'_>]) -> bool {
    let Some((last, before)) = core.split_last() else { return false };
    // "Sunucuyu başlatmam lazım."
    let must = one_of(&["lazim", "gerek", "gerekiyor"], last)
        && before.last().is_some_and(|said| ends_in(&["mam", "mem"], said.word));
    let wanted =
        last.word == "istiyorum" && before.last().is_some_and(|said| ends_in(&["mak", "mek"], said.word));
    let lives = one_of(LIVING, last) || last.word == "yaziyorum" && before.iter().any(is_placed);
    let still = before.iter().any(|said| said.word == "uzerinde");
    must || wanted
        || ends_in(&["iyorum", "uyorum"], last.word)
            && (still || !lives)
            && !one_of(&["ediyorum", "istiyorum", "istemiyorum"], last)
            && before.last().is_none_or(|said| said.word != "ben")
}

fn kind_of(clause: &[Said<'_>]) -> Option<Kind> {
    let (last, before) = clause.split_last()?;
    if last.declined && ends_in(&["deyiz", "dayiz", "teyiz", "tayiz"], last.word) {
        return Some(Kind::Fact);
    }
    if ends_in(&["ciyim", "cuyum"], last.word) {
        return Some(Kind::Fact);
    }
    if before.is_empty() || is_troubled(clause) {
        return None;
    }
    match () {
        () if ends_in(&["alim", "elim"], last.word) && before.last().is_some_and(is_placed) => {
            Some(Kind::Decision)
        }
        () if is_ordered(last) => of_an_order(before, last.word),
        () if is_done(last) => of_a_doing(clause, before, last.word),
        () if one_of(&["var", "yok"], last) => of_having(clause, before),
        () if one_of(LYING, last) => before
            .last()
            .is_some_and(|said| is_placed(said) || ends_in(&["nda", "nde"], said.word))
            .then_some(Kind::Fact),
        () if one_of(SWITCHED, last) => {
            (before.len() > 1 && ends_in(&["i", "u"], before.last()?.word)).then_some(Kind::Fact)
        }
        () if is_nominal(last) => of_a_thing(clause, before, last),
        () => None,
    }
}

/// "Hata" alone; "hata mesajları" are none.
fn is_troubled(clause: &[Said<'_>]) -> bool {
    let of_a_sort = |at: usize| clause.get(at + 1).is_some_and(is_of_many);
    clause.iter().enumerate().any(|(at, said)| one_of(TROUBLES, said) && !of_a_sort(at))
}

fn is_ordered(last: &Said<'_>) -> bool {
    last.declined && ends_in(&["lama", "leme"], last.word)
        || [CHOOSING, BANNING, SPEAKING, ORDERING, &["kullan", "de", "birak"]]
            .iter()
            .any(|list| one_of(list, last))
}

/// What is to be done from now on: a choice, a ban, a manner of speaking.
fn of_an_order(before: &[Said<'_>], verb: &str) -> Option<Kind> {
    let object = before.last()?;
    let any = |test: fn(&Said<'_>) -> bool| before.iter().any(test);
    if CHOOSING.contains(&verb) {
        let at_hand = any(|said| one_of(CODE, said)) || ends_in(&["sini", "sunu"], object.word);
        return (!at_hand).then_some(Kind::Decision);
    }
    if BANNING.contains(&verb) || ends_in(&["lama", "leme"], verb) {
        let general = verb == "kullanma"
            || any(|said| said.declined || is_of_many(said))
            || PROJECT.iter().any(|thing| object.word.starts_with(thing))
            || !object.word.ends_with(['i', 'u', 'e', 'a']);
        return general.then_some(Kind::Convention);
    }
    if SPEAKING.contains(&verb) && any(|said| one_of(LANGUAGES, said) || one_of(MANNERS, said)) {
        return before.iter().all(is_of_speaking).then_some(Kind::Preference);
    }
    // "Commit'ten önce", "birleştirmeden önce".
    let in_order = before.windows(2).any(|two| {
        ends_in(&["den", "dan", "ten", "tan"], two[0].word) && one_of(&["once", "sonra"], &two[1])
    });
    match verb {
        _ if in_order => Some(Kind::Convention),
        "kullan" => chosen(before),
        "de" => (before[0].word == "bana").then_some(Kind::Preference),
        "birak" => ends_in(&["meyi", "mayi"], object.word).then_some(Kind::Preference),
        _ => None,
    }
}

/// "Npm yerine pnpm kullan", "kolonlarda snake_case kullan".
fn chosen(before: &[Said<'_>]) -> Option<Kind> {
    if before.iter().any(|said| one_of(CODE, said) || one_of(&["bir", "iki", "tek"], said)) {
        return None;
    }
    let against = before.iter().position(|said| one_of(&["yerine", "degil"], said));
    let purpose = before.windows(2).any(|two| two[1].word == "icin" && is_of_many(&two[0]))
        || before.iter().any(|said| said.word == "icin") && before.last()?.named
        || before
            .iter()
            .any(|said| said.word == "her" || is_of_many(said) && ends_in(&["da", "de"], said.word));
    match against {
        Some(1..) => Some(Kind::Correction),
        _ => purpose.then_some(Kind::Convention),
    }
}

fn is_done(last: &Said<'_>) -> bool {
    !last.named && ends_in(DONE, last.word) && last.word != "durum" || one_of(LIVING, last)
}

/// What we, I or all of a sort do. The aorist tells a habit, unless it promises
/// something soon or says what could be.
fn of_a_doing(clause: &[Said<'_>], before: &[Said<'_>], verb: &str) -> Option<Kind> {
    let dated = clause.iter().any(is_date);
    let any = |test: fn(&Said<'_>) -> bool| before.iter().any(test);
    let soon = any(|said| one_of(SOON, said));
    if any(|said| said.word == "kimse") {
        return Some(Kind::Fact);
    }
    match () {
        () if ends_in(&["iyoruz", "uyoruz"], verb) => {
            (dated || !MOMENTARY.contains(&verb)).then_some(if dated { Kind::Plan } else { Kind::Fact })
        }
        () if ends_in(&["iyorum", "uyorum"], verb) => {
            (LIVING.contains(&verb) || any(is_placed) || before.last()?.word == "ben").then_some(Kind::Fact)
        }
        () if ends_in(&["rim", "rum", "mem", "mam"], verb) => (!soon).then_some(Kind::Preference),
        () if ends_in(&["riz", "ruz", "meyiz", "mayiz"], verb) => {
            (!soon && !ends_in(&["biliriz"], verb)).then_some(Kind::Convention)
        }
        () if ends_in(&["iyor", "uyor"], verb) => {
            let placed =
                any(|said| said.declined || said.named) || any(is_of_many) && any(|said| said.word == "her");
            let holds = any(is_ours) && HOLDING.contains(&verb);
            (holds || placed && !ends_in(&["miyor", "muyor"], verb)).then_some(Kind::Fact)
        }
        () if ends_in(&["acagiz", "ecegiz"], verb) => {
            any(|said| said.declined || said.named || is_ours_somehow(said)).then_some(Kind::Decision)
        }
        () => {
            let placed = |said: &Said<'_>| is_placed(said) || ends_in(&["nda", "nde"], said.word);
            let general = |said: &Said<'_>| is_of_many(said) || one_of(ALL, said);
            before.iter().any(|said| general(said) || placed(said)).then_some(Kind::Convention)
        }
    }
}

/// "QA ekibimiz yok", "cuma günleri merge yok".
fn of_having(clause: &[Said<'_>], before: &[Said<'_>]) -> Option<Kind> {
    match () {
        () if clause.iter().any(is_date) => Some(Kind::Plan),
        () if before[0].word == "her" => Some(Kind::Fact),
        () if ends_in(&["de", "da"], before[0].word) && before.iter().any(|said| said.named) => {
            Some(Kind::Fact)
        }
        () => before.iter().any(is_ours_somehow).then_some(Kind::Fact),
    }
}

/// Neither a verb nor the state that something is in.
fn is_nominal(last: &Said<'_>) -> bool {
    last.named || last.declined || !one_of(STATES, last) && !ends_in(VERBS, last.word)
}

/// "Backend'imiz Django", "sürüm gelecek cuma", "staging Hetzner'de".
fn of_a_thing(clause: &[Said<'_>], before: &[Said<'_>], last: &Said<'_>) -> Option<Kind> {
    if clause.iter().any(is_date) {
        return Some(Kind::Plan);
    }
    let any = |test: fn(&Said<'_>) -> bool| before.iter().any(test);
    let subject = before.last()?;
    let mine = last.named && ends_in(&["im", "um"], subject.word);
    let placed = is_placed(last);
    // "Ben geliştiriciyim", "rust'ta yeniyim", "iki kişilik bir ekibiz".
    let oneself = ends_in(&["yim", "yum", "sim"], last.word)
        && (before[0].word == "ben"
            || any(|said| said.declined || one_of(PROJECT, said) || ends_in(&["nin", "nun"], said.word)));
    let ourselves = ends_in(&["iz", "uz"], last.word)
        && (any(|said| said.word == "bir") || last.word.starts_with("kisi"));
    // "Ekip lideri Burcu": what somebody is to something.
    let role = last.named && before.len() > 1 && ends_in(&["i", "u"], subject.word) && !is_of_many(subject);
    let titled = last.named && one_of(&["ben", "port"], subject)
        || one_of(PROJECT, &before[0]) && any(|said| said.named)
        || one_of(PROJECT, subject)
        || one_of(&["adi", "ismi"], subject)
        || subject.named && last.named;
    if any(is_ours) || mine || placed || last.word == "kisi" || oneself || ourselves || role || titled {
        return Some(Kind::Fact);
    }
    let all = last.named || one_of(LANGUAGES, last) || any(|said| said.declined || one_of(ALL, said));
    (any(is_of_many) && all).then_some(Kind::Convention)
}

/// "Hetzner'de".
fn is_placed(said: &Said<'_>) -> bool {
    said.declined && ends_in(&["de", "da", "te", "ta"], said.word)
}

fn is_ours(said: &Said<'_>) -> bool {
    ends_in(&["miz", "muz"], said.word) && said.word != "temiz"
}

/// The same with a case: "sunucumuzda", "laptopumda".
fn is_ours_somehow(said: &Said<'_>) -> bool {
    is_ours(said) || ends_in(&["imizde", "umuzda", "umuzde", "imizda", "imda", "umda"], said.word)
}

/// A plural, with the case and the owner it may have.
fn is_of_many(said: &Said<'_>) -> bool {
    let plural = said.word.rfind("lar").or_else(|| said.word.rfind("ler"));
    plural.is_some_and(|at| at > 1 && said.word.len() - at <= 7)
}

fn is_of_speaking(said: &Said<'_>) -> bool {
    is_of_many(said)
        || one_of(LANGUAGES, said)
        || one_of(MANNERS, said)
        || one_of(&["ve", "cevap", "bana", "daha", "benimle"], said)
}

fn is_date(said: &Said<'_>) -> bool {
    DATES.iter().any(|date| said.word.starts_with(date)) && !ends_in(&["tir", "dir"], said.word)
}

/// The endings of verbs that may tell what is done again and again.
#[rustfmt::skip]
const DONE: &[&str] = &[
    "iyoruz", "uyoruz", "iyorum", "uyorum", "iyor", "uyor", "rim", "rum", "mem", "mam", "riz", "ruz", "meyiz",
    "mayiz", "nir", "lir", "nur", "lur", "olur", "eder", "maz", "mez", "mesin", "masin", "acagiz", "ecegiz", "mali",
    "meli",
];

#[rustfmt::skip]
const LEADS: &[&str] = &[
    "hayir", "yok", "aslinda", "lutfen", "tamam", "ok", "evet", "unutma", "not", "bir", "ayrica", "ve", "ama",
];

/// Words for what is at hand, or for right now.
#[rustfmt::skip]
const POINTERS: &[&str] = &[
    "bu", "su", "bunu", "sunu", "onu", "buna", "suna", "ona", "bunun", "sunun", "onun", "bunlar", "bunlari",
    "sunlari", "burda", "surada", "suraya", "orada", "oraya", "simdi", "simdilik", "tekrar", "yeniden", "yine",
    "birazdan", "hemen", "bugun", "diger", "digeri", "aynisi", "satira", "satirda", "ilk", "ilki", "ilkini",
    "ikinci", "ikincisi", "ikinciyi", "oteki", "baska", "o", "yarin", "henuz", "senin", "dakikaya", "saniyeye",
    "ikinciyle", "ilkiyle",
];

/// Verbs that choose for all of us.
#[rustfmt::skip]
const CHOOSING: &[&str] = &[
    "kullanalim", "gidelim", "gecelim", "secelim", "kalalim", "biraktik", "gectik", "sectik", "kildik",
];

/// What is done at the moment, though it has the ending of habit.
#[rustfmt::skip]
const MOMENTARY: &[&str] = &[
    "bakiyoruz", "deniyoruz", "bekliyoruz", "basliyoruz", "ugrasiyoruz", "geliyoruz", "gidiyoruz", "istiyoruz",
];

#[rustfmt::skip]
const LIVING: &[&str] = &[
    "kullaniyorum", "calisiyorum", "yasiyorum", "oturuyorum", "biliyorum", "gelistiriyorum", "konusuyorum",
    "yonetiyorum", "seviyorum", "sevmiyorum", "hoslaniyorum", "hoslanmiyorum",
];

#[rustfmt::skip]
const CODE: &[&str] = &[
    "map", "set", "liste", "dizi", "array", "dongu", "filter", "reduce", "vec", "tuple", "dict", "hashmap",
    "switch", "const", "let", "var", "string", "null", "isim", "degisken", "degiskeni", "surumu", "yontemi", "olani",
];

#[rustfmt::skip]
const TROUBLES: &[&str] = &[
    "sorun", "hata", "hatasi", "problem", "vaktimiz", "zamanimiz", "conflict", "bug", "patliyor", "cokuyor",
    "donuyor", "takiliyor", "dakika",
];

#[rustfmt::skip]
const STATES: &[&str] = &[
    "kirmizi", "yesil", "mavi", "bos", "dolu", "bozuk", "kirik", "yavas", "hizli", "hazir", "yanlis", "dogru",
    "tamam", "garip", "eksik", "acik", "kapali", "uzun", "kisa", "buyuk", "kucuk", "kotu", "iyi", "guzel",
    "gecersiz", "farkli", "lazim", "gerek", "devam", "kadar", "degil", "temiz", "karisik", "kilitli", "ayarli",
    "kurulu", "tanimli", "stabil", "calisir", "hazirim", "eminim",
];

#[rustfmt::skip]
const VERBS: &[&str] = &[
    "yor", "yorum", "yoruz", "di", "ti", "du", "tu", "dim", "tim", "dum", "tum", "dik", "tik", "mis", "mus", "acak",
    "ecek", "elim", "alim", "sin", "sun",
];

#[rustfmt::skip]
const DATES: &[&str] = &[
    "pazartesi", "sali", "carsamba", "persembe", "cuma", "cumartesi", "pazar", "ocak", "subat", "mart", "nisan",
    "mayis", "haziran", "temmuz", "agustos", "eylul", "ekim", "kasim", "aralik", "hafta", "saat", "ceyre", "sprint",
];
/// What a thing does for as long as it is there.
const HOLDING: &[&str] = &["destekliyor", "kullaniyor", "calisiyor", "tutuyor", "iceriyor", "gerektiriyor"];

/// Orders that forbid.
#[rustfmt::skip]
const BANNING: &[&str] = &[
    "kullanma", "ekleme", "yazma", "koyma", "olusturma", "atma", "loglama", "pushlama", "commitleme", "gonderme",
    "silme", "anlatma", "ozetleme", "sorma", "tekrarlama", "dokunma", "yapma",
];

/// What is looked at while it is worked on.
#[rustfmt::skip]
const SEEN: &[&str] = &[
    "fonksiyon", "degisken", "metod", "import", "dongu", "satir", "dosya", "liste", "buton", "sayfa", "cevap",
    "log", "sorgu", "sinif", "tip",
];

const HERE: &[&str] = &["bura", "burada", "buraya", "burayi", "buradan", "burasi", "buranin"];
/// Where something is to be found, and whether it is in use.
const LYING: &[&str] = &["tanimli", "kayitli", "sakli", "kurulu", "yuklu", "bagli"];
const SWITCHED: &[&str] = &["etkin", "aktif", "pasif"];
const SPEAKING: &[&str] = &["yaz", "konus", "ver", "cevapla", "tut", "anlat", "olsun"];
const SOON: &[&str] = &["sonra", "aksam", "sabah", "biraz"];
const MANNERS: &[&str] = &["kisa", "oz", "net", "sade", "detayli"];
const ALL: &[&str] = &["her", "tum", "butun", "hep", "tek", "hepsi"];
const ORDERING: &[&str] = &["calistir", "kontrol", "yap", "al", "sor", "et"];

/// What a project has one of.
#[rustfmt::skip]
const PROJECT: &[&str] = &[
    "backend", "frontend", "veritabani", "db", "api", "branch", "sunucu", "editor", "dil", "framework", "staging",
    "prod", "lider",
];

const LANGUAGES: &[&str] = &["ingilizce", "turkce", "almanca", "fransizca"];
