//! What is found by what, through the one door: put, then search.

mod common;

use common::{id, memory};
use engram_core::MemoryId;
use engram_index::{Filter, Index, Query, Statistics, TextHit};

fn index_of(texts: &[&str]) -> Index {
    let mut index = Index::default();
    for (number, text) in texts.iter().enumerate() {
        index.put(&memory(number as u64, text));
    }
    index
}

fn search(index: &Index, query: &str) -> Vec<TextHit> {
    let query = Query::parse(query);
    index.search(&query, &index.statistics(&query), &Filter::default(), 10)
}

fn finds(text: &str, query: &str) -> bool {
    search(&index_of(&[text, "something else entirely"]), query).iter().any(|hit| hit.id == id(0))
}

fn check(text: &str, queries: &[&str]) {
    for query in queries {
        assert!(finds(text, query), "\"{text}\" is not found by \"{query}\"");
    }
}

fn check_not(text: &str, queries: &[&str]) {
    for query in queries {
        assert!(!finds(text, query), "\"{text}\" is found by \"{query}\"");
    }
}

/// The order in which the texts come back, by their place in the list.
fn order(texts: &[&str], query: &str) -> Vec<MemoryId> {
    search(&index_of(texts), query).into_iter().map(|hit| hit.id).collect()
}

#[test]
fn an_identifier_is_found_whole_and_by_part() {
    check(
        "call getUserNames first",
        &["getUserNames", "getusernames", "user", "names", "name", "get_user_names"],
    );
    check("the HTTPServer is down", &["HTTPServer", "httpserver", "http", "servers", "http-server"]);
    check("set max_retry_count", &["max_retry_count", "retry", "retries", "maxRetryCount", "count"]);
    check("the dark-mode toggle", &["dark-mode", "dark", "darkMode", "toggles"]);
    check("calls foo::bar() twice", &["foo::bar()", "foo::bar", "foo", "bar"]);
}

#[test]
fn a_path_is_found_whole_and_by_part() {
    check(
        "see crates/engram-core/src/memory_store.rs, line 12",
        &[
            "crates/engram-core/src/memory_store.rs",
            "memory_store.rs",
            "memory_store",
            "engram-core",
            "store",
            "rs",
            "crate",
        ],
    );
}

#[test]
fn codes_and_versions_are_found_whole_and_by_part() {
    check("error[E0277]: not satisfied", &["E0277", "e0277", "0277"]);
    check("tsc says TS2345.", &["TS2345", "2345", "ts"]);
    check(
        "ERR_MODULE_NOT_FOUND again",
        &["ERR_MODULE_NOT_FOUND", "err_module_not_found", "modules", "found"],
    );
    check("pinned to v1.2.3", &["v1.2.3", "1.2.3", "V1.2.3"]);
    check("pinned to 1.2.3", &["1.2.3", "v1.2.3"]);
    check("release w120 is out", &["w120", "W120", "120", "w"]);
    check(
        "ssh deploy@host.example.com",
        &["deploy@host.example.com", "deploy", "host.example.com", "example"],
    );
    check_not("build 123", &["1.2.3"]);
}

#[test]
fn accents_and_case_do_not_matter() {
    check("the Café on the corner", &["cafe", "CAFÉ", "cafe\u{301}"]);
    check("naive resume", &["naïve", "résumé"]);
}

#[test]
fn english_words_are_found_by_their_stem() {
    check("connections were dropped", &["connection", "connecting", "drop", "dropped"]);
    check("the user's choice", &["user", "users", "choices"]);
}

#[test]
fn turkish_is_found_in_both_readings() {
    check("İSTANBUL'daki sunucu", &["istanbul", "İstanbul", "ISTANBUL", "sunucular ve"]);
    check("IŞIKLAR söndü", &["ışık", "isik lambası", "ışıklar", "işiklar"]);
    check("kitaplar masanın üstünde", &["kitap", "kitaplar", "masa", "kitaplar nerede"]);
    check("kitap masada duruyor", &["kitaplar nerede", "kitapları getir, için"]);
    check("çalışıyor", &["calisiyor", "ÇALIŞIYOR"]);
}

#[test]
fn every_script_is_found() {
    check("データベースは日本語です", &["日本"]);
    check("сервер упал", &["Сервер"]);
}

#[test]
fn a_query_of_stop_words_still_finds_something() {
    check("to be or not to be", &["to be", "or not"]);
    check_not("to be or not to be", &["to find"]);
}

#[test]
fn nothing_is_found_by_nothing() {
    let index = index_of(&["some text"]);
    assert!(search(&index, "").is_empty());
    assert!(search(&index, "?!").is_empty());
    assert!(search(&Index::default(), "text").is_empty());
}

#[test]
fn summary_tags_and_domain_are_found_too() {
    let mut full = memory(0, "the content");
    full.summary = Some("a headline".into());
    full.tags = ["build-system".into()].into();
    full.domain = Some("python".into());
    let mut index = Index::default();
    index.put(&full);
    for query in ["content", "headline", "build", "build-system", "python"] {
        assert_eq!(search(&index, query).len(), 1, "{query}");
    }
}

#[test]
fn a_whole_word_outranks_a_part() {
    assert_eq!(order(&["open main now", "open src/main.rs now"], "main"), [id(0), id(1)]);
    assert_eq!(order(&["open src/main.rs", "src main rs"], "src/main.rs"), [id(0), id(1)]);
    assert_eq!(order(&["a userName b c", "user name b c"], "userName"), [id(0), id(1)]);
    assert_eq!(order(&["saw TS2345 here", "saw ts 2345 here"], "TS2345"), [id(0), id(1)]);
}

#[test]
fn parts_do_not_make_a_text_long() {
    let scores = search(&index_of(&["vault crates/engram-core/src/memory_store.rs", "vault here"]), "vault");
    assert_eq!(scores[0].score, scores[1].score);
}

#[test]
fn a_rare_word_outranks_a_common_one() {
    let texts = ["server alpha", "server beta", "server gamma", "vault beta"];
    assert_eq!(order(&texts, "vault server")[0], id(3));
}

#[test]
fn equal_scores_come_newest_first() {
    assert_eq!(order(&["same words", "same words", "same words"], "words"), [id(2), id(1), id(0)]);
}

#[test]
fn a_score_is_the_sum_of_its_reasons() {
    let index = index_of(&["the staging key for src/main.rs is in vault", "a key", "main staging"]);
    let asked = |text: &str| {
        let query = Query::parse(text);
        let statistics = index.statistics(&query);
        (query, statistics)
    };
    let (query, statistics) = asked("staging keys in src/main.rs and the vault");
    for hit in index.search(&query, &statistics, &Filter::default(), 10) {
        let terms = index.explain(hit.id, &query, &statistics);
        assert!((hit.score - terms.iter().map(|term| term.score).sum::<f64>()).abs() < 1e-12);
        assert!((hit.score - index.score(hit.id, &query, &statistics)).abs() < 1e-12);
        assert!(terms.iter().all(|term| term.score > 0.0));
    }
    let (query, statistics) = asked("staging keys in src/main.rs");
    let terms = index.explain(id(0), &query, &statistics);
    let shown: Vec<&str> = terms.iter().map(|term| term.term.as_str()).collect();
    assert_eq!(shown, ["staging", "keys", "src/main.rs"]);
}

#[test]
fn two_scopes_share_one_rarity() {
    let texts = ["key one", "vault two", "key three", "key four"];
    let whole = index_of(&texts);
    let (mut left, mut right) = (Index::default(), Index::default());
    for (number, text) in texts.iter().enumerate() {
        let side = if number % 2 == 0 { &mut left } else { &mut right };
        side.put(&memory(number as u64, text));
    }
    let query = Query::parse("key vault");
    let mut statistics = Statistics::default();
    statistics += left.statistics(&query);
    statistics += &right.statistics(&query);
    assert_eq!(statistics, whole.statistics(&query));
    let mut apart = left.search(&query, &statistics, &Filter::default(), 10);
    apart.extend(right.search(&query, &statistics, &Filter::default(), 10));
    apart.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.id.cmp(&a.id)));
    assert_eq!(apart, whole.search(&query, &statistics, &Filter::default(), 10));
}

#[test]
fn a_very_long_word_is_still_found() {
    let blob = "x".repeat(5_000);
    check(&format!("blob {blob} end"), &[&blob, "end"]);
}
