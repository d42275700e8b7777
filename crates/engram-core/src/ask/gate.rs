//! Which messages are not worth a look into memory.
//!
//! A message is let through as soon as it says one word more than a greeting,
//! a yes or a thank-you: a useless lookup costs a millisecond, a missed one
//! costs the answer. What a message asks is not known here.

use super::speech::{Word, words_of};
use crate::words::words;
use std::borrow::Cow;

words! {
    /// Why nothing is looked up for a message.
    pub enum Trivial ("reason not to look") {
        /// Hello and goodbye.
        Greeting = "greeting",
        /// A bare yes, no, go on or stop.
        Confirmation = "confirmation",
        /// Thanks and praise.
        Thanks = "thanks",
        /// A slash command: it goes to whoever defined it.
        Command = "command",
        /// Written by a program around the conversation, by nobody.
        Machine = "machine_text",
        /// Nothing in it could be looked for: empty, signs, a lone "why?".
        Nothing = "nothing",
    }
}

/// More words than this are never only pleasantries.
const LONGEST: usize = 12;

/// Why the message is not worth a look into memory; none if it is.
pub fn trivial_of(message: &str) -> Option<Trivial> {
    let spoken = spoken(message);
    let said = spoken.trim();
    let words = words_of(said);
    if words.is_empty() {
        return Some(if said == message.trim() { Trivial::Nothing } else { Trivial::Machine });
    }
    if is_command(said) {
        return Some(Trivial::Command);
    }
    if words.len() > LONGEST || looks_like_code(said) { None } else { pleasantry(&words) }
}

/// The reason, if known phrases cover every word. The first phrase that is
/// more than filling gives it.
fn pleasantry(words: &[Word]) -> Option<Trivial> {
    let mut reason = None;
    let mut rest = words;
    while !rest.is_empty() {
        let (length, said) = longest_phrase(rest)?;
        reason = reason.or(said);
        rest = &rest[length..];
    }
    Some(reason.unwrap_or(Trivial::Nothing))
}

/// The longest known phrase at the front: how many words it has, and the
/// reason it gives. Filling gives none.
fn longest_phrase(words: &[Word]) -> Option<(usize, Option<Trivial>)> {
    let known =
        PHRASES.iter().flat_map(|(reason, phrases)| phrases.split(", ").map(move |phrase| (*reason, phrase)));
    let fitting = known.filter_map(|(reason, phrase)| {
        let length = phrase.split(' ').count();
        let front = words.get(..length)?;
        let fits = front.iter().zip(phrase.split(' ')).all(|(word, known)| is_drawn_out(&word.folded, known));
        fits.then_some((length, reason))
    });
    let longest = fitting.max_by_key(|(length, _)| *length);
    longest.or_else(|| fills(&words[0].folded).then_some((1, None)))
}

/// Words that carry nothing by themselves: laughter and small numbers, which
/// answer a question of the agent ("2").
fn fills(word: &str) -> bool {
    let laughs = word.len() >= 3 && word.contains('h') && word.chars().all(|mark| matches!(mark, 'h' | 'a'));
    let picks = word.len() <= 2 && word.chars().all(|mark| mark.is_ascii_digit());
    laughs || picks
}

/// The word itself, or the word with letters held down: "heyyy" is "hey".
/// Letters may only be added, so that "col" does not become "cool".
fn is_drawn_out(word: &str, known: &str) -> bool {
    word == known || word.len() > known.len() && squeezed(word).eq(squeezed(known))
}

/// The letters without immediate repetition.
fn squeezed(word: &str) -> impl Iterator<Item = char> + '_ {
    let mut last = None;
    word.chars().filter(move |mark| last.replace(*mark) != Some(*mark))
}

/// Dots, slashes and colons inside a word: a file, a path, a command line.
fn looks_like_code(said: &str) -> bool {
    let inside = |word: &str| {
        let marks: Vec<char> = word.chars().collect();
        marks.windows(3).any(|three| {
            three[0].is_alphanumeric()
                && matches!(three[1], '.' | '/' | ':' | '\\' | '@' | '=' | '#')
                && three[2].is_alphanumeric()
        })
    };
    said.contains('`') || said.split_whitespace().any(inside)
}

/// A slash and a name. A second slash makes it a path, and so does the name of
/// a folder that lies at every root.
pub(crate) fn is_command(said: &str) -> bool {
    let Some(name) = said.strip_prefix('/').and_then(|rest| rest.split(char::is_whitespace).next()) else {
        return false;
    };
    name.starts_with(|mark: char| mark.is_ascii_alphabetic())
        && name.chars().all(|mark| mark.is_ascii_alphanumeric() || matches!(mark, '_' | '-' | ':'))
        && !ROOT_FOLDERS.contains(&name)
}

const ROOT_FOLDERS: &[&str] = &[
    "bin", "boot", "dev", "etc", "home", "lib", "media", "mnt", "opt", "proc", "root", "run", "sbin", "srv",
    "sys", "tmp", "usr", "var",
];

/// The message without what programs put around it.
pub(super) fn spoken(message: &str) -> Cow<'_, str> {
    if MACHINE_OPENINGS.iter().any(|opening| message.trim_start().starts_with(opening)) {
        return Cow::Borrowed("");
    }
    let mut text = Cow::Borrowed(message);
    for tag in MACHINE_TAGS {
        let (opening, closing) = (format!("<{tag}>"), format!("</{tag}>"));
        while let Some(from) = text.find(&opening) {
            // A block that was cut off reaches to the end.
            let to = text[from..].find(&closing).map_or(text.len(), |at| from + at + closing.len());
            text.to_mut().replace_range(from..to, " ");
        }
    }
    text
}

/// Blocks that coding agents put into the user's place.
pub const MACHINE_TAGS: &[&str] = &[
    "system-reminder",
    "command-name",
    "command-message",
    "command-args",
    "command-contents",
    "local-command-caveat",
    "local-command-stdout",
    "local-command-stderr",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "task-notification",
    "user-prompt-submit-hook",
    "session-start-hook",
    "teammate-message",
    "cross-session-message",
    "scheduled-task",
    "fork-boilerplate",
    "persisted-output",
    "new-diagnostics",
    "environment_context",
    "user_instructions",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
];

/// How messages begin that a program wrote from the first word to the last.
pub const MACHINE_OPENINGS: &[&str] = &[
    "[Request interrupted by user",
    "Caveat: The messages below were generated",
    "This session is being continued from a previous conversation",
    "Another Claude session sent a message",
    "The coordinator sent a message",
    "UserPromptSubmit operation blocked by hook",
    "UserPromptSubmit hook additional context:",
    "Stop hook feedback:",
    "HEARTBEAT",
];

/// Folded phrases that say nothing to look for; those without a reason only
/// fill the space between the others.
const PHRASES: &[(Option<Trivial>, &str)] = &[
    (
        Some(Trivial::Greeting),
        "hi, hello, hey, heya, hiya, yo, howdy, greetings, good morning, good afternoon, good evening, \
            good night, good day, morning, evening, how are you, how are you doing, hows it going, \
            whats up, sup, nice to meet you, welcome back, bye, bye bye, goodbye, see you, see you later, \
            see ya, later, talk to you later, have a nice day, have a good one, merhaba, merhabalar, mrb, \
            selam, selamlar, slm, selamun aleykum, aleykum selam, gunaydin, iyi gunler, iyi aksamlar, \
            iyi geceler, iyi calismalar, kolay gelsin, naber, ne haber, nasilsin, nasilsiniz, iyi misin, \
            ne var ne yok, hos geldin, hos bulduk, hosca kal, hoscakal, gorusuruz, gule gule, bay bay, \
            kendine iyi bak",
    ),
    (
        Some(Trivial::Confirmation),
        "ok, okay, okey, okie, oki, k, yes, yep, yeah, yea, yup, y, aye, sure, sure thing, of course, \
            absolutely, definitely, certainly, indeed, exactly, precisely, correct, right, thats right, \
            thats correct, true, agreed, i agree, i think so, fine, alright, all right, deal, roger, \
            understood, i understand, got it, i see, noted, makes sense, that makes sense, sounds good, \
            sounds great, looks good, looks good to me, looks great, lgtm, works for me, fair enough, no, \
            nope, nah, n, not now, not yet, no need, never mind, nevermind, nvm, no problem, np, \
            no worries, continue, proceed, go, go on, go ahead, go for it, keep going, carry on, resume, \
            do it, do that, do so, lets go, lets do it, lets do that, lets do this, ship it, make it so, \
            next, next one, next step, try again, once more, one more time, again, retry, redo, stop, \
            wait, hold on, cancel, abort, enough, done, im done, thats it, thats all, thats enough, \
            first one, second one, third one, last one, the first, the second, the third, both, either, \
            neither, none, approved, confirmed, accept, accepted, both of them, all of them, \
            whatever you think, your call, up to you, as you wish, please do, thats fine, i dont know, \
            not sure, im not sure, maybe, perhaps, probably, i guess, tamam, tamamdir, tmm, tamamen, \
            evet, hayir, olur, olsun, olmaz, peki, pekala, aynen, aynen oyle, kesinlikle, elbette, tabii, \
            tabi, tabii ki, tabi ki, dogru, haklisin, katiliyorum, anladim, anlasildi, uygun, uygundur, \
            onayliyorum, onay, kabul, sorun yok, sorun degil, onemli degil, bos ver, gerek yok, devam, \
            devam et, devam edelim, devam edin, devam edebilirsin, yap, yapalim, yap bunu, bunu yap, \
            oyle yap, baslayalim, basla, baslayabilirsin, hadi, haydi, hadi bakalim, gecelim, siradaki, \
            sonraki, tekrar, tekrar dene, bir daha, bir daha dene, yeniden dene, dur, bekle, iptal, \
            yeter, bitti, hepsi, hepsi bu, ikisi de, hicbiri, birincisi, ikincisi, ilki, sen bilirsin, \
            bilmiyorum, emin degilim, belki, galiba, sanirim, mantikli",
    ),
    (
        Some(Trivial::Thanks),
        "thanks, thank you, thank u, thx, tnx, ty, tysm, thanks a lot, thanks a bunch, thank you so much, \
            thank you very much, many thanks, much appreciated, appreciated, appreciate it, \
            i appreciate it, cheers, great, good, very good, nice, cool, perfect, awesome, amazing, \
            excellent, brilliant, wonderful, fantastic, lovely, wow, good job, great job, nice job, \
            good work, great work, nice work, well done, nice one, good one, love it, i love it, \
            i like it, thats great, thats good, thats perfect, you are the best, youre the best, \
            tesekkur, tesekkurler, tesekkur ederim, tesekkur ederiz, tskler, tsk, sagol, sag ol, sagolun, \
            sag olun, eyvallah, eline saglik, ellerine saglik, cok iyi, cok guzel, super, harika, \
            harikasin, guzel, iyi, mukemmel, muhtesem, sahane, bravo, helal, aferin, begendim, \
            rica ederim",
    ),
    (
        Some(Trivial::Nothing),
        "why, what, how, huh, hm, hmm, mm, um, uh, uhm, eh, oh, ah, oops, lol, why not, how so, how come, \
            really, seriously, is it, are you sure, and then, so what, what now, what next, whats next, \
            now what, any luck, are you there, you there, neden, niye, nicin, nasil, ne, nasil yani, \
            nasil olur, ne yani, oyle mi, gercekten, gercekten mi, emin misin, ciddi misin, \
            simdi ne olacak, orada misin, sirada ne var",
    ),
    (
        None,
        "please, pls, plz, then, now, so, and, but, it, that, this, the, you, i, we, just, very, much, \
            really, there, everyone, all, again, for, me, to, too, also, well, a lot, so much, for now, \
            for that, for this, for everything, my friend, friend, mate, man, bro, dude, buddy, sir, \
            folks, team, guys, one, option, number, is, are, lutfen, simdi, simdilik, o zaman, ozaman, \
            bunu, sunu, onu, bu, boyle, oyle, cok, ya, iste, bence, artik, hemen, abi, abla, hocam, \
            kanka, dostum, kardesim, arkadaslar, ve, ama, da, de, bir, her sey icin, ederim, secenek, \
            numara",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: Option<Trivial>, messages: &str) {
        for message in messages.split(" | ") {
            assert_eq!(trivial_of(message), expected, "{message:?}");
        }
    }

    #[test]
    fn pleasantries_are_told_by_what_comes_first() {
        check(
            Some(Trivial::Greeting),
            "hi | Hello! | HEYYY | hey there :) | good morning team | Merhaba | selaaam | günaydın hocam | \
             GÜNAYDIN | iyi akşamlar | naber? | how are you doing? | hi! thanks",
        );
        check(
            Some(Trivial::Confirmation),
            "ok | okk | Okay. | k | yes | yes please | yes do it | Yep, go ahead! | no | continue | go on | \
             sounds good, thanks | LGTM 👍 | try again | tamam | tamaaam | Tamamdır | evet | EVET | hayır | \
             devam et | devam et lütfen | olur, yap bunu | tabii ki | anladım | peki o zaman",
        );
        check(
            Some(Trivial::Thanks),
            "thanks | Thank you so much!! | thx | great, thanks | perfect | teşekkürler | tesekkurler | \
             çok teşekkürler abi | sağ ol | Süper! | eline sağlık",
        );
    }

    #[test]
    fn one_word_more_is_let_through() {
        check(
            None,
            "ok, but where is the staging key? | thanks! what port does redis use | hello world | \
             yes, tests | hi, deploy is red | good morning, did the migration finish | why is ci slow | no, use tabs | \
             continue with the parser | what is it called | tamam ama şifre nerede | \
             selam, redis portu kaç | evet prod | teşekkürler, peki loglar nerede duruyor | devam et ama testleri atla",
        );
    }

    #[test]
    fn a_name_alone_is_a_question() {
        check(
            None,
            "main.rs | E0277 | postgres | ok.py | go.mod | hi/there | yes=1 | Kubernetes | retry_count | \
             col | god | 8080 | README | `ok` | tasks::select | şema | c++",
        );
    }

    #[test]
    fn a_slash_and_a_name_is_a_command_and_a_path_is_not() {
        check(Some(Trivial::Command), "/help | /status now | /engram:remember the key |   /dream-full");
        check(None, "/etc/hosts | /tmp is full | /src/lib.rs has a leak | / is full | /v1/users returns 500");
    }

    #[test]
    fn where_nothing_is_said_nothing_is_looked_for() {
        check(
            Some(Trivial::Nothing),
            " | \n | 👍 | 🎉🎉🎉 | ... | ??? | why? | neden? | hmmm | 2 | option 2 | haha | hahaha | :) | \
             are you sure? | emin misin? | please",
        );
    }

    #[test]
    fn what_a_program_wrote_is_taken_off_first() {
        check(
            Some(Trivial::Machine),
            "<system-reminder>the todo list is empty</system-reminder> | \
             <command-name>/clear</command-name> <command-message>clear</command-message> | \
             <local-command-stdout>was cut off | [Request interrupted by user for tool use]",
        );
        check(Some(Trivial::Confirmation), "<system-reminder>be brief</system-reminder>\nyes");
        check(
            None,
            "<system-reminder>be brief</system-reminder> where is the staging key | \
             <div>why does this not close</div>",
        );
    }
}
