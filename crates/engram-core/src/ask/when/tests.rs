//! One door: a table of questions, each with what is read from it.

use super::{Mention, Order, Period, SessionsFrom, Side, TimeAsked, read};
use jiff::civil::{DateTime, Time, date};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use proptest::prelude::*;

/// A Wednesday afternoon.
fn now() -> Zoned {
    date(2024, 6, 5).at(15, 30, 0, 0).to_zoned(TimeZone::UTC).expect("a time that exists")
}

/// Each line is `question => what is read`. Periods are half open, sessions
/// count from the start (`#3`) or back from now (`#-3`), "talk" and an order
/// may follow, and a bar parts them from the rest of the question.
#[track_caller]
fn check(table: &str) {
    let wrong: Vec<String> = table
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .filter_map(|line| {
            let (question, expected) = line.split_once(" => ").expect("a line has an arrow");
            let found = shown(&read(question.trim(), &now()));
            (found != expected.trim()).then(|| format!("{question} => {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "read differently:\n{}", wrong.join("\n"));
}

/// These questions say nothing about time.
#[track_caller]
fn check_none(questions: &str) {
    for question in questions.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let found = read(question, &now());
        assert_eq!(found.mentions, [], "{question}");
        assert_eq!((found.about_talk, found.order), (false, None), "{question}");
        assert_eq!(found.rest, question);
    }
}

fn shown(asked: &TimeAsked) -> String {
    let mut said: Vec<String> = asked.mentions.iter().map(shown_mention).collect();
    said.extend(asked.about_talk.then(|| "talk".to_owned()));
    said.extend(asked.order.map(|order| match order {
        Order::Newest => "newest".to_owned(),
        Order::Oldest => "oldest".to_owned(),
    }));
    format!("{} | {}", said.join(", "), asked.rest).trim().to_owned()
}

fn shown_mention(mention: &Mention) -> String {
    match mention {
        Mention::Period(Period { from, until }) => format!("{}..{}", shown_end(*from), shown_end(*until)),
        Mention::Sessions(sessions) => {
            let sign = if sessions.from == SessionsFrom::Start { "#" } else { "#-" };
            match (sessions.first, sessions.last) {
                (first, u32::MAX) => format!("{sign}{first}.."),
                (first, last) if first == last => format!("{sign}{first}"),
                (first, last) => format!("{sign}{first}..{sign}{last}"),
            }
        }
        Mention::Around { side, event } => {
            let side = match side {
                Side::Before => "before",
                Side::After => "after",
                Side::Since => "since",
                Side::Until => "until",
            };
            format!("{side} [{event}]")
        }
    }
}

fn shown_end(at: Timestamp) -> String {
    if at == Timestamp::MIN || at == Timestamp::MAX {
        return String::new();
    }
    let at = at.to_zoned(TimeZone::UTC).datetime();
    if at.time() == Time::midnight() {
        at.date().to_string()
    } else {
        at.strftime("%Y-%m-%d %H:%M").to_string()
    }
}

#[test]
fn a_date_is_read_in_every_writing() {
    check(
        "
        what changed on May 8th?            => 2024-05-08..2024-05-09 | what changed?
        what changed on 8 May 2023?         => 2023-05-08..2023-05-09 | what changed?
        what changed on the 8th of May      => 2024-05-08..2024-05-09 | what changed
        what changed on May 8, 2023, really => 2023-05-08..2023-05-09 | what changed, really
        what changed on Monday, May 6th     => 2024-05-06..2024-05-07 | what changed
        deploy log of 2023-05-08            => 2023-05-08..2023-05-09 | deploy log
        deploy log of 05/08/2023            => 2023-05-08..2023-05-09 | deploy log
        deploy log of 25/08/2023            => 2023-08-25..2023-08-26 | deploy log
        deploy log of 8.5.2023              => 2023-05-08..2023-05-09 | deploy log
        deploy log of March-15-2024         => 2024-03-15..2024-03-16 | deploy log
        deploy log of 2023-05               => 2023-05-01..2023-06-01 | deploy log
        what broke in March                 => 2024-03-01..2024-04-01 | what broke
        what broke in March 2022            => 2022-03-01..2022-04-01 | what broke
        what broke in March and April       => 2024-03-01..2024-04-01, 2024-04-01..2024-05-01 | what broke
        what broke in mid-May               => 2024-05-01..2024-06-01 | what broke
        what broke at the end of July 2023  => 2023-07-01..2023-08-01 | what broke
        what broke in may?                  => 2024-05-01..2024-06-01 | what broke?
        what broke in 2022                  => 2022-01-01..2023-01-01 | what broke
        what broke in Q3 2023               => 2023-07-01..2023-10-01 | what broke
        what broke last summer              => 2023-06-01..2023-09-01 | what broke
        what broke on the 3rd?              => 2024-06-03..2024-06-04 | what broke?
        what broke on the 8th?              => 2024-05-08..2024-05-09 | what broke?
        what broke in May of last year      => 2023-05-01..2023-06-01 | what broke
        ",
    );
}

#[test]
fn a_date_without_a_year_is_the_last_one_unless_the_question_looks_ahead() {
    check(
        "
        which release was on June 5    => 2024-06-05..2024-06-06 | which release was
        which release was on June 6    => 2023-06-06..2023-06-07 | which release was
        what did we ship in December   => 2023-12-01..2024-01-01 | what did we ship
        what did we ship on Feb 29     => 2024-02-29..2024-03-01 | what did we ship
        what will we ship on June 6    => 2024-06-06..2024-06-07 | what will we ship
        what broke between December 17th and January 9th => 2023-12-17..2024-01-10 | what broke
        ",
    );
}

#[test]
fn time_is_told_from_now() {
    check(
        "
        what broke today                   => 2024-06-05..2024-06-06 | what broke
        what broke yesterday               => 2024-06-04..2024-06-05 | what broke
        what broke yesterday morning       => 2024-06-04 04:00..2024-06-04 13:00 | what broke
        what broke this morning            => 2024-06-05 04:00..2024-06-05 13:00 | what broke
        what broke earlier today           => 2024-06-05..2024-06-05 14:30 | what broke
        what broke last night              => 2024-06-04 18:00..2024-06-05 06:00 | what broke
        what broke tonight                 => 2024-06-05 17:00..2024-06-06 06:00 | what broke
        what broke the day before yesterday => 2024-06-03..2024-06-04 | what broke
        what broke the other day           => 2024-05-29..2024-06-04 | what broke
        what broke an hour ago             => 2024-06-05 13:45..2024-06-05 15:15 | what broke
        what broke two days ago            => 2024-06-03..2024-06-04 | what broke
        what broke 40 days ago             => 2024-04-25 15:30..2024-04-27 | what broke
        what broke a couple of days ago    => 2024-06-02..2024-06-05 | what broke
        what broke a few days ago          => 2024-05-29..2024-06-04 | what broke
        what broke two weeks ago           => 2024-05-19..2024-05-26 | what broke
        what broke about 3 months ago      => 2024-03-01..2024-04-01 | what broke
        what broke a year ago              => 2023-01-01..2024-01-01 | what broke
        what broke last week               => 2024-05-27..2024-06-03 | what broke
        what broke this week               => 2024-06-03..2024-06-10 | what broke
        what broke the week before last    => 2024-05-20..2024-05-27 | what broke
        what broke in the past week        => 2024-05-29..2024-06-06 | what broke
        what broke over this last week     => 2024-05-29..2024-06-06 | what broke
        what broke over the last 3 days    => 2024-06-02..2024-06-06 | what broke
        what broke in the past two months  => 2024-04-05..2024-06-06 | what broke
        what broke last month              => 2024-05-01..2024-06-01 | what broke
        what broke this year               => 2024-01-01..2025-01-01 | what broke
        what broke since the start of the year => 2024-01-01.. | what broke
        what broke over the weekend        => 2024-06-01..2024-06-03 | what broke
        what broke last weekend            => 2024-06-01..2024-06-03 | what broke
        what broke in the last hour        => 2024-06-05 14:30..2024-06-06 | what broke
        what broke in the past few weeks   => 2024-05-01..2024-06-06 | what broke
        what broke at the end of last month => 2024-05-01..2024-06-01 | what broke
        ",
    );
}

#[test]
fn a_weekday_is_the_last_one_before_today() {
    check(
        "
        what broke on Friday             => 2024-05-31..2024-06-01 | what broke
        what broke last Tuesday          => 2024-06-04..2024-06-05 | what broke
        what broke last Wednesday        => 2024-05-29..2024-05-30 | what broke
        what broke this Monday           => 2024-06-03..2024-06-04 | what broke
        what broke last week on Tuesday  => 2024-05-28..2024-05-29 | what broke
        what broke Tuesday of last week  => 2024-05-28..2024-05-29 | what broke
        what broke Monday?               => 2024-06-03..2024-06-04 | what broke?
        ",
    );
}

#[test]
fn dates_bound_a_time() {
    check(
        "
        what broke between May 8th and May 20th => 2024-05-08..2024-05-21 | what broke
        what broke from March to May 2023       => 2023-03-01..2023-06-01 | what broke
        what broke May 8-12                     => 2024-05-08..2024-05-13 | what broke
        what broke between 3 and 5 May          => 2024-05-03..2024-05-06 | what broke
        what broke from last Monday to yesterday => 2024-06-03..2024-06-05 | what broke
        what broke before May 8                 => ..2024-05-08 | what broke
        what broke after May 8                  => 2024-05-09.. | what broke
        what broke since Friday                 => 2024-05-31.. | what broke
        what broke until last week              => ..2024-06-03 | what broke
        what broke by May 8                     => ..2024-05-09 | what broke
        what broke after May 8 and before May 20 => 2024-05-09..2024-05-20 | what broke
        what broke the week before May 8        => 2024-05-01..2024-05-08 | what broke
        what broke two days after May 8         => 2024-05-10..2024-05-11 | what broke
        what broke on the Sunday before May 8   => 2024-05-05..2024-05-06 | what broke
        what broke the week of May 8            => 2024-05-06..2024-05-13 | what broke
        what broke from Thursday to Friday      => 2024-05-30..2024-06-01 | what broke
        what broke from Monday to Friday        => 2024-05-27..2024-06-01 | what broke
        ",
    );
}

#[test]
fn sessions_are_counted_from_the_start_or_back_from_now() {
    check(
        "
        what did we fix in our third session      => #3, talk | fix
        what did we fix in the twenty-first session => #21, talk | fix
        what did we fix in session 12             => #12, talk | fix
        what did we fix over sessions 11 to 13    => #11..#13, talk | fix
        what did we fix over sessions 1 through 3 => #1..#3, talk | fix
        what did we fix in sessions 11-13         => #11..#13, talk | fix
        what did we fix 20 sessions ago           => #-20, talk | fix
        what did we fix in the last 3 sessions    => #-1..#-3, talk | fix
        what did we fix in our first two sessions => #1..#2, talk | fix
        what did we fix in the previous session   => #-1, talk | fix
        what did we fix in the session before last => #-2, talk | fix
        what came out of the last discussion      => #-1, talk, newest | came out
        what did we fix the last time we talked   => #-1, talk, newest | fix
        what did we discuss last time?            => #-1, talk, newest |
        when we last spoke, what was open         => #-1, talk | open
        what did we fix before our third session  => #1..#2, talk | fix
        what did we fix after session 3           => #4.., talk | fix
        what did we fix before the last session   => #-2.., talk, newest | fix
        what changed since our last session       => #-1, talk, newest | changed
        ",
    );
}

#[test]
fn a_talk_about_something_need_not_be_the_last_talk() {
    check(
        "
        the last session about caching           => newest | the last session about caching
        the last time we talked about caching    => newest | the last time we talked about caching
        our previous conversation about caching  => | our previous conversation about caching
        ",
    );
}

#[test]
fn a_question_about_talk_leaves_only_its_subject() {
    check(
        "
        What did we discuss last Tuesday?                  => 2024-06-04..2024-06-05, talk |
        What did we chat about on May 8th?                 => 2024-05-08..2024-05-09, talk |
        What did we talk about this month?                 => 2024-06-01..2024-07-01, talk |
        What did we discuss last week about cache eviction? => 2024-05-27..2024-06-03, talk | cache eviction
        Which linter did you suggest yesterday?            => 2024-06-04..2024-06-05, talk | linter did you suggest
        What was said in the meeting on Monday?            => 2024-06-03..2024-06-04, talk |
        ",
    );
}

#[test]
fn talk_told_of_in_passing_is_not_what_is_asked() {
    check(
        "
        What did Ada and Grace discuss about painting?  => | What did Ada and Grace discuss about painting?
        When is the meeting on Monday?                  => 2024-06-03..2024-06-04 | When is the meeting?
        What did the chat server log yesterday?         => 2024-06-04..2024-06-05 | What did the chat server log?
        We talked a lot. What runs today?               => 2024-06-05..2024-06-06 | We talked a lot. What runs?
        Can you recommend a library released this week? => 2024-06-03..2024-06-10 | Can you recommend a library released?
        What did we do yesterday?                       => 2024-06-04..2024-06-05 |
        ",
    );
}

#[test]
fn an_event_is_an_anchor() {
    check(
        "
        what did we use before we moved to Postgres? => before [we moved to Postgres] | what did we use we moved to Postgres?
        what broke after the outage                  => after [the outage] | what broke the outage
        Since the release, what broke?               => since [the release] | the release, what broke?
        what did I try until it worked?              => until [it worked] | what did I try it worked?
        how has it grown since adding the cache      => since [adding the cache] | how has it grown adding the cache
        how did we test after merging the parser     => after [merging the parser] | how did we test merging the parser
        ",
    );
}

#[test]
fn the_newest_or_the_oldest_is_asked_for() {
    check(
        "
        what is the latest decision on auth       => newest | what is the latest decision on auth
        which port did we choose most recently    => newest | which port did we choose most recently
        when did we first use redis               => oldest | when did we first use redis
        en son hangi portu seçtik                 => newest | en son hangi portu seçtik
        redis'i ilk ne zaman kullandık            => oldest | redis'i ilk ne zaman kullandık
        list the releases from earliest to latest => | list the releases from earliest to latest
        ",
    );
}

#[test]
fn turkish_dates_are_read_with_their_endings() {
    check(
        "
        8 Mayıs'ta ne bozuldu              => 2024-05-08..2024-05-09 | ne bozuldu
        8 mayista ne bozuldu               => 2024-05-08..2024-05-09 | ne bozuldu
        8 Mayıs 2023'te ne bozuldu         => 2023-05-08..2023-05-09 | ne bozuldu
        mayısın 8'inde ne bozuldu          => 2024-05-08..2024-05-09 | ne bozuldu
        mayısta ne bozuldu                 => 2024-05-01..2024-06-01 | ne bozuldu
        ocak ayında ne bozuldu             => 2024-01-01..2024-02-01 | ne bozuldu
        2023'te ne bozuldu                 => 2023-01-01..2024-01-01 | ne bozuldu
        geçen yıl mayısta ne bozuldu       => 2023-05-01..2023-06-01 | ne bozuldu
        8 Mayıs'tan önce ne bozuldu        => ..2024-05-08 | ne bozuldu
        8 mayıstan sonra ne bozuldu        => 2024-05-09.. | ne bozuldu
        Mayıs 2023'ten beri ne bozuldu     => 2023-05-01.. | ne bozuldu
        8.5.2023'ten beri ne bozuldu       => 2023-05-08.. | ne bozuldu
        marttan mayısa kadar ne bozuldu    => 2024-03-01..2024-06-01 | ne bozuldu
        8 Mayıs ile 20 Mayıs arasında ne bozuldu => 2024-05-08..2024-05-21 | ne bozuldu
        8-12 Mayıs arası ne bozuldu        => 2024-05-08..2024-05-13 | ne bozuldu
        ",
    );
}

#[test]
fn turkish_time_is_told_from_now() {
    check(
        "
        dün ne bozuldu               => 2024-06-04..2024-06-05 | ne bozuldu
        bugün ne bozuldu             => 2024-06-05..2024-06-06 | ne bozuldu
        evvelsi gün ne bozuldu       => 2024-06-03..2024-06-04 | ne bozuldu
        bu sabah ne bozuldu          => 2024-06-05 04:00..2024-06-05 13:00 | ne bozuldu
        dün gece ne bozuldu          => 2024-06-04 18:00..2024-06-05 06:00 | ne bozuldu
        iki gün önce ne bozuldu      => 2024-06-03..2024-06-04 | ne bozuldu
        on gün önce ne bozuldu       => 2024-05-25 15:30..2024-05-27 | ne bozuldu
        birkaç gün önce ne bozuldu   => 2024-05-29..2024-06-04 | ne bozuldu
        iki ay önce ne bozuldu       => 2024-04-01..2024-05-01 | ne bozuldu
        geçen hafta ne bozuldu       => 2024-05-27..2024-06-03 | ne bozuldu
        bu hafta ne bozuldu          => 2024-06-03..2024-06-10 | ne bozuldu
        geçen ay ne bozuldu          => 2024-05-01..2024-06-01 | ne bozuldu
        son 3 günde ne bozuldu       => 2024-06-02..2024-06-06 | ne bozuldu
        hafta sonu ne bozuldu        => 2024-06-01..2024-06-03 | ne bozuldu
        geçen salı ne bozuldu        => 2024-06-04..2024-06-05 | ne bozuldu
        gecen sali ne bozuldu        => 2024-06-04..2024-06-05 | ne bozuldu
        cuma günü ne bozuldu         => 2024-05-31..2024-06-01 | ne bozuldu
        cumadan beri ne bozuldu      => 2024-05-31.. | ne bozuldu
        cuma akşamı ne bozuldu       => 2024-05-31 17:00..2024-06-01 | ne bozuldu
        pazartesiden salıya kadar ne bozuldu => 2024-06-03..2024-06-05 | ne bozuldu
        geçen hafta salı günü ne bozuldu => 2024-05-28..2024-05-29 | ne bozuldu
        ",
    );
}

#[test]
fn turkish_talk_and_sessions_are_read() {
    check(
        "
        dün ne konuştuk?                       => 2024-06-04..2024-06-05, talk |
        geçen hafta önbellek hakkında ne konuştuk => 2024-05-27..2024-06-03, talk | önbellek
        ikinci oturumumuzda ne konuştuk        => #2, talk |
        son görüşmemizde ne konuştuk           => #-1, talk |
        12. oturumda ne konuştuk               => #12, talk |
        son 3 oturumda ne konuştuk             => #-1..#-3, talk |
        3 oturum önce ne konuştuk              => #-3, talk |
        11-13. oturumlarda ne konuştuk         => #11..#13, talk |
        en son konuştuğumuzda ne dedik         => #-1, talk, newest |
        3. oturumdan beri ne konuştuk          => #3.., talk |
        bir önceki oturumda ne konuştuk        => #-1, talk |
        ",
    );
}

#[test]
fn a_turkish_event_stands_before_its_side() {
    check(
        "
        Postgres'e geçmeden önce ne kullanıyorduk => before [Postgres'e geçmeden] | Postgres'e geçmeden ne kullanıyorduk
        kesintiden sonra ne bozuldu               => after [kesintiden] | kesintiden ne bozuldu
        yeni sürümden beri ne bozuldu             => since [yeni sürümden] | yeni sürümden ne bozuldu
        ",
    );
}

#[test]
fn no_time_is_seen_where_there_is_none() {
    check_none(
        "
        may I see the parser
        it may be slow, and these 8 may fail
        the second may fail, the last may pass
        how does this march through the list
        why does April use redis, and who is June
        what is on the second floor
        why does it take 30 seconds
        the cat sat in the sun
        what changed in 1.2.3 and in 10.0.0.1
        what is in 2023-report.md, may-2024.log and src/may/8.rs
        what does line 12 of main.rs do
        what does `last week` mean, and \"yesterday\"
        what does yesterday() return
        how long does the session cookie live
        why did the last login session expire
        what is in the first session token
        first, install the compiler
        how do we handle the 5 minute timeout
        before merging run the tests
        before you commit, run the linter
        what should I do before I push
        since it is slow, what can we do
        have we tried this before?
        what are the last 3 commits
        which is the previous version
        how do I fit it in 2000 lines
        do we deploy every Monday or next Friday
        does the job run Monday to Friday?
        who says mass on the Sunday mass list
        what is the last day of the month
        which last minute changes came at the last minute
        when does it retry after 5 minutes
        what happens after the request is sent
        how often is it called after the first render
        wait until the server starts
        how is 'last week' computed
        from 5 to 10 retries between 9 and 5
        what will come in next December
        oturum çerezi neden siliniyor
        son oturum açma hatası neydi
        bu aralıkta hangi değerler var
        pazar araştırması nerede
        her cuma ne çalışır
        daha önce denedik mi
        bundan sonra ne yapmalıyım
        testi geçen commit hangisi
        data mart nedir
        ",
    );
}

#[test]
fn midnight_is_that_of_the_asker() {
    let istanbul = jiff::tz::TimeZone::fixed(jiff::tz::offset(3));
    let now = date(2024, 6, 5).at(1, 0, 0, 0).to_zoned(istanbul).expect("a time that exists");
    let asked = read("what broke yesterday", &now);
    assert_eq!(shown_mention(&asked.mentions[0]), "2024-06-03 21:00..2024-06-04 21:00");
}

/// Words that readers react to, so that random questions reach far into them.
const WORDS: &str = "before after since until between and from to in on the last past this previous week \
                     month year day days ago 3 8th 31 2023 2023'te may May march June friday Monday's \
                     session sessions first third twenty - , . ? 0 4294967295 99999999999 9999 years early \
                     earlier mid önce sonra beri geçen son hafta ay gün oturum mayısta salı günü ile \
                     arasında kadar dün bugün we moved time talked time couple of few a 2023-05-08 1.2.3 \
                     hours minutes weekend q3 summer ' \" ` “";

fn nows() -> impl Strategy<Value = Zoned> {
    let near = |day: jiff::civil::Date| day.to_zoned(TimeZone::UTC).ok();
    let ends = [DateTime::MIN, DateTime::MAX]
        .into_iter()
        .filter_map(|end| near(end.date()).or_else(|| near(end.date().yesterday().ok()?)));
    let mut nows: Vec<Zoned> = ends.collect();
    nows.push(Timestamp::MIN.to_zoned(TimeZone::UTC));
    nows.push(Timestamp::MAX.to_zoned(TimeZone::UTC));
    nows.push(now());
    proptest::sample::select(nows)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_can_be_read(text in any::<String>(), now in nows()) {
        is_sound(&text, &now)?;
    }

    #[test]
    fn any_heap_of_time_words_can_be_read(
        words in prop::collection::vec(proptest::sample::select(WORDS.split_ascii_whitespace().collect::<Vec<_>>()), 0..12),
        now in nows(),
    ) {
        is_sound(&words.join(" "), &now)?;
    }
}

fn is_sound(text: &str, now: &Zoned) -> Result<(), TestCaseError> {
    let asked = read(text, now);
    for mention in &asked.mentions {
        match mention {
            Mention::Period(period) => prop_assert!(period.from < period.until, "{text}"),
            Mention::Sessions(sessions) => {
                prop_assert!(1 <= sessions.first && sessions.first <= sessions.last)
            }
            Mention::Around { event, .. } => prop_assert!(!event.is_empty()),
        }
    }
    prop_assert!(!asked.about_talk || !asked.mentions.is_empty());
    prop_assert!(!asked.mentions.is_empty() || asked.rest == text.trim());
    Ok(())
}

#[test]
fn a_long_text_is_read_without_haste_or_harm() {
    for word in ["early ", "earlier ", "the ", "before we ", "“", "twenty ", "May ", "- "] {
        is_sound(&word.repeat(1_000), &now()).expect("it can be read");
    }
}
