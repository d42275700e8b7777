//! What makes a statement say nothing about how a project is now: it asks,
//! gives an example, plans, denies, looks back, or speaks of another project.
//!
//! Word lists in English and Turkish, in the phrases of `ask::speech`. A thing
//! that was found in the statement stands as `@` among the words, so that what
//! a path or an identifier is made of is never read as a word.

use crate::ask::speech::{Word, begins, says};

/// How a thing stands among the words.
pub(super) const THING: &str = "@";

/// Which of the things of a statement are claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    Nothing,
    All,
    /// It tells of a change: only what is there after it.
    After,
}

/// Whether a whole sentence claims nothing, whatever its statements say.
pub(super) fn is_idle(sentence: &str, words: &[Word]) -> bool {
    sentence.trim_end_matches(['"', ')', '*', ' ']).ends_with('?')
        || says(words, ASKS)
        || says(words, EXAMPLES)
        || says(words, ELSEWHERE)
}

/// What one statement tells of the things in it.
pub(super) fn told_by(words: &[Word]) -> Told {
    let denies = says(words, DENIES) && !says(words, FORBIDS);
    if denies || says(words, PLANS) || says(words, REMOVES) {
        Told::Nothing
    } else if says(words, CHANGED) || is_turkish_change(words) {
        Told::After
    } else if says(words, LOOKS_BACK) {
        Told::Nothing
    } else {
        Told::All
    }
}

/// Whether the thing at this place is only named beside another: "instead of
/// it", "unlike it", "onun yerine".
pub(super) fn is_aside(words: &[Word], at: usize) -> bool {
    let any = |phrases: &str, from: usize, to: usize| {
        phrases.split(", ").any(|phrase| begins(&words[from..to], phrase))
    };
    let nearest = at.saturating_sub(ASIDE_WORDS);
    (nearest..at).any(|from| any(ASIDE_BEFORE, from, at + 1)) || any(ASIDE_AFTER, at, words.len())
}

/// "Instead of the old @" is the longest.
const ASIDE_WORDS: usize = 4;

/// Whether the thing at this place is what came of a change in English:
/// "moved from @ to @", "replaced by @".
pub(super) fn is_outcome(words: &[Word], at: usize) -> bool {
    let Some(change) = (0..at).find(|from| begins(&words[*from..], CHANGED)) else { return false };
    let from = at.checked_sub(1).is_some_and(|before| words[before].folded == "from");
    !from && (change..at).any(|between| OUTCOME.contains(&words[between].folded.as_str()))
}

/// Whether these words tell of a change in Turkish.
pub(super) fn is_turkish_change(words: &[Word]) -> bool {
    says(words, TURKISH_CHANGES)
}

/// Whether a statement about a version says what it works with, rather than
/// what is used.
pub(super) fn is_loose(words: &[Word]) -> bool {
    says(words, LOOSE)
}

const ASKS: &str = "^ where|what|which|why|who|whose|does|did, ^ is there|it|this, ^ are there|they|we, \
    ^ how do|does|can|is|are|should, ^ can|could|should you|we|i, mi|mu|midir|mudur|misin|musun|miyiz|muyuz, \
    nerede|hangisi|neden|nasil";

const EXAMPLES: &str = "for example|instance, an example, e g, eg, such as, like @, \
    imagine|suppose|hypothetical*|placeholder, something|anything like, \
    ornegin|ornek|mesela|diyelim, orn, @ gibi";

const ELSEWHERE: &str = "other|another|different|separate|sibling|their|his|her|old \
    repo|repository|project|projects|codebase|fork|monorepo, in|of|from the _ repo|repository|fork|project, \
    upstream, \
    baska|diger|oteki|ayri proje*|repo*|depo*, _ reposunda|projesinde|deposunda|reposundaki|projesindeki";

/// What is denied is not there. "Do not touch it" says that it is.
const DENIES: &str = "not|never|no|none|nothing|without|neither|nor|nobody|isnt|arent|doesnt|dont|didnt|cant|\
    cannot|wont|wasnt|werent|hasnt|havent|anymore|nowhere, \
    yok|degil|*miyor|*muyor|*miyoruz|*muyoruz|*miyorlar|*muyorlar|*madi|*medi|*mamis|*memis|*madik|*medik, \
    olmadan|haric";

/// Whoever is told not to call something should not find it in the code, so
/// calling is not among these.
const FORBIDS: &str = "do|must|should|may not edit|touch|change|modify|commit|run|break|rename|move|delete|remove|\
    bypass|skip|forget, \
    never|dont|mustnt|shouldnt edit|touch|change|modify|commit|run|break|rename|move|delete|remove|bypass|skip|forget";

/// To add something to a file that is there is no plan for the file; to add
/// the file is.
const PLANS: &str = "will|shall|gonna|would|could|might|maybe|perhaps|possibly|probably|todo|tbd|someday|\
    eventually|soon, going to, plan|plans|planning|planned|intend|intends|propose|proposes|proposed|proposal|\
    consider|considering|want|wants|wish|wishes|hope|hopes|lets, \
    next week|month|sprint|quarter|release|year, \
    add|create|write|introduce|replace @, add|create|write|introduce|replace the|a|an|new|another|file|folder @, \
    add|create|write|introduce|replace the|a|an new|old|file|folder|function|class|struct|target|script @, \
    ^ rename|move|migrate|upgrade|downgrade|extract|split|switch|bump|delete|remove|drop|replace, \
    to|we|please rename|move|migrate|upgrade|downgrade|extract|split|switch|bump|delete|remove|drop|replace, \
    should|must|needs|need .. moved|renamed|split|extracted|rewritten|upgraded|migrated|replaced, \
    upgrade|upgrading|migrate|migrating|downgrade|moving|switching to, \
    *acak|*ecek|*acagiz|*ecegiz|*acagim|*ecegim|*acaklar|*ecekler|*alim|*elim, \
    planl*|istiyor*|isterim|isteriz|oneri*|belki|olabilir|keske|dusunuyor*, \
    *mak|*mek|*mamiz|*memiz lazim|gerek|gerekiyor|gerekir|istiyor*";

/// Whoever says this says that it is gone already.
const REMOVES: &str = "removed|deleted|dropped|retired|killed|erased|purged|discarded|gone|obsolete|vanished|\
    missing|deprecated|abandoned|unused, no longer, any more, rid of, stopped|ceased *ing, \
    silindi|silinmis|silinen|sildik|sildim|siliyoruz|kaldirildi|kaldirdik|kaldirdim|kaldirilmis|kaldirilan|\
    cikarildi|cikardik|kalmadi|biraktik|birakildi|emekli*";

const LOOKS_BACK: &str = "was|were|had|did|formerly|previously|originally|earlier|ago|yesterday, used to, \
    we|i|they used, back then, in the past, at the time, last week|month|year|sprint, \
    fixed the|a|an|it|in|by, broke|crashed|failed, \
    eskiden|onceden|evvelden|gecmiste|vardi|idi|*iyordu|*uyordu|*iyorduk|*uyorduk|*ydi|*ydu, \
    dun, gecen hafta|ay|yil, duzelttik|duzeltildi|bulduk|buldum";

/// The verb of a change in English, as one alternative.
const CHANGED: &str = "moved|renamed|migrated|switched|replaced|split|upgraded|changed|bumped|extracted|merged|\
    converted|ported|relocated|turned";

const TURKISH_CHANGES: &str = "tasidik|tasindi|tasinmis|tasidim|gectik|gecti|gecildi|gecmis|degistirdik|degisti|\
    degistirildi|donusturduk|donusturuldu|adlandirdik|adlandirildi|yukselttik|yukseltildi|guncelledik|\
    guncellendi|bolduk|bolundu";

const OUTCOME: &[&str] = &["to", "into", "with", "by", "as", "onto"];

const ASIDE_BEFORE: &str = "instead of @ $, instead of the @ $, instead of the old @ $, instead of _ @ $, \
    rather than @ $, rather than in|from|under @ $, rather than the @ $, in place of @ $, unlike @ $, than @ $, old|former|previous @ $, \
    formerly|previously @ $, ex @ $, eski|onceki @ $, replaces|replacing|replaced @ $, replaces|replaced the @ $, \
    successor of|to @ $, moved|migrated|switched away from @ $, moved|migrated|switched|extracted|split from @ $";

const ASIDE_AFTER: &str = "@ yerine, @ _ yerine, @ degil, @ haric, @ disinda";

const LOOSE: &str = "support|supports|supported|supporting|compatible|incompatible|tested|works|worked|breaks|break|\
    broken|fails|fail|crashes|crash|bug|issue|than|since|before|below|under|older|newer|later|above|least|minimum|\
    recommend|recommends|recommended|should|latest|available, and up, \
    destekl*|uyumlu|uyumsuz|onceki|sonraki|ustu|alti|hata, en az";
