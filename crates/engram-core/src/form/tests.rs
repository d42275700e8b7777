//! One door: a table of sayings, each with the facts that are made of it.

mod laws;

use super::{Fact, Said, Step, form, merge};
use jiff::civil::{Time, date};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// A Wednesday afternoon.
fn said_at() -> Zoned {
    date(2026, 11, 18).at(15, 30, 0, 0).to_zoned(TimeZone::UTC).expect("a time that exists")
}

fn facts(text: &str, speaker: Option<&str>, before: &[&str]) -> Vec<Fact> {
    let before: Vec<String> = before.iter().map(|&name| name.to_owned()).collect();
    form(text, &Said { at: &said_at(), speaker, before: &before })
}

/// The facts of a text: "//" parts them, brackets hold since and until when
/// one is true, a star marks foresight, and `\n` is a line.
#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(shown(&facts(&text.replace("\\n", "\n"), None, &[])), expected, "{text}");
}

/// Each line is `text => facts`; the same on both sides may be left out.
#[track_caller]
fn check_all(table: &str) {
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (text, expected) = line.split_once(" => ").unwrap_or((line, line));
        check(text.trim(), expected.trim());
    }
}

fn shown(facts: &[Fact]) -> String {
    let one = |fact: &Fact| {
        let held = match (fact.valid_from, fact.valid_until) {
            (None, None) => String::new(),
            (from, until) => format!(" [{}..{}]", shown_end(from), shown_end(until)),
        };
        format!("{}{held}{}", fact.text.replace('\n', "\\n"), if fact.foresight { " *" } else { "" })
    };
    facts.iter().map(one).collect::<Vec<_>>().join(" // ")
}

fn shown_end(at: Option<Timestamp>) -> String {
    let Some(at) = at else { return String::new() };
    let at = at.to_zoned(TimeZone::UTC).datetime();
    if at.time() == Time::midnight() {
        at.date().to_string()
    } else {
        at.strftime("%Y-%m-%d %H:%M").to_string()
    }
}

#[test]
fn several_claims_become_several_facts() {
    check_all(
        r#"
        the API runs on Fly and the database is on Neon => the API runs on Fly // the database is on Neon
        The API runs on Fly; the database lives in Frankfurt. => The API runs on Fly // the database lives in Frankfurt.
        The API is on Fly but the database is on Neon. => The API is on Fly // the database is on Neon.
        Ada owns billing and Grace owns search.  => Ada owns billing // Grace owns search.
        Our frontend is in Vue and our backend is in Go. => Our frontend is in Vue // our backend is in Go.
        `api` runs on Fly and `db` runs on Neon. => `api` runs on Fly // `db` runs on Neon.
        The API uses gRPC, and the worker reads from the queue, and the cron runs nightly. => The API uses gRPC // the worker reads from the queue // the cron runs nightly.
        The staging key is in vault, but I don't have access. => The staging key is in vault // The user doesn't have access.
        We fixed the bug last Tuesday and the build is green now. => We fixed the bug on 2026-11-17 (Tuesday) [2026-11-17..] // the build is green now.
        My name is Ada and I live in Berlin.     => The user's name is Ada // The user lives in Berlin.
        We keep secrets in vault and also the logs are in S3. => We keep secrets in vault // the logs are in S3.
        API Fly'da çalışıyor ve veritabanı Neon'da duruyor. => API Fly'da çalışıyor // veritabanı Neon'da duruyor.
        Testleri çalıştırıyoruz ve sonra deploy ediyoruz. => Testleri çalıştırıyoruz // sonra deploy ediyoruz.
        Redis 6380'de çalışıyor ama Postgres 5433'te çalışıyor. => Redis 6380'de çalışıyor // Postgres 5433'te çalışıyor.
        Sunucu Berlin'de duruyor, ayrıca yedekler Paris'te duruyor. => Sunucu Berlin'de duruyor // yedekler Paris'te duruyor.
        Kodu yazdık; testleri ekledik.           => Kodu yazdık // testleri ekledik.
        "#,
    );
}

#[test]
fn what_would_lose_its_meaning_stays_together() {
    check_all(
        r#"
        we use black and isort
        we deploy on Fridays, and never on Mondays
        If the build passes and the tests are green, we deploy.
        We deploy when the build passes and the tests are green.
        In production the API is on Fly and the database is on Neon.
        Last Friday the deploy failed, and we rolled back. => On 2026-11-13 (Friday) the deploy failed, and we rolled back. [2026-11-13..]
        We run unit tests and integration tests on CI.
        The API and the worker are in one repo.
        We use either Fly or Render and the API is small.
        We use Fly because the API is small and the team is small.
        Ada said the API is slow and the worker is fast.
        We test on Linux and macOS and Windows.
        We import numpy and run it on CI.
        The order is: build and the tests are next.
        black ve isort kullanıyoruz.
        API Fly'da çalışıyor ve Neon'a bağlanıyor.
        API yavaş ama veritabanı hızlı.
        Eğer testler geçiyorsa ve build yeşilse deploy ediyoruz.
        "#,
    );
}

#[test]
fn items_stand_under_their_heading() {
    check_all(
        r#"
        We use these tools:\n- black\n- isort\n- `ruff check` => We use these tools: black // We use these tools: isort // We use these tools: `ruff check`
        # Deploy\n\n1. build the image\n2. push it to Fly => Deploy: 1. build the image // Deploy: 2. push it to Fly
        ## Database\nWe use Neon. The pool size is 20. => Database: We use Neon. // The pool size is 20.
        - Backend\n  - Fly\n  - Neon\n- Frontend\n  - Vercel => Backend: Fly // Backend: Neon // Frontend: Vercel
        **Rules**:\n* no `unwrap`\n* no panics        => Rules: no `unwrap` // Rules: no panics
        My tools:\n- vim\n- tmux                      => The user's tools: vim // The user's tools: tmux
        Plan for next week:\n- ship `v2`\n- drop Redis => Plan for the week of 2026-11-23 to 2026-11-29: ship `v2` [..2026-11-30] * // Plan for the week of 2026-11-23 to 2026-11-29: drop Redis [..2026-11-30] *
        Run this:\n```\ncargo test\n```\nThen commit. => Run this: ```\ncargo test\n``` // Then commit.
        Kullandığımız araçlar:\n- black\n- isort      => Kullandığımız araçlar: black // Kullandığımız araçlar: isort
        # Empty heading
        | a | b |\n|---|---|\n| 1 | 2 |
        "#,
    );
}

#[test]
fn sentences_end_where_they_end() {
    check_all(
        r#"
        e.g. we use Fly. i.e. the host is in fra. => e.g. we use Fly. // i.e. the host is in fra.
        Dr. Smith wrote main.rs. It has 3 tests.  => Dr. Smith wrote main.rs. // It has 3 tests.
        Use v1.2.3. Not v2.                       => Use v1.2.3. // Not v2.
        this is a long wrapped line that goes on for quite a while and\ncontinues here => this is a long wrapped line that goes on for quite a while and continues here
        use tabs\ndeploy from main                => use tabs // deploy from main
        The rule (see docs. It is long.) holds. Really. => The rule (see docs. It is long.) holds. // Really.
        She said "Stop. Now." and left.
        3. sürüm yavaş. 4. sürüm hızlı.           => 3. sürüm yavaş. // 4. sürüm hızlı.
        Hello!
        ???
        "#,
    );
}

#[test]
fn a_pronoun_is_the_one_subject_that_fits() {
    check_all(
        r#"
        The API is slow. It runs on Fly.              => The API is slow. // The API runs on Fly.
        The API is slow. Its pool is small.           => The API is slow. // The API's pool is small.
        The API is slow. It's on Fly.                 => The API is slow. // The API is on Fly.
        Redis listens on 6380 and it needs a password => Redis listens on 6380 // Redis needs a password
        We use Redis. It listens on 6380.             => We use Redis. // Redis listens on 6380.
        Ada joined the team. She prefers tabs.        => Ada joined the team. // Ada prefers tabs.
        Ada is on call. Ask her about Redis.          => Ada is on call. // Ask Ada about Redis.
        The workers restart at night. They need 2 GB. => The workers restart at night. // The workers need 2 GB.
        The billing service is old. That service needs Redis. => The billing service is old. // The billing service needs Redis.
        The billing service is old. This runs on Fly. => The billing service is old. // The billing service runs on Fly.
        Redis was slow. We moved it to Hetzner.       => Redis was slow. // We moved Redis to Hetzner.
        The API is slow. It is old. It runs on Fly.   => The API is slow. // The API is old. // The API runs on Fly.
        Redis 6380'de çalışıyor. Onu yeniden başlattık. => Redis 6380'de çalışıyor. // Onu (Redis) yeniden başlattık.
        Redis yavaş çalışıyor. O Fly'da duruyor.      => Redis yavaş çalışıyor. // Redis Fly'da duruyor.
        Ada geldi. O çok hızlı çalışıyor.             => Ada geldi. // Ada çok hızlı çalışıyor.
        Redis eskidi. Bu servis yavaş.                => Redis eskidi. // Bu servis (Redis) yavaş.
        "#,
    );
}

#[test]
fn a_pronoun_that_is_not_clear_stays() {
    check_all(
        r#"
        It runs on Fly.
        We moved the API to Fly. It went well.     => We moved the API to Fly. // It went well.
        Ada met Grace. She prefers tabs.           => Ada met Grace. // She prefers tabs.
        The API times out. This is bad.            => The API times out. // This is bad.
        The API times out. It is important to fix that. => The API times out. // It is important to fix that.
        The API is slow. She prefers tabs.         => The API is slow. // She prefers tabs.
        The worker crashed when it started.
        The API is slow. It seems we need Redis.   => The API is slow. // It seems we need Redis.
        Redis'i Hetzner'e taşıdık. Onu her gece yedekliyoruz. => Redis'i Hetzner'e taşıdık. // Onu her gece yedekliyoruz.
        Redis yavaş. Bunun için Neon kullanıyoruz. => Redis yavaş. // Bunun için Neon kullanıyoruz.
        "#,
    );
}

#[test]
fn what_was_is_dated_and_true_since_then() {
    check_all(
        r#"
        Yesterday we moved to Fly.                => On 2026-11-17 (Tuesday) we moved to Fly. [2026-11-17..]
        We moved to Fly the day before yesterday. => We moved to Fly on 2026-11-16 (Monday). [2026-11-16..]
        last week we moved to Fly                 => in the week of 2026-11-09 to 2026-11-15 we moved to Fly [2026-11-09..]
        Last month we paid 40 dollars.            => In 2026-10 we paid 40 dollars. [2026-10-01..]
        Last year we used Heroku.                 => In 2025 we used Heroku. [2025-01-01..]
        Last Friday we shipped.                   => On 2026-11-13 (Friday) we shipped. [2026-11-13..]
        We deployed on Friday.                    => We deployed on 2026-11-13 (Friday). [2026-11-13..]
        We deployed 3 days ago.                   => We deployed 3 days ago (2026-11-15). [2026-11-15..]
        The key was rotated two weeks ago.        => The key was rotated on 2026-11-04 (Wednesday). [2026-11-04..]
        The key was rotated a month ago.          => The key was rotated on 2026-10-18 (Sunday). [2026-10-18..]
        It broke an hour ago.                     => It broke an hour ago (2026-11-18 14:30). [2026-11-18 14:30..]
        The bug appeared 2 hours ago.             => The bug appeared 2 hours ago (2026-11-18 13:30). [2026-11-18 13:30..]
        We deployed a few days ago.               => We deployed a few days before 2026-11-18.
        We fixed it this morning.                 => We fixed it on 2026-11-18 (Wednesday) in the morning. [2026-11-18 04:00..]
        We fixed it last night.                   => We fixed it on 2026-11-17 (Tuesday) at night. [2026-11-17 18:00..]
        Yesterday's build broke.                  => Yesterday's (2026-11-17) build broke. [2026-11-17..]
        Since yesterday the queue is full.        => Since 2026-11-17 (Tuesday) the queue is full. [2026-11-17..]
        We use Neon since March.                  => We use Neon since 2026-03. [2026-03-01..]
        As of today we use pnpm.                  => As of 2026-11-18 (Wednesday) we use pnpm. [2026-11-18..]
        Back in March we used Heroku.             => Back in 2026-03 we used Heroku. [2026-03-01..]
        In May 2025 we moved to Fly.              => In May 2025 (2025-05) we moved to Fly. [2025-05-01..]
        We moved on May 8th.                      => We moved on May 8th (2026-05-08). [2026-05-08..]
        We moved on 2026-05-08.                   => We moved on 2026-05-08. [2026-05-08..]
        We met on the 3rd.                        => We met on the 3rd (2026-11-03). [2026-11-03..]
        We released 2.0 in Q3.                    => We released 2.0 in Q3 (2026-07-01 to 2026-09-30). [2026-07-01..]
        I moved to Berlin in 2023.                => The user moved to Berlin in 2023. [2023-01-01..]
        Over the last 3 days the queue grew.      => Over the last 3 days (2026-11-15 to 2026-11-18) the queue grew. [2026-11-15..]
        We were in Berlin from Monday to Friday.  => We were in Berlin from 2026-11-09 to 2026-11-13. [2026-11-09..2026-11-14]
        We had used Heroku before March.          => We had used Heroku before 2026-03. [..2026-03-01]
        Dün Fly'a taşındık.                       => 2026-11-17 (salı) Fly'a taşındık. [2026-11-17..]
        Evvelsi gün düzeldi.                      => 2026-11-16 (pazartesi) düzeldi. [2026-11-16..]
        Dün akşam sunucu çöktü.                   => 2026-11-17 (salı) akşam sunucu çöktü. [2026-11-17 17:00..]
        Geçen hafta Neon'a geçtik.                => 2026-11-09 ile 2026-11-15 arasında Neon'a geçtik. [2026-11-09..]
        Geçen ay 40 dolar ödedik.                 => 2026-10 ayında 40 dolar ödedik. [2026-10-01..]
        Geçen salı çöktü.                         => 2026-11-17 (salı) çöktü. [2026-11-17..]
        Cuma günü deploy ettik.                   => 2026-11-13 (cuma) deploy ettik. [2026-11-13..]
        Üç gün önce düzelttik.                    => 2026-11-15 (pazar) düzelttik. [2026-11-15..]
        3 gün önce düzelttik.                     => 3 gün önce (2026-11-15) düzelttik. [2026-11-15..]
        Birkaç gün önce bozuldu.                  => Birkaç gün önce (2026-11-18 itibarıyla) bozuldu.
        8 Mayıs'ta taşındık.                      => 8 Mayıs'ta (2026-05-08) taşındık. [2026-05-08..]
        Marttan beri Neon kullanıyoruz.           => 2026-03 ayından beri Neon kullanıyoruz. [2026-03-01..]
        Pazartesiden beri bozuk.                  => 2026-11-16 (pazartesi) gününden beri bozuk. [2026-11-16..]
        Bugün `main` donduruldu.                  => 2026-11-18 (çarşamba) `main` donduruldu. [2026-11-18..]
        "#,
    );
}

#[test]
fn what_is_to_come_is_foresight() {
    check_all(
        r#"
        We will deploy tomorrow.                    => We will deploy on 2026-11-19 (Thursday). [..2026-11-20] *
        Tomorrow we deploy.                         => On 2026-11-19 (Thursday) we deploy. [..2026-11-20] *
        The release is tomorrow.                    => The release is on 2026-11-19 (Thursday). [..2026-11-20] *
        Tomorrow is a holiday.                      => 2026-11-19 (Thursday) is a holiday. [..2026-11-20] *
        Tomorrow's release is v2.                   => Tomorrow's (2026-11-19) release is v2. [..2026-11-20] *
        The day after tomorrow we leave.            => On 2026-11-20 (Friday) we leave. [..2026-11-21] *
        We will ship v2 next Friday.                => We will ship v2 on 2026-11-27 (Friday). [..2026-11-28] *
        The team will meet this Friday.             => The team will meet on 2026-11-20 (Friday). [..2026-11-21] *
        The meeting moved to next Thursday.         => The meeting moved to 2026-11-26 (Thursday). [..2026-11-27] *
        We'll ship in two weeks.                    => We'll ship on 2026-12-02 (Wednesday). [..2026-12-03] *
        We will deploy in 2 weeks.                  => We will deploy in 2 weeks (2026-12-02). [..2026-12-03] *
        In the next two weeks we'll test.           => By 2026-12-02 (Wednesday) we'll test. [..2026-12-03] *
        Within 3 days we will rotate the key.       => Within 3 days (2026-11-21) we will rotate the key. [..2026-11-22] *
        The cert expires in two weeks.              => The cert expires on 2026-12-02 (Wednesday). [..2026-12-03] *
        We'll migrate next week.                    => We'll migrate in the week of 2026-11-23 to 2026-11-29. [..2026-11-30] *
        Next month the price changes.               => In 2026-12 the price changes. [..2027-01-01] *
        Next year we will drop Python 3.9.          => In 2027 we will drop Python 3.9. [..2028-01-01] *
        We'll do it tonight.                        => We'll do it on 2026-11-18 (Wednesday) at night. [..2026-11-19] *
        I'll call you at 5pm tomorrow.              => The user will call you at 5pm on 2026-11-19 (Thursday). [..2026-11-20] *
        We will deploy on Friday at 15:00.          => We will deploy on 2026-11-20 (Friday) at 15:00. [..2026-11-21] *
        Next Tuesday morning we will talk.          => On 2026-11-24 (Tuesday) in the morning we will talk. [..2026-11-25] *
        We'll meet on the 3rd.                      => We'll meet on the 3rd (2026-12-03). [..2026-12-04] *
        Ada will join us in March.                  => Ada will join us in 2027-03. [..2027-04-01] *
        We'll retire `v1/users` on 2027-01-31.      => We'll retire `v1/users` on 2027-01-31. [..2027-02-01] *
        We will be in Berlin from Monday to Friday. => We will be in Berlin from 2026-11-23 to 2026-11-27. [2026-11-23..2026-11-28] *
        From January we will use Neon.              => From 2027-01 we will use Neon. [2027-01-01..2027-01-08] *
        The deploy will finish in 20 minutes.       => The deploy will finish in 20 minutes (2026-11-18 15:50). [..2026-11-19] *
        We plan to move to Hetzner.                 => We plan to move to Hetzner. [..2026-11-25 15:30] *
        We're going to drop Redis.                  => We're going to drop Redis. [..2026-11-25 15:30] *
        We are about to release 2.0.                => We are about to release 2.0. [..2026-11-25 15:30] *
        I plan to learn Zig.                        => The user plans to learn Zig. [..2026-11-25 15:30] *
        The upcoming release drops Node 18.         => The upcoming release drops Node 18. [..2026-11-25 15:30] *
        Yarın deploy edeceğiz.                      => 2026-11-19 (perşembe) deploy edeceğiz. [..2026-11-20] *
        Yarınki toplantı iptal.                     => Yarınki (2026-11-19) toplantı iptal. [..2026-11-20] *
        Yarın sabah 9:30'da görüşeceğiz.            => 2026-11-19 (perşembe) sabah 9:30'da görüşeceğiz. [..2026-11-20] *
        Öbür gün geliyor.                           => 2026-11-20 (cuma) geliyor. [..2026-11-21] *
        Gelecek cuma sürüm çıkacak.                 => 2026-11-20 (cuma) sürüm çıkacak. [..2026-11-21] *
        Bu cuma sürüm çıkıyor.                      => 2026-11-20 (cuma) sürüm çıkıyor. [..2026-11-21] *
        Haftaya pazartesi toplantı var.             => 2026-11-23 (pazartesi) toplantı var. [..2026-11-24] *
        Haftaya taşınacağız.                        => 2026-11-23 ile 2026-11-29 arasında taşınacağız. [..2026-11-30] *
        Gelecek hafta taşınıyoruz.                  => 2026-11-23 ile 2026-11-29 arasında taşınıyoruz. [..2026-11-30] *
        Önümüzdeki ay taşınacağız.                  => 2026-12 ayında taşınacağız. [..2027-01-01] *
        Önümüzdeki hafta sonu bakım var.            => 2026-11-21 ile 2026-11-22 arasında bakım var. [..2026-11-23] *
        İki gün sonra bakım yapacağız.              => 2026-11-20 (cuma) bakım yapacağız. [..2026-11-21] *
        İki hafta içinde bitireceğiz.               => 2026-12-02 (çarşamba) gününe kadar bitireceğiz. [..2026-12-03] *
        10 gün içinde bitecek.                      => 10 gün içinde (2026-11-28) bitecek. [..2026-11-29] *
        Redis'i kaldırmayı planlıyoruz.             => Redis'i kaldırmayı planlıyoruz. [..2026-11-25 15:30] *
        Deploy etmek üzereyiz.                      => Deploy etmek üzereyiz. [..2026-11-25 15:30] *
        "#,
    );
}

#[test]
fn what_has_an_end_is_true_until_then() {
    check_all(
        r#"
        The freeze lasts until the end of the month. => The freeze lasts until 2026-11-30 (Monday). [..2026-12-01]
        The report is due by Monday.                 => The report is due by 2026-11-23 (Monday). [..2026-11-24] *
        By the end of the week we need the keys.     => By 2026-11-22 (Sunday) we need the keys. [..2026-11-23]
        Send it by Friday 17:00.                     => Send it by 2026-11-20 (Friday) 17:00. [..2026-11-20 17:00]
        We'll freeze `main` until next Wednesday 18:00. => We'll freeze `main` until 2026-11-25 (Wednesday) 18:00. [..2026-11-25 18:00] *
        We have until Friday.                        => We have until 2026-11-20 (Friday). [..2026-11-21]
        no later than Friday we must answer          => no later than 2026-11-20 (Friday) we must answer [..2026-11-21]
        We use Neon until December.                  => We use Neon until 2026-12. [..2027-01-01]
        We won't deploy before Monday.               => We won't deploy before 2026-11-23 (Monday). [..2026-11-23] *
        This week Ada is on call.                    => In the week of 2026-11-16 to 2026-11-22 Ada is on call. [2026-11-16..2026-11-23]
        The contract runs from 2026-01-01 to 2026-12-31. => The contract runs from 2026-01-01 to 2026-12-31. [2026-01-01..2027-01-01]
        We are closed from December 24 to January 2. => We are closed from December 24 to January 2 (2026-12-24 to 2027-01-02). [2026-12-24..2027-01-03]
        Ay sonuna kadar donduruldu.                  => 2026-11-30 (pazartesi) gününe kadar donduruldu. [..2026-12-01]
        Pazartesiye kadar bekliyoruz.                => 2026-11-23 (pazartesi) gününe kadar bekliyoruz. [..2026-11-24]
        Salı gününe kadar bekleyeceğiz.              => 2026-11-24 (salı) gününe kadar bekleyeceğiz. [..2026-11-25] *
        Cumaya kadar rapor lazım.                    => 2026-11-20 (cuma) gününe kadar rapor lazım. [..2026-11-21]
        Yarına kadar hazır olacak.                   => 2026-11-19 (perşembe) gününe kadar hazır olacak. [..2026-11-20] *
        Yıl sonuna kadar Neon'da kalacağız.          => 2026-12-31 (perşembe) gününe kadar Neon'da kalacağız. [..2027-01-01] *
        Mart sonuna kadar ücretsiz.                  => 2027-03-31 (çarşamba) gününe kadar ücretsiz. [..2027-04-01]
        2026-12-01'e kadar geçerli.                  => 2026-12-01'e kadar geçerli. [..2026-12-02]
        Bu hafta Ada nöbetçi.                        => 2026-11-16 ile 2026-11-22 arasında Ada nöbetçi. [2026-11-16..2026-11-23]
        "#,
    );
}

#[test]
fn what_may_come_again_is_only_noted() {
    check_all(
        r#"
        The demo is on Friday.          => The demo is on Friday (2026-11-20).
        We launch on December 1.        => We launch on December 1 (2026-12-01).
        At the end of the month we pay. => At the end of the month (2026-11-30) we pay.
        The price rises in January.     => The price rises in January (2027-01).
        Ay sonunda ödeme yapıyoruz.     => Ay sonunda (2026-11-30) ödeme yapıyoruz.
        "#,
    );
}

#[test]
fn what_is_no_date_stays() {
    check_all(
        r#"
        We deploy on Fridays.
        We never deploy on Friday.
        The job runs every Friday at 5pm.
        We work Monday to Friday.
        We built it in two weeks.
        Tokens expire in 30 days.
        The build takes 5 minutes.
        The API may fail, the second call is cached in 1.2.3
        The Friday release is late.
        Black Friday is busy.
        It was written by April.
        Run the March build of `march=native`.
        Our Q4 goal is 99.9 uptime.
        We wrote "see you tomorrow" in the mail.
        The function will fail if the key is missing.
        Will joined the team.
        We used to use Heroku.
        Her cuma deploy ediyoruz.
        Kullanılacak araç `ruff`.
        Gelecek güzel.
        Hafta sonu çalışıyoruz.
        "#,
    );
}

#[test]
fn the_first_person_becomes_the_third() {
    check_all(
        r#"
        I prefer tabs.                  => The user prefers tabs.
        I don't like spaces.            => The user doesn't like spaces.
        I haven't tried it.             => The user hasn't tried it.
        My editor is vim.               => The user's editor is vim.
        I'm a backend developer.        => The user is a backend developer.
        I've used Rust for years.       => The user has used Rust for years.
        I'd rather use zsh.             => The user would rather use zsh.
        I'd been using zsh.             => The user had been using zsh.
        I always use `--release`.       => The user always uses `--release`.
        I really hate YAML.             => The user really hates YAML.
        I try to avoid mocks.           => The user tries to avoid mocks.
        I fix bugs fast.                => The user fixes bugs fast.
        I set the port to 80 yesterday. => The user set the port to 80 on 2026-11-17 (Tuesday). [2026-11-17..]
        I set the port to 80 in tests.  => The user sets the port to 80 in tests.
        i prefer tabs                   => the user prefers tabs
        Give me the short answer.       => Give the user the short answer.
        Should I use X?                 => Should the user use X?
        Ada and I use vim.              => Ada and the user use vim.
        My wife and I live in Izmir.    => The user's wife and the user live in Izmir.
        That repo is mine.              => That repo is the user's.
        I did it myself.                => The user did it themself.
        I'm going to the office.        => The user is going to the office.
        I think the API is slow.        => The user thinks the API is slow.
        Let me know when I can merge.   => Let the user know when the user can merge.
        I was born in 1990.             => The user was born in 1990. [1990-01-01..]
        My birthday is on May 8.        => The user's birthday is on May 8.
        Ben tab tercih ediyorum.        => Kullanıcı: Ben tab tercih ediyorum.
        Kahveyi sade içiyorum.          => Kullanıcı: Kahveyi sade içiyorum.
        Adım Deniz.                     => Kullanıcı: Adım Deniz.
        Dün `main` dalını sildim.       => Kullanıcı: 2026-11-17 (salı) `main` dalını sildim. [2026-11-17..]
        Yarın bakacağım.                => Kullanıcı: 2026-11-19 (perşembe) bakacağım. [..2026-11-20] *
        "#,
    );
}

#[test]
fn other_persons_stay() {
    check_all(
        r#"
        We prefer tabs.
        He said "I prefer tabs" to us.
        We use `I am code` and "my quote".
        Phase I is done.
        I/O is slow.
        for i in 0..3 the index i grows
        Tab kullanıyoruz.
        Durum iyi.
        Yorum yazdı.
        "#,
    );
}

#[test]
fn fillers_go() {
    check_all(
        r#"
        Well, we use Fly.                    => we use Fly.
        btw the key is in vault              => the key is in vault
        By the way, the port is 8080.        => the port is 8080.
        Please note that CI needs Node 20.   => CI needs Node 20.
        Remember that we deploy from `main`. => we deploy from `main`.
        I think we should just use Fly.      => we should use Fly.
        So, the port is 8080.                => the port is 8080.
        ok so we use bun                     => we use bun
        um, I like Rust                      => The user likes Rust
        you know, the API is slow            => the API is slow
        The API is, you know, slow.          => The API is slow.
        Just so you know, I prefer tabs.     => The user prefers tabs.
        Yani, port 8080.                     => port 8080.
        Şey, anahtar vault'ta duruyor.       => anahtar vault'ta duruyor.
        Bu arada anahtar vault'ta.           => anahtar vault'ta.
        Lütfen tab kullan.                   => tab kullan.
        "#,
    );
}

#[test]
fn words_that_look_like_fillers_stay() {
    check_all(
        r#"
        Well tested code is good.
        Actually, the port is 8081.
        We just merged it.
        So far we use Fly.
        Bir şey değişmedi.
        Well.
        "#,
    );
}

#[test]
fn a_speaker_with_a_name_is_called_by_it() {
    for (text, expected) in [
        ("I prefer tabs.", "Ada prefers tabs."),
        ("My editor is vim and I use tmux.", "Ada's editor is vim // Ada uses tmux."),
        ("I'll ship it tomorrow.", "Ada will ship it on 2026-11-19 (Thursday). [..2026-11-20] *"),
        ("Tab kullanıyorum.", "Ada: Tab kullanıyorum."),
        ("We prefer tabs.", "We prefer tabs."),
    ] {
        assert_eq!(shown(&facts(text, Some("Ada"), &[])), expected, "{text}");
    }
}

#[test]
fn a_first_pronoun_is_what_was_spoken_of_lately() {
    for (before, text, expected) in [
        (&["Redis"][..], "It listens on 6380.", "Redis listens on 6380."),
        (&["Redis", "Redis"], "It listens on 6380.", "Redis listens on 6380."),
        (&["Redis", "Postgres"], "It listens on 6380.", "It listens on 6380."),
        (&["Ada", "Redis"], "It listens on 6380.", "Redis listens on 6380."),
        (&["Ada", "Redis"], "She prefers tabs.", "Ada prefers tabs."),
        (&["Redis"], "She prefers tabs.", "She prefers tabs."),
        (&["the billing service"], "That service needs 2 GB.", "The billing service needs 2 GB."),
        (&["the workers"], "They need 2 GB.", "The workers need 2 GB."),
        (&["Redis"], "Onu yeniden başlattık.", "Onu (Redis) yeniden başlattık."),
        (&["Redis"], "The API is slow. It runs on Fly.", "The API is slow. // The API runs on Fly."),
        (&[], "It listens on 6380.", "It listens on 6380."),
    ] {
        assert_eq!(shown(&facts(text, None, before)), expected, "{text}");
    }
}

#[test]
fn a_fact_says_what_was_done_to_its_words() {
    use Step::*;
    for (text, expected) in [
        ("We use Fly.", &[][..]),
        ("We moved yesterday.", &[Dated]),
        ("btw we use Fly.", &[Trimmed]),
        ("btw I moved yesterday.", &[Dated, Rewritten, Trimmed]),
        ("Ben tab kullanıyorum.", &[Rewritten]),
        ("the API runs on Fly and the database is on Neon", &[Split]),
        ("Tools:\n- black", &[Split]),
    ] {
        assert_eq!(facts(text, None, &[])[0].steps, expected, "{text}");
    }
    assert_eq!(facts("It is fast.", None, &["Redis"])[0].steps, [Resolved]);
}

#[test]
fn the_evidence_is_where_the_words_stood() {
    let text = "Tools:\n- black\n- isort\n\nWell, the API runs on Fly and the database is on Neon.";
    let evidence: Vec<&str> = facts(text, None, &[]).into_iter().map(|fact| &text[fact.evidence]).collect();
    assert_eq!(
        evidence,
        ["Tools:\n- black", "- isort", "Well, the API runs on Fly", "and the database is on Neon."]
    );
    assert_eq!(facts(" \n\t ", None, &[]), []);
}

#[test]
fn a_merge_adds_what_is_new_and_drops_nothing() {
    for (old, new, expected) in [
        ("We use Fly.", "We use Fly.", "We use Fly."),
        ("We use Fly.", "The port is 8080.", "We use Fly. The port is 8080."),
        ("we use fly", "the port is 8080", "we use fly. the port is 8080"),
        ("We deploy.", "We deploy on Fridays.", "We deploy on Fridays."),
        ("We deploy on Fridays.", "We deploy.", "We deploy on Fridays."),
        ("We deploy. The port is 80.", "We deploy on Fridays.", "We deploy on Fridays. The port is 80."),
        ("We use Fly.", "We do not use Fly.", "We use Fly. We do not use Fly."),
        ("We use Fly.", "If it rains, we use Fly.", "We use Fly. If it rains, we use Fly."),
        ("A needs B.", "B needs A.", "A needs B. B needs A."),
        ("The version is 1.2.", "The version is 2.1.", "The version is 1.2. The version is 2.1."),
        ("- black\n- isort", "- ruff", "- black\n- isort\n- ruff"),
        ("Tab kullanıyoruz.", "Tab kullanmıyoruz.", "Tab kullanıyoruz. Tab kullanmıyoruz."),
        ("Neon kullanıyoruz.", "Marttan beri Neon kullanıyoruz.", "Marttan beri Neon kullanıyoruz."),
        ("", "We use Fly.", "We use Fly."),
        ("We use Fly.", " ", "We use Fly."),
    ] {
        assert_eq!(merge(old, new), expected, "{old} + {new}");
    }
}

#[test]
fn a_long_sentence_tells_of_several_times() {
    check_all(
        r#"
        I want to finish 10 problems by February 1, and I solved 5 => The user wants to finish 10 problems by February 1 (2027-02-01), and the user solved 5 [..2027-02-02]
        I'm considering a pivot after feedback from Shawn on April 2 => The user is considering a pivot after feedback from Shawn on April 2
        I re-examined it on May 29                     => The user re-examined it on May 29 (2026-05-29) [2026-05-29..]
        Robert and I are discussing it.                => Robert and the user are discussing it.
        Running a business is hard, but I'll make it work. => Running a business is hard // The user will make it work. [..2026-11-25 15:30] *
        "#,
    );
}
