//! What developers say when something is not as it was.

use super::*;

#[test]
fn another_release_contradicts_the_one_before() {
    check(&[
        (
            "We use Postgres 14 for the billing database.",
            "We upgraded the billing database to Postgres 16.",
            "version: 14 -> 16",
        ),
        ("we use Node 18 in CI", "we bumped Node to 20 in CI", "version: 18 -> 20"),
        ("we use Node 18 in CI", "we bumped Node to 20 in production", "unrelated"),
        ("we use Python 3.12", "we downgraded Python to 3.11", "version: 3.12 -> 3.11"),
        ("we format Python code with black", "we downgraded Python to 3.11", "unsure: change"),
        ("the gateway runs on port 4000", "the gateway was bumped to Elixir 1.17", "unsure: change"),
        ("Python 3.12 kullanıyoruz", "Python'u 3.11'e düşürdük", "version: 3.12 -> 3.11"),
        ("Go 1.21 kullanıyoruz", "Go 1.23'e geçtik", "version: 1.21 -> 1.23"),
        (
            "Faturalama veritabanı için Postgres 14 kullanıyoruz.",
            "Faturalama veritabanını Postgres 16'ya yükselttik.",
            "version: 14 -> 16",
        ),
    ]);
}

#[test]
fn what_is_denied_for_something_else_is_replaced() {
    check(&[
        (
            "We deploy with Jenkins.",
            "We no longer deploy with Jenkins, we use GitHub Actions instead.",
            "instead: deploy Jenkins -> GitHub Actions",
        ),
        (
            "We test with Jenkins.",
            "We no longer deploy with Jenkins, we use GitHub Actions instead.",
            "unsure: scope",
        ),
        (
            "Jenkins ile deploy ediyoruz.",
            "Artık Jenkins ile deploy etmiyoruz, onun yerine GitHub Actions kullanıyoruz.",
            "instead: Jenkins deploy -> GitHub Actions",
        ),
        (
            "we run migrations with Flyway",
            "Flyway is gone, we use Liquibase now",
            "instead: Flyway -> Liquibase",
        ),
    ]);
}

#[test]
fn another_choice_of_two_contradicts() {
    check(&[
        (
            "prefer composition over inheritance",
            "prefer inheritance over composition",
            "value: composition -> inheritance",
        ),
        ("Ada prefers tabs over spaces", "Ada now prefers spaces over tabs", "value: tabs -> spaces"),
        ("use tabs rather than spaces", "use spaces rather than tabs", "value: tabs -> spaces"),
        ("use tabs instead of spaces", "use spaces instead of tabs", "value: tabs -> spaces"),
        (
            "Kullanıcı tab'ı boşluğa tercih ediyor.",
            "Kullanıcı boşluğu tab'a tercih ediyor.",
            "value: tab -> boşluğu",
        ),
        ("the user prefers short answers", "the user prefers dark mode", "unsure: several"),
    ]);
}

#[test]
fn another_place_name_or_holder_contradicts() {
    check(&[
        (
            "Actually the staging key is in 1password, not in vault.",
            "We moved the staging key back to vault.",
            "moved: 1password -> vault",
        ),
        ("the gateway config is in etc/", "the gateway moved to services/", "unsure: change"),
        ("The main branch is called master.", "We renamed master to main.", "moved: master -> main"),
        ("the event is called a_made", "a_made is now called b_made", "moved: a_made -> b_made"),
        ("Ana dalın adı master.", "Ana dalın adı main oldu.", "moved: master -> main"),
        (
            "Ödeme modülünün adı payments.",
            "payments modülünü billing olarak yeniden adlandırdık.",
            "moved: payments -> billing",
        ),
        ("Ayşe owns the billing service.", "Mehmet owns the billing service now.", "value: Ayşe -> Mehmet"),
        ("Ayşe owns the billing service.", "Mehmet owns the billing service.", "unsure: several"),
        ("Ada is responsible for releases", "Nadia is responsible for releases now", "value: Ada -> Nadia"),
        ("Ada leads the search team", "Nadia leads the platform team now", "unrelated"),
        (
            "Ödeme servisinden Ayşe sorumlu.",
            "Ödeme servisinden artık Mehmet sorumlu.",
            "value: Ayşe -> Mehmet",
        ),
    ]);
}

#[test]
fn values_of_two_sorts_do_not_contradict() {
    check(&[
        (
            "Staging veritabanı 5433 portunda çalışıyor.",
            "Staging veritabanı Ayşe'nin sorumluluğunda.",
            "unrelated",
        ),
        ("the api is written in Go", "the api lives in services/api", "unrelated"),
        ("the api listens on port 8080", "the api is owned by Deniz", "unrelated"),
        ("Zeynep lives in Izmir", "Zeynep works in Izmir", "unsure: difference"),
        ("the importer runs every hour", "the importer runs on a spot instance", "unrelated"),
    ]);
}

#[test]
fn a_text_may_tell_of_a_change() {
    for (text, expected) in [
        ("We moved the staging key back to vault.", true),
        ("We switched package tools.", true),
        ("We no longer deploy by hand.", true),
        ("The key is now in vault.", true),
        ("Use pnpm instead.", true),
        ("master was renamed to main", true),
        ("We upgraded Postgres.", true),
        ("The build is broken since yesterday.", true),
        ("We used to deploy by hand.", true),
        ("Actually it is in 1password, not in vault.", true),
        ("It is in 1password, not in vault.", true),
        ("Artık pnpm kullanıyoruz.", true),
        ("Anahtarı vault'a taşıdık.", true),
        ("pnpm'e geçtik.", true),
        ("npm yerine pnpm kullanıyoruz.", true),
        ("Dünden beri build kırık.", true),
        ("Anahtar 1password'de değil vault'ta.", true),
        ("The staging key is kept in vault.", false),
        ("We do not use Redis.", false),
        ("We will move to pnpm.", false),
        ("Did we move to pnpm?", false),
        ("Backups are moved to S3 every night.", false),
        ("The changed files are listed in CI.", false),
        ("The script is used to deploy.", false),
        ("The user prefers tabs over spaces.", false),
        ("We have not migrated to pnpm.", false),
        ("Staging anahtarı vault'ta duruyor.", false),
        ("Redis kullanmıyoruz.", false),
        ("pnpm'e geçeceğiz.", false),
        ("", false),
    ] {
        assert_eq!(tells_of_change(text), expected, "{text}");
    }
}

#[test]
fn a_number_that_is_a_name_is_no_claim() {
    check(&[
        ("page 3", "page 4", "unrelated"),
        ("draft of the plan 3", "draft of the plan 4", "unrelated"),
        ("retry limit 3", "retry limit 4", "number: 3 -> 4"),
    ]);
}
