//! Short statements that stay, and short remarks that pass.

use super::*;
use crate::ask::speech::words_of;
use Kind::*;

fn seen(sentence: &str) -> Standing {
    let words = words_of(sentence);
    standing_of(sentence, &words, &Shape::of(sentence, &words))
}

#[track_caller]
fn check(expected: Option<Kind>, sentences: &[&str]) {
    for sentence in sentences {
        assert_eq!(seen(sentence).kind, expected, "{sentence:?}");
    }
}

#[test]
fn a_few_words_can_say_what_stays() {
    check(
        Some(Preference),
        &["I prefer small commits.", "call me Deniz", "kısa commit'leri severim", "bana Deniz de"],
    );
    check(Some(Fact), &["My name is Deniz", "our db is Postgres", "we deploy with Ansible", "I use neovim"]);
    check(Some(Fact), &["adım Deniz", "backend'imiz Django", "monorepo kullanıyoruz", "staging Hetzner'de"]);
    check(
        Some(Fact),
        &["Veritabanı yöneticimiz Burak", "Dosya yükleme sınırı 10 MB", "projede Django 4.2 var"],
    );
    check(Some(Fact), &["E-posta bildirimleri etkin", "Değişkenler config.yaml dosyasında tanımlı"]);
    check(
        Some(Convention),
        &["remember: never use npm here", "don't push to main", "fonksiyonlar 40 satırı geçmesin"],
    );
    check(
        Some(Decision),
        &["Let's use sqlite for the tests", "We dropped Redis", "testler için sqlite kullanalım"],
    );
    check(Some(Correction), &["no, use vitest not jest", "hayır, jest değil vitest kullan"]);
    check(Some(Plan), &["The release is next Friday", "sürüm gelecek cuma", "toplantılar salı günü"]);
}

#[test]
fn what_is_at_hand_does_not_stay() {
    for sentence in
        ["use a map here instead", "the second one", "we use it twice here", "bunu iki yerde kullanıyoruz"]
    {
        let standing = seen(sentence);
        assert!(standing.kind.is_none() && standing.points, "{sentence:?}");
    }
    check(None, &["let's use a different name", "use a set instead of a list", "liste yerine set kullan"]);
}

#[test]
fn nothing_is_said_by_words_that_only_lead() {
    check(
        None,
        &[
            "", "ok", "please", "no,", "not, x,", "we", "I", "use", "my", "the", "always", "lütfen", "hayır",
            "kullan",
        ],
    );
}

#[test]
fn neither_does_a_state() {
    check(None, &["our pipeline is red", "the server is down", "port 3000 is busy", "the release is broken"]);
    check(None, &["testler kırmızı", "token'ım geçersiz", "testlerimiz patlıyor", "staging'imiz bozuk"]);
    check(None, &["I need a break", "we need to fix this", "loglara bakıyorum", "diff'i görmek istiyorum"]);
}
