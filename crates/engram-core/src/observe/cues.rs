//! Phrases that give a sentence away.
//!
//! The tables are written in the manner of `ask::speech`. Each row says what
//! its phrases are a sign of and how much one of them weighs; a statement is
//! worth keeping from a weight of one on. How the signs of one sentence are
//! weighed against each other is not known here.

use super::lookup::{Lookup, Phrase};
use crate::ask::speech::Word;
use std::sync::LazyLock;

/// What a phrase is a sign of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Sign {
    Correction,
    Preference,
    Decision,
    Convention,
    Architecture,
    Procedure,
    Plan,
    Fact,
    /// Why something went wrong, and what made it right: an error fix needs
    /// both.
    Cause,
    Cure,
    /// Work that is asked for now.
    Request,
    /// A question that needs no question mark.
    Question,
    /// True at this moment only, or only perhaps.
    Passing,
    /// Praise, thanks, moods and manners.
    Chatter,
    /// An agent telling what it is doing.
    Narration,
}

/// Every phrase of the tables that the words say. The words are one sentence.
pub(super) fn cues_in(words: &[Word]) -> Vec<&'static Phrase<Sign>> {
    static LOOKUP: LazyLock<Lookup<Sign>> = LazyLock::new(|| Lookup::new(CUES));
    LOOKUP.said_in(words)
}

use Sign::*;

/// English first, then Turkish, for each sign from the strong to the weak.
const CUES: &[(Sign, f64, &str)] = &[
    // What is right instead of something wrong.
    (
        Correction,
        1.0,
        "thats|that|this|its|it is|was wrong|incorrect|outdated, thats|thats|its \
            wrong|incorrect|outdated, thats|thats not right|true|correct|how|where|what we, that is \
            not right|true|correct|how|where, you got|have|had .. wrong|backwards|mixed|confused, \
            you are|were wrong|mistaken, youre wrong|mistaken, you keep|kept \
            using|doing|calling|writing|getting, i told you, ive told you, i already told|said, as i \
            said, ^ nope, ^ wrong, ^ not quite|true|so|exactly|correct _ _, ^ no \
            the|its|it|we|our|there|they|my|this, ^ nah the|its|it|we|our, ^ correction, ^ actually \
            the|its|it|we|our|there|they|no|my, but actually the|its|it|we|our, you mixed|confused, \
            i was wrong, i made a mistake, isnt|arent|not on|in|at|from .. hes|shes|its|theyre, \
            youre|are thinking|looking|confusing|mixing of|at|up, unlike what|you, became _ \
            in|with|since, hold on the|its|it|we, you have|wrote .. in the, has|have|was|were|been \
            renamed, its called .. now, is called .. now, is|are now called|named, as you wrote|said|assumed, not what you \
            wrote|said, dont call it|them, we call it|them|this|those, its not called, no longer \
            lives|uses|runs|exists|works|supports|needs, doesnt exist any, yanlis anla*, bu yanlis, \
            ^ yanlis $, ^ yanlis _ _, ^ hayir yanlis, ^ oyle degil, sana .. soyledim, sana .. demistim, daha once de \
            soyledim|soylemistim|demistim, adi artik, diye _ yok|kalmadi, diye bir sey kalmadi|yok, \
            sen .. vermissin|yazmissin|kullanmissin, you passed|sent|used|wrote _, ^ duzeltme, \
            karistirmissin|karistiriyorsun, yanlissin, yanlis biliyorsun|yazmissin|hatirliyorsun, \
            yanlis soyledim|yazdim, eski .. bakiyorsun|kullaniyorsun, degil o bizim|bizde|onlar|o, ^ \
            dikkat, ^ careful, sen .. *iyorsun|*uyorsun, youve been, spells|spelled _ name, ^ hayir \
            _ _ _ _, ^ yok _ _ _ _ _",
    ),
    (
        Correction,
        0.7,
        "not _ $, not _ _ $, and not _ as, was|were|is|are|got \
            removed|replaced|deprecated|retired, should be .. not, should have been, any \
            more|anymore, no longer, is|are dead since, left the company|team, instead of what, used \
            to be, it should be|say|read, the correct|right one|value|name|way, degil _ _, artik .. \
            degil|yok|bakiyor, ^ aslinda _ _ _, ^ yok _ _ _ _, dogrusu, aslinda .. degil, artik .. \
            degil|yok|kalmadi, dedim ya, demistim, yanlis, adi degisti, kaldirildi|kaldirdik, \
            tasindi",
    ),
    // What a person likes.
    (
        Preference,
        1.0,
        "i prefer|preferred|dislike|favour|favor|hate|detest, i \
            really|always|usually|generally|strongly prefer|like|hate|want|dislike, id \
            rather|prefer, i would rather|prefer, id like you to, my \
            favourite|favorite|preferred|preference, i cant|cannot stand, i dont want|need|care, i \
            dont like it when|when|having|seeing, i like|love my|your|the|to|small|short|it when, i \
            like|love _ _ _ _, i want to see|you to always|everything|all|every, i never \
            want|use|read, talk|speak|answer|reply|respond|write to|in|me|back .. \
            english|turkish|german|french|spanish, i find .. \
            easier|harder|annoying|hard|confusing|distracting, even when i, without asking, ask me \
            before|first, ask before, if you ask|asked|always|never|dont|would, hurt|hurts my, call \
            me, in my style, the way i like, tercih ed*, tercihim*, nefret ed*, hoslan*, hosuma \
            git*, sevmiyorum|sevmem|seviyorum|severim|sevmiyoruz, \
            istemiyorum|istemem|isterim|istemiyoruz, bana .. hitap, bana hep|daima|once|her, \
            favorim, useless|easier|harder|annoying|confusing|enough|fine|best to|for me, \
            confuses|annoys|bothers|distracts|slows|confuse|annoy|bother|distract|slow me, ^ i _ so \
            _, ^ i _ _ so _, karistiriyor $, \
            ben hizli|yavas|cok _, at a time please, i lose track, ive been burned, otherwise i, i \
            can see|read|do .. myself, i work|read|think|learn best|from|on|with|in, i \
            usually|normally|mostly _, pick|choose the boring|simple|simplest one, the way i, when \
            there are two|several, bana direkt|sadece|kisa|yalniz, kafam karis*, ben \
            anlarim|bakarim|okurum, tek tek sor|yap|anlat, gormek istem*",
    ),
    (
        Preference,
        0.7,
        "dont|never \
            give|show|use|add|write|create|put|make|explain|tell|include|summarise|summarize|repeat|start|end|generate|apologise|apologize \
            me|any|new|long|the|a|emojis|comments|what|code|unwrap|everything, please \
            dont|never|avoid|always, do not \
            use|add|write|create|include|summarise|summarize|explain, stop \
            using|adding|writing|doing|putting|calling|saying|asking|giving|creating|explaining|apologising|apologizing, \
            keep it|them|answers|lines|your|messages|explanations .. \
            short|brief|simple|under|terse|small, for me the|it|everything, when you \
            explain|write|answer|reply|show|suggest|refactor, im|am a|an .. user|person|fan|guy, \
            im|am colour|color blind, everywhere please, is what i want|like|need, i want, i need \
            you to always, i like, i love, avoid using, mumkunse oyle|boyle, kisa tut|yaz|olsun, \
            istiyorum, kullanma|ekleme|koyma|olusturma|degistirme|gosterme|sorma|anlatma|ozetleme $, \
            kullanma|ekleme|koyma|olusturma|gosterme|yazma|anlatma \
            hic|lutfen|bana|sakin|cunku|artik|asla, anlatmana|demene|yazmana|sormana gerek, \
            onaylamadan, sormadan, bana sor",
    ),
    // What was decided.
    (
        Decision,
        1.0,
        "we|i|ive|weve|they|team have|finally|all|both \
            decided|chose|chosen|settled|agreed|picked|opted|voted, we|i|ive|weve|they|team \
            decided|chose|chosen|settled|agreed|picked|opted|voted, decided to|on|against|that|not, \
            ^ decision, the decision is|was, our decision, made up my|our mind, lets go with _ _, \
            lets stick with|to _, were|are going with _ _, we go with _ _, well go|stick with _ _, i \
            am going with _ _, im going with _ _, we are|will \
            dropping|drop|replacing|replace|freezing|freeze|abandoning|retiring|deprecating _ _, \
            were|weve \
            dropping|replacing|dropped|replaced|abandoned|retiring|frozen|switched|moved|migrated _ \
            _, lets drop|not|keep|stay|settle _ _, as discussed|agreed we|its|the, ruled out, final \
            call, signed off on, its clear, outcome of the, the verdict, we keep|kept _ _, were \
            keeping|staying|leaving|making|putting|skipping|cutting _ _, scrap|forget|kill|ditch \
            the|that .. idea|plan|feature|approach, itll be, it will be, stays only|as, is|are|its \
            out|off the table, fikri iptal, onayladi|onaylandi, olacak $, ^ karar, wont \
            support|use|do|have|add|build _ _, we will not|never support|use|do|have|add|build, we \
            use _ .. then $, rafa kalkti|kaldirdik, kesinlesti, kendimiz *iyoruz, lost we|so, we \
            parked|park, ^ alright|ok final, ^ final, we use _ .. then they|it|because|since, we \
            will|well use _ _ _, karar ver*, karar aldik, kararlastir*, karara bagla*, karari \
            aldik|verdik, vazgectik|vazgectim, sectik, tercihimizi, yerine _ \
            kullanalim|kullanacagiz|kullaniyoruz|gecelim|gectik, *mayacagiz|*meyecegiz, \
            geciyoruz|tasiyoruz|donduruyoruz|birakiyoruz|kaldiriyoruz, secenekle \
            ilerli*|gidiyoruz|devam, ile ilerliyoruz|gidiyoruz|devam, uzerinde anlastik",
    ),
    (
        Decision,
        0.7,
        "lets use _ _, going with, go with _ _ instead|because|since|over, in favour|favor of, we \
            picked, switch|switching|switched to _ because|since, instead of _ because|since, \
            kullanalim, gecelim cunku, secelim, ile yapalim, secti*",
    ),
    // An agreed way.
    (
        Convention,
        1.0,
        "always|never _ _ _ _, always use|add|write|run|put|keep|prefer|check|wait|ask|start, \
            dont ever, never ever, every|each|any|all .. \
            must|needs|need|has|have|requires|should|gets, no exceptions, from now on, going \
            forward, in the future always|please|dont|never, our|the|one|my rule|convention|policy \
            is|that|says, by convention, we always|never|only, must \
            be|have|not|never|go|come|carry|live|include|use, must _ _ _, is|are not allowed, is|are \
            forbidden|banned, in this codebase|repo|repository|project|code|monorepo, in|for \
            anything|everything|anywhere|all, by default, as a rule, in general, ^ no _ _ \
            in|for|without|longer|on|unless|before|after, ^ no more _, ^ only _ _ \
            in|for|with|when|if, two approvals, snake_case|camelcase|kebab|uppercase|lowercase, \
            gets|get .. before|after, conventional commits, branch names, commit messages|titles \
            are|start|must|use|follow|have, we use|put|keep|store|name|write|follow|format|prefix _ \
            .. for|under|in|next|from|as|are|is, is|are always|never, remember that we|to always, \
            will reject, whenever you, all|every _ \
            return|returns|live|lives|use|uses|go|goes|is|are, her zaman, asla, mutlaka, bundan \
            sonra|boyle, zorunda*, zorunlu*, kural*, bizde, bu projede|repoda|kodda|depoda|kod, \
            *ilmali|*ilmeli|*ulmali|*enmeli|*anmali, *ilmaz|*ulmaz|*nmaz|*nmez|*ilmez, yasak, her .. \
            olmali|olmak|gerek*|lazim|sart, hep ingilizce|turkce",
    ),
    (
        Convention,
        0.7,
        "^ never|always, has to|have to|needs to be|have|carry|go|start|end, should always|never, \
            tum|butun .. tut|yaz|kullan|olsun|olmali, \
            tutulur|konur|yazilir|kullanilir|adlandirilir|eklenir, erismez|gecmez|kullanmaz|yazmaz, \
            seklinde, standart*, unutma $, olsun $, sart $, start with a|the, go|goes into the, we \
            use, we follow, our style|standard|guideline*",
    ),
    // How something is built.
    (
        Architecture,
        1.0,
        "talk|talks to|directly, never talk|talks, go|goes|going|pass|passes|flows|flow \
            through|via|over, fans|fan|fanning out, is|are built on|with|from|around|as, \
            depends|depend on|only, has|have .. layers, is|are append only, append only, read \
            models, source of truth, event sourcing|sourced, sync|syncs|synced \
            through|via|over|with, is|are handled|owned|done|checked by|in the, trust|trusts the, \
            publishes|publish|subscribes|consumes|reads|read|writes|write to|from|straight|into, \
            hands .. to, each|every tenant|service|customer|user|worker|module has|gets its, own \
            schema|database|process|crate|service, hit|hits _ first|then, sits|sit \
            between|behind|in, in front of, is|are loaded|rebuilt|generated|started at|from|by|on, \
            is only|just a cache|wrapper|proxy|view, no dependencies, touches|touch _ \
            database|disk|network, over grpc|http|nats|kafka|rest|websockets|websocket|amqp|mqtt, \
            uzerinden, haberles*, katman*, mimari*, dogrudan konus*|erism*|baglan*, kendi \
            sema*|veritaban*, onbellek, dagitiyor|dagitir, senkron*, yazma islem*, \
            kuyruga|kuyruktan, katman*",
    ),
    (
        Architecture,
        0.6,
        "microservice*, monolith, pipeline, module*|crate* .. reads|writes|calls|owns, layer*, \
            geliyor oradan, oradan, yaziyor|okuyor|gonderiyor|dinliyor",
    ),
    // Steps that lead to a result.
    (
        Procedure,
        1.0,
        "first .. then, run .. then|wait|and, then run|restart|start|stop|push|tag|up|open, ^ to \
            _ .. run|use|do|start|stop|first|you|delete|call|open, works|work like this, the \
            steps|way to|are, before|after running|starting|deploying|releasing|you .. \
            need|have|must|run, you have|need to .. and|then|with|first, if the|you|it|a .. \
            restart|delete|run|raise|clear|kill|remove|reset|set, tag it, in order to _, wait for \
            the, has|have to be run|rebuilt|regenerated|restarted, once .. sonra, *mak|*mek icin .. \
            calistir*|kullan*|gerek*|lazim|once|yap*, ardindan .. calistir*|sonra|yap*|en, icin \
            once, *irsa|*arsa|*erse|*ursa .. lazim|gerek*|calistir*|yap, calistirmak gerek*|lazim, \
            sirasiyla, ilk once .. sonra, adimlar*",
    ),
    (
        Procedure,
        0.6,
        "then, after that, you need|have to, before|after running, how we _, ardindan, en son, \
            yeniden baslat*, calistirilir",
    ),
    // What is intended.
    (
        Plan,
        1.0,
        "next|coming|this sprint|quarter|month|release|milestone, deadline, feature freeze, code \
            freeze, q1|q2|q3|q4 goal|target|plan|we|is, the goal is|for, our goal|target|roadmap, \
            the plan is|for, we plan|planned|intend|aim to|for|on, will|going to be \
            switched|shut|turned|removed|released|retired|dropped|migrated|replaced|moved, \
            is|are|due|scheduled due|set|scheduled|planned on|for|by|in, has|have|must|needs to be \
            finished|done|ready|live|merged|shipped before|by|until, we want to \
            ship|release|launch|finish|get|move|migrate, ship|release|launch|go _ .. on \
            the|monday|tuesday|wednesday|thursday|friday, were|we|are going to|gonna \
            split|move|migrate|ship|release|rewrite|replace|build|switch|launch|launching|split, on \
            vacation|leave|holiday|parental, takes over, out of office, gelecek|onumuzdeki|haftaya \
            sprint*|hafta|ay|ceyrek|surum*|yil|ayin, *acagiz|*ecegiz, \
            kapatilacak|tasinacak|silinecek|eklenecek|cikacak|yayinlanacak|birakilacak|kaldirilacak, \
            hedef*, son tarih, yol harita*, planliyoruz|planlandi|planladik|planimiz, \
            cikariyoruz|yayinliyoruz, izindeyim|tatildeyim|izinde|izne, once \
            bitmeli|bitsin|bitecek|bitirmemiz, *meli|*mali kadar, kadar \
            bitmeli|bitsin|bitirmemiz|hazir",
    ),
    (
        Plan,
        0.6,
        "by the end|monday|friday|next, will be, on _ \
            january|february|march|april|may|june|july|august|september|october|november|december, \
            we will|well, bitmeli, *acak|*ecek, itibaren, gelecek, haftaya, onumuzdeki",
    ),
    // What is so.
    (
        Fact,
        1.0,
        "my name is, im|am in|based|from|mostly|responsible|working|on _, our|the .. \
            is|are|lives|live|runs|sits at|in|on|under, runs|run|running on|at|in|every|only, \
            listens|listening on|at, lives|live in|at|on|under|next, \
            located|hosted|stored|kept|deployed in|at|on|under, is|are pinned|limited|capped|stuck, \
            is|are our|responsible, is|are the .. \
            lead|owner|contact|head|maintainer|author|manag*|cto|ceo|architect|reviewer|designer|admin, \
            owns|own the|all|everything, reviews everything|all|every, signs off, in charge of, \
            weve|have about|around|only|two|three|over|roughly|no|a|an|_ \
            tenants|customers|users|servers|nodes, takes|take about|around|roughly|up, costs|cost .. \
            as, only accepts|allows|has|runs|works|supports|takes|handles, cant|cannot \
            be|handle|run|restart|reach, needs|requires the|an|a .. \
            env|var|variable|vpn|flag|token|key|version, otherwise it|they|the, you need the|a|an, ^ \
            fyi, quick context, for context, some context, keep in mind, ^ note that, worth knowing, \
            still handles|runs|uses|lives|depends, on port, is|are at _, is|are version, version is, \
            is|are written in, says _ percent, the team sits|is, sends|send .. every, handles \
            about|all|around, point|points to, overrides|override the, uses|use _ with|for|in, \
            adresinde, portunda, surumu, benim adim, adim _, ekibinin|takiminin|projenin, \
            lideri|sahibi|yoneticisi|sorumlusu, bakiyor $, ilgileniyor*, sorumlu*, \
            inceliyor|onayliyor|yonetiyor, en fazla|az _, tablosunda|sunucusunda|reposunda, \
            suruyor|surer|basliyor|baslar $, ve yaklasik, bagimli, sunucusu|sunucu|kumesi|veritabani \
            .. de|da|ta|te|var, kabul ediyor|etmiyor|eder, kullaniyor|kullanamiyoruz|kullanamiyor, \
            yazilmis|yazildi, haberin olsun|ola, bilgin olsun, musterimiz var|kullanicimiz, ayri \
            repoda|depoda|serviste|sunucuda, vpn lazim|gerek*|olmadan, tarafla|tarafinda",
    ),
    (
        Fact,
        0.6,
        "is|are|was called|named|based|available|reachable|enabled|disabled, belongs|belong to, \
            sits|sit in, contains|contain|includes, has no|only|about|three|two, have no, because \
            the|of, so it|that|no|the, from _ support|sales|legal|security, is for, is where, stands \
            for, means that, per second|minute|hour|day, silently, at peak, concurrent, \
            *inda|*inde|*unda|*unde $, var $, calisiyor $, lazim $, olmadan, o yuzden, bu yuzden, \
            yaklasik, ekipte, icinde, atliyor, milyon|bin|saniye|dakika",
    ),
    // Why it broke, and what helped.
    (
        Cause,
        1.0,
        "triggered|raised by, since .. had|has|was|were, *ormus|*iyormus|*uyormus, oldugu icin, ^ \
            tracked|found|got it, ^ for the record, because .. \
            skipped|missing|called|kept|shadowed|held, which kept|meant|made|caused|blocked|held, \
            shadowed|shadows, was the .. \
            setting|flag|option|version|default|driver|cache|locale|timezone, the .. \
            error|crash|hang|leak|panic|timeout|failure went|came|was|happened, root cause, caused \
            by, the cause was|is, the culprit, turned|turns out, comes|came|come from, stems from, \
            was|were|is|are due to, happens|happened|failed|fails|broke|breaks|crashes|crashed \
            because|since|when|as|only, because|since .. \
            did|was|were|does|has|had|share|shares|changed|is|are|runs|ships|of, were|was flaky \
            because, the problem|issue|bug|reason was|is, the fix was|is, sebebi, kaynagi, \
            kaynaklan*, yuzunden*, nedeni, sorun .. imis|oldugu, *miymis|*mus|*siymis|*mis \
            ayir*|yap*, *masiydi|*mesiydi, *masiymis|*mesiymis, dan geliyormus, geliyormus, if you \
            see|get",
    ),
    (
        Cure,
        1.0,
        "removed|removes it, bring|brings|got|gets it to|going|back, hizlandi|duzeldi|kesildi, \
            made it _ times|faster, makes the .. deterministic|pass|stable, went away, made .. \
            disappear|go|pass|work, disappear|disappeared|vanished, stopped the, and it \
            renders|works|builds|passes|runs, stopped happening, cleared it|up, \
            kayboldu|kayboluyor|geldi|calisti|toparlandi $, \
            fixed|fixes|solved|solves|resolved|resolves|cured it|them|this|that|by|the, \
            fixed|solved|resolved $, fixed it, thats what helped, helped, is|are gone, brought .. \
            from, works|passes|parses|builds|compiles again|now, made it|them work|pass, did the \
            trick, i|we bounded|swapped|removed|pinned|bumped|replaced|disabled|raised|moved|added _ \
            .. and, \
            adding|setting|removing|pinning|installing|disabling|giving|linking|raising|using|returning|swapping \
            .. fixed|fixes|solved|solves|resolved|helped|brought, the fix was|is, workaround is, i \
            bounded|pinned|disabled|swapped|capped, raise _ to, prevents|avoids it|this|that, \
            duzeldi|cozuldu|gecti|duzeliyor|cozuyor|cozduk|cozdum, *inca|*ince|*unca|*unce .. \
            duzeldi|cozuldu|gecti|indi, sorun kalmadi",
    ),
    // Work that is asked for now.
    (
        Request,
        1.0,
        "i want|need you to go|look|check|write|fix|add|make|run|find|review, take a look, have a \
            look, lets \
            look|see|check|add|do|start|try|fix|write|make|implement|move|continue|update|now, ^ go \
            through, issues one by one, them one by one, we should probably|maybe|really, would be \
            nice, *sana|*sene $, *r misin, *ar misin|*er misin, *ir misin|*ur misin, *yalim|*yelim \
            $, *elim|*alim $, bir ara, hale getir, geri al",
    ),
    // Questions without the mark.
    (
        Question,
        1.0,
        "^ what|whats|which|who|whos|why|where|wheres|how|hows|whose, ^ when \
            is|was|will|did|do|does|are, ^ is|are|was|does|did|can|could|would|shall _, ^ \
            do|has|have|will|should|am \
            i|we|you|it|the|there|they|this|that|he|she|our|your|my|these|those|any|anyone, ^ \
            wait|ok|and|so|but|hm|hmm why|what|how|where|who|which|did|does, i wonder|wondering, do \
            you know|remember|think, any idea|ideas, what do you think, ne \
            dusunuyorsun|dersin|diyorsun, *yor mu|musun|muyuz, *di|*ti|*du mi|mu, olabilir mi|miyiz, \
            emin misin, nereden cikardin",
    ),
    // True at this moment only, or only perhaps.
    (
        Passing,
        1.0,
        "maybe, perhaps, not sure, i guess, might be|work|help, could be, i wonder, at some \
            point, i think it|its|that|this, up to you, right now, at the moment, just now, i just, \
            still doesnt|dont|not|failing|fails|broken|the, same error|issue|problem|thing, nothing \
            changed, it still, its still, it worked|works, that|thats odd|strange|weird, i \
            restarted, doesnt work, not working, is running $, are running $, in a \
            second|minute|bit, back in, for a second|minute|moment, ill \
            try|check|look|test|get|see|do|be|merge|send|push, i will \
            try|check|look|test|get|see|do|be, get back to you, let me, im going to, i was in, gonna \
            grab, is blank|empty|broken|down|white, works on my, failing again, please check, we \
            should probably, looks fine|good|ok|okay|better|correct, when i \
            click|press|open|try|run|tap|type|save|scroll|hover|start|log, since your|the last \
            commit|change|push, i tried|got|see|saw|looked|noticed, see \
            below|above|attached|screenshot, screenshot*, we|you|i|it could, i have a meeting, pick \
            this up, wrap this up, is|are green|red|done|fixed|gone $, ^ merging, im merging, you \
            forgot|missed|deleted|broke, today, forever, whatever, is|are still, is|are now \
            blank|empty|broken|down|up|failing|passing|running|green|red|working|fixed|done|gone|slow|ok|okay, \
            is|are now $, now \
            i, i always forget, i forget|forgot, my bad, what i meant, hold on, one sec, not what i, \
            this colour|color|looks|is better, try a|it|with|again, belki, sanirim, galiba, emin \
            degilim, su an, az once, hala, bi saniye|dakika|sn, bir saniye|dakika, ^ bekle|dur, \
            calismiyor|gorunuyor|dondu|patladi|coktu $, hata|hatasi|sorun var|yok $, daha lazim $, zaten *iliyor|*uluyor, \
            cok fazla, surekli .. *iyor, cok uzun|yavas|gec, dosya|satir degisti $, files|lines \
            changed, we|i|you only *ed, we|i never got|saw|had|heard, is|are not *ing|set|found|ready|saved|loaded|shown|updated|called|there|defined|installed $, ^ \
            never mind, ayni hata*, bir sey degismedi, bakayim, geliyorum, deniyorum, sen karar, \
            gibi duruyor, de gayet, olabilir, kastetmedim|demek, denedim, *inca|*ince|*unca .. ama, \
            beri .. *iyor|*uyor, neyse onu, anlamadim|anladim, unutmussun|unuttun|silmissin, devam \
            ederiz, sevmedim|begenmedim, aslinda $, benim hatam, bir ara",
    ),
    // Praise, thanks and manners.
    (
        Chatter,
        1.0,
        "thanks|thank, nice|great|good|amazing|awesome work|job|one, well done, i like|love \
            it|this|that|how, i really like|love it|this|that|how, looks good|great|nice, that \
            works, sounds good|great, see you, good morning|night|evening, lets go with \
            that|it|this, the last one for, youre right, you are right, sorry, lol|haha*|hahaha, \
            wow, tesekkur*, eline saglik, cok iyi oldu, tam istedigim, super|harika, gunaydin, kolay \
            gelsin, haklisin*, bosver, kaldigimiz yerden, onunla devam, guzel onu",
    ),
    // An agent telling what it is doing.
    (
        Narration,
        1.0,
        "let me, ill, i will, im going|now|also|about, i am going|now|also|about, now \
            i|lets|let|im|ill, next i|ill|lets, ive|have \
            updated|added|fixed|created|made|written|implemented|removed|committed|run|verified|completed|finished, \
            i *ed, ive, has|have been *ed, is|are|function now, there are two|several|three|multiple \
            options|ways|approaches, based on the, here is|are the, i will, should be .. updated, \
            *dim|*tim|*dum|*tum ve, *dim|*tim|*dum|*tum $, iki secenek, su anda|an, ^ done, ^ \
            perfect, ^ good|nice catch, ^ great, ^ sure, ^ all good|tests|done, ^ excellent, ^ now, \
            ^ next, ^ first, ^ running, ^ starting, ^ here|heres, all .. tests pass|passed|passing, \
            tests pass|passed, would you like|prefer, should i, do you want, let me know, i need to, \
            i see, i apologize, absolutely right, i \
            searched|looked|found|checked|read|ran|reviewed|havent|dont|believe|think|understand|noticed|explored, \
            successfully, has|have been created|updated|modified|added, no issues, the review is, \
            relevant files, finished _, the next step, siradaki adim, *acagim|*ecegim, looks like, \
            the change, fixing it|this|that, bakayim, calistiriyorum, guncelledim, ekledim, \
            olusturdum, tamamlandi, duzeltiyorum, ozur dile*, ister misiniz|misin, bakiyorum, \
            gordum, aradim, ^ simdi, ^ once, testler gecti, buldum, inceliyorum, yapiyorum",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_written_as_they_are_compared() {
        for (_, weight, phrases) in CUES {
            assert!((0.5..=1.0).contains(weight));
            for phrase in phrases.split(", ") {
                assert!(
                    !phrase.trim().is_empty() && phrase.trim() == phrase && !phrase.contains("  "),
                    "{phrase:?}"
                );
                assert!(
                    phrase.chars().all(|mark| mark.is_ascii_lowercase()
                        || mark.is_ascii_digit()
                        || " |*_.$^".contains(mark)),
                    "{phrase:?}"
                );
            }
        }
    }
}
