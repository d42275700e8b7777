//! How it looks what use teaches: how a memory or an answer served, and what was
//! learned about searching and keeping.

use super::memory::sketch;
use super::session::outcome_line;
use super::{Last, Look, clean_line, grouped, plural, short, table};
use engram_core::learn::LearningState;
use engram_core::learn::{LearnedKey, Shares, Subject, WeightChange};
use engram_core::recalled::Arm;
use engram_core::used::Usage;
use engram_wire::evolution::{
    RateLine, Rated, StoreWeights, UsageHistory, WeightRow, WeightsReset, WeightsShown,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(crate) fn rated(rated: &Rated, look: &Look) -> String {
    let said = rated.feedback.as_str().replace('_', " ");
    let mut text = format!("Recall {}: {said}.\n", short(rated.recall));
    for credited in &rated.credited {
        text += &outcome_line(credited);
        // Of several some may have been said before; of all it is told below.
        if credited.already && !rated.already {
            text += &look.dim("that had been said of it before");
            text.push('\n');
        }
    }
    if rated.credited.is_empty() {
        text += "No memory is credited: nobody knows which of them it was. `--memory ID` names it.\n";
    }
    if rated.already {
        text += &look.dim("this had been done before; nothing was changed");
        text.push('\n');
    }
    text
}

pub(crate) fn usage(history: &UsageHistory, look: &Look) -> String {
    let UsageHistory { memory, utility, tried, succeeded, failed, shown, ignored, usages } = history;
    let mut text = sketch(memory, look);
    let _ = writeln!(
        text,
        "utility {:.2}; used {}: {succeeded} served, {failed} failed; shown {}, {ignored} of these not taken up",
        utility.get(),
        times(*tried as usize),
        times(*shown)
    );
    if usages.is_empty() {
        return text + "Nobody said or showed yet how using it went.\n";
    }
    let row = |usage: &Usage| {
        vec![
            look.age(usage.at),
            usage.outcome.to_string(),
            usage.source.to_string(),
            usage.recall.map(short).unwrap_or_default(),
            usage.note.clone().unwrap_or_default(),
        ]
    };
    let header = ["WHEN", "OUTCOME", "KNOWN BY", "RECALL", "NOTE"];
    text + &table(&header, usages.iter().map(row).collect(), Last::Wrap, look)
}

fn times(count: usize) -> String {
    plural(count, "time", "times")
}

pub(crate) fn weights_reset(reset: &WeightsReset, look: &Look) -> String {
    let mut text = match reset.rows.len() {
        0 => format!("Nothing had been learned here ({}).\n", reset.scope),
        count => format!(
            "Forgot what was learned in {} ({}); the defaults are in force.\n`engram undo {}` takes it back.\n",
            plural(count, "row", "rows"),
            reset.scope,
            reset.operation
        ),
    };
    if reset.already {
        text += &look.dim("this had been done before; nothing was changed");
        text.push('\n');
    }
    text
}

pub(crate) fn weights(shown: &WeightsShown, look: &Look) -> String {
    if shown.stores.is_empty() {
        return "There is no store that could learn.\n".to_owned();
    }
    let stores: Vec<String> = shown.stores.iter().map(|store| of_store(store, look)).collect();
    stores.join("\n")
}

fn of_store(store: &StoreWeights, look: &Look) -> String {
    let votes: u32 = store.rows.iter().filter(|row| is_whole(&row.key)).map(|row| row.votes).sum();
    let mut facts =
        vec![if store.learning { "learns" } else { "does not learn (learning.weights is off)" }.to_owned()];
    facts.push(plural(votes as usize, "vote", "votes"));
    let changed = store.rows.iter().filter_map(|row| row.updated_at).max();
    facts.push(changed.map_or("no change yet".to_owned(), |at| format!("last change {}", look.age(at))));
    let mut text = format!("{}: {}\n", look.bold(&clean_line(&store.store)), facts.join(" · "));
    for (subject, title) in [(Subject::Arms, ""), (Subject::Eviction, "\nWhat a memory is kept for:\n")] {
        let rows: Vec<&WeightRow> = store.rows.iter().filter(|row| row.key.subject == subject).collect();
        if !rows.is_empty() {
            let _ = write!(text, "{title}{}", shares(&rows, look));
        }
    }
    if store.rows.is_empty() {
        text += "Nothing was learned yet; the defaults are in force.\n";
    }
    if !store.rates.is_empty() {
        let _ = write!(text, "\nWho was right where they disagreed:\n{}", rates(&store.rates, look));
    }
    if store.noise > 0 {
        let noise = plural(store.noise, "memory is", "memories are");
        let named = "`engram evolve candidates --criteria noise` names them";
        let _ = writeln!(text, "\n{noise} often shown and not used; {named}.");
    }
    if !store.history.is_empty() {
        let _ = write!(text, "\nHistory:\n{}", history(&store.history, look));
    }
    text
}

/// Its votes count every recall once.
fn is_whole(key: &LearnedKey) -> bool {
    key.subject == Subject::Arms && key.query_type.is_none()
}

/// The default of each share and what it is now, a column for each word.
fn shares(rows: &[&WeightRow], look: &Look) -> String {
    // What is kept is the same whatever is asked, with a model and without.
    let of_arms = rows.iter().any(|row| row.key.subject == Subject::Arms);
    let mut words: Vec<&str> = Vec::new();
    let told = rows.iter().flat_map(|row| row.default.iter().chain(row.now.iter()));
    let known = Arm::ALL.iter().map(|arm| arm.as_str());
    let all: Vec<&str> = told.map(|(word, _)| word).collect();
    for word in known.filter(|arm| all.contains(arm)).chain(all.iter().copied()) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let titles: Vec<String> = words.iter().map(|word| word.to_uppercase()).collect();
    let mut header = if of_arms { vec!["QUERY TYPE", "WITH MODEL"] } else { Vec::new() };
    header.extend(titles.iter().map(String::as_str));
    header.extend(["VOTES", "STATE"]);
    let row = |row: &&WeightRow| {
        let (home, now) = (by_word(&row.default), by_word(&row.now));
        let mut cells = Vec::new();
        if of_arms {
            cells.extend([query_type(&row.key), model(row.key.with_model).to_owned()]);
        }
        cells.extend(words.iter().map(|word| move_of(home.get(word), now.get(word))));
        cells.push(grouped(row.votes as usize));
        cells.push(state(row));
        cells
    };
    table(&header, rows.iter().map(row).collect(), Last::Wrap, look)
}

fn by_word(shares: &Shares) -> BTreeMap<&str, f64> {
    shares.iter().map(|(word, share)| (word, share.get())).collect()
}

/// To two decimals, as they are shown: what differs less has not moved.
fn move_of(before: Option<&f64>, after: Option<&f64>) -> String {
    let [before, after] = [before, after].map(|share| share.map(|share| format!("{share:.2}")));
    match (before, after) {
        (Some(before), Some(after)) if before != after => format!("{before} -> {after}"),
        (before, after) => after.or(before).unwrap_or_default(),
    }
}

fn query_type(key: &LearnedKey) -> String {
    key.query_type.map_or("all", |query_type| query_type.as_str()).to_owned()
}

const fn model(with_model: bool) -> &'static str {
    if with_model { "yes" } else { "no" }
}

fn state(row: &WeightRow) -> String {
    let state = match row.state {
        LearningState::TooFew => "too few",
        LearningState::RolledBack => "rolled back",
        state => state.as_str(),
    };
    if row.reason.trim().is_empty() { state.to_owned() } else { format!("{state}: {}", row.reason) }
}

fn rates(rates: &[RateLine], look: &Look) -> String {
    let row = |line: &RateLine| {
        vec![
            of(&line.key),
            line.word.clone(),
            format!("{:.0}%", line.rate.get() * 100.0),
            line.votes.to_string(),
            if line.sure { "yes" } else { "may be chance" }.to_owned(),
        ]
    };
    let header = ["OF", "WHO", "RIGHT", "VOTES", "SURE"];
    table(&header, rates.iter().map(row).collect(), Last::Wrap, look)
}

fn history(changes: &[WeightChange], look: &Look) -> String {
    let row = |change: &WeightChange| {
        vec![look.date(change.at), of(&change.key), moved(change), change.reason.clone()]
    };
    let header = ["WHEN", "OF", "CHANGE", "REASON"];
    table(&header, changes.iter().map(row).collect(), Last::Wrap, look)
}

/// What a line is about, in a word or two.
fn of(key: &LearnedKey) -> String {
    match key.subject {
        Subject::Arms if key.with_model => format!("{}, with model", query_type(key)),
        Subject::Arms => query_type(key),
        Subject::Eviction => "keeping".to_owned(),
    }
}

/// Which shares moved, and how far.
fn moved(change: &WeightChange) -> String {
    let Some(after) = &change.after else { return "back to the defaults".to_owned() };
    let before = change.before.as_ref().map(by_word).unwrap_or_default();
    let told = by_word(after).into_iter().filter_map(|(word, share)| {
        let told = move_of(before.get(word), Some(&share));
        (!before.contains_key(word) || told.contains("->")).then(|| format!("{word} {told}"))
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { "none".to_owned() } else { told.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NEW, OLD, look, memory, reply};
    use super::*;
    use expect_test::expect;
    use serde_json::json;

    #[test]
    fn feedback_tells_who_is_credited_and_that_a_bystander_is_not() {
        let credited = json!({"operation": NEW, "memory": OLD, "outcome": "success",
            "utility_before": 0.5, "utility": 0.55, "already": false});
        let said = reply(json!({"operation": NEW, "recall": NEW, "feedback": "partially_helpful",
            "credited": [credited], "already": false}));
        expect![[r#"
            Recall 9R1S3T60: partially helpful.
            9R1S3T5V: success; its utility was 0.50 and is 0.55
        "#]]
        .assert_eq(&rated(&said, &look()));
        let otherwise = json!({"operation": NEW, "memory": OLD, "outcome": "failure", "replaced": "success",
            "utility_before": 0.55, "utility": 0.45, "already": false});
        let said = reply(json!({"operation": NEW, "recall": NEW, "feedback": "not_helpful",
            "credited": [otherwise], "already": false}));
        expect![[r#"
            Recall 9R1S3T60: not helpful.
            9R1S3T5V: failure in place of the success that was told before; its utility was 0.55 and is 0.45
        "#]]
        .assert_eq(&rated(&said, &look()));
        let again = json!({"operation": NEW, "memory": OLD, "outcome": "failure",
            "utility_before": 0.45, "utility": 0.45, "already": true});
        let said = reply(json!({"operation": NEW, "recall": NEW, "feedback": "not_helpful",
            "credited": [again], "already": true}));
        expect![[r#"
            Recall 9R1S3T60: not helpful.
            9R1S3T5V: failure; its utility was 0.45 and is 0.45
            this had been done before; nothing was changed
        "#]]
        .assert_eq(&rated(&said, &look()));
        let nobody = reply(json!({"operation": NEW, "recall": NEW, "feedback": "helpful", "credited": [],
            "already": true}));
        expect![[r#"
            Recall 9R1S3T60: helpful.
            No memory is credited: nobody knows which of them it was. `--memory ID` names it.
            this had been done before; nothing was changed
        "#]]
        .assert_eq(&rated(&nobody, &look()));
    }

    #[test]
    fn a_memory_tells_how_using_it_went() {
        let used = reply(json!({
            "memory": memory(OLD, "build with make fast"), "utility": 0.24, "tried": 6, "succeeded": 1, "failed": 4,
            "shown": 9, "ignored": 3,
            "usages": [
                {"memory": OLD, "outcome": "failure", "source": "check", "recall": NEW, "note": "make\u{1b} test",
                 "at": "2026-11-15T09:00:00Z"},
                {"memory": OLD, "outcome": "success", "at": "2026-11-13T09:00:00Z"}]
        }));
        expect![[r#"
            9R1S3T5V  project  fact  build with make fast
            utility 0.24; used 6 times: 1 served, 4 failed; shown 9 times, 3 of these not taken up
            WHEN        OUTCOME  KNOWN BY  RECALL    NOTE
            1 hour ago  failure  check     9R1S3T60  make␛ test
            2 days ago  success  told
        "#]]
        .assert_eq(&usage(&used, &look()));
        let never = reply(json!({"memory": memory(OLD, "x"), "utility": 0.5, "tried": 0, "succeeded": 0,
            "failed": 0, "shown": 0, "ignored": 0, "usages": []}));
        assert!(usage(&never, &look()).ends_with("Nobody said or showed yet how using it went.\n"));
    }

    #[test]
    fn weights_are_told_with_their_defaults_reasons_and_history() {
        let shown = reply(json!({"stores": [
            {"scope": "project", "store": "project shop (/w/shop)", "learning": true, "noise": 5,
             "rows": [
                {"subject": "arms", "with_model": false, "default": {"words": 0.56, "table": 0.44},
                 "now": {"words": 0.61, "table": 0.39}, "votes": 214, "state": "learning",
                 "reason": "words right in 63% of 214", "updated_at": "2026-11-15T08:30:00Z"},
                {"subject": "arms", "query_type": "how_to", "with_model": true,
                 "default": {"model": 0.4, "table": 0.26, "words": 0.34}, "now": {"model": 0.4, "table": 0.26, "words": 0.34},
                 "votes": 4, "state": "too_few", "reason": ""},
                {"subject": "eviction", "with_model": false, "default": {"importance": 0.3, "use": 0.7},
                 "now": {"importance": 0.25, "use": 0.75}, "votes": 31, "state": "rolled_back",
                 "reason": "held out 0.72 -> 0.69", "updated_at": "2026-11-14T08:30:00Z"}],
             "rates": [{"subject": "arms", "with_model": false, "word": "words", "rate": 0.63, "votes": 214, "sure": true},
                {"subject": "arms", "query_type": "how_to", "with_model": true, "word": "table", "rate": 0.5, "votes": 6, "sure": false},
                {"subject": "eviction", "with_model": false, "word": "use", "rate": 0.71, "votes": 31, "sure": true}],
             "history": [
                {"key": {"subject": "arms", "with_model": false}, "before": {"words": 0.6, "table": 0.4},
                 "after": {"words": 0.61, "table": 0.39}, "reason": "63% of 214", "at": "2026-11-15T08:30:00Z"},
                {"key": {"subject": "arms", "with_model": false}, "before": {"words": 0.6, "table": 0.4},
                 "after": {"words": 0.6, "table": 0.4}, "reason": "rolled back: held out 0.72 -> 0.69",
                 "at": "2026-11-14T08:30:00Z"},
                {"key": {"subject": "eviction", "with_model": false}, "before": {"importance": 0.3, "use": 0.7},
                 "reason": "reset", "at": "2026-11-13T08:30:00Z"},
                {"key": {"subject": "arms", "query_type": "how_to", "with_model": true},
                 "after": {"words": 0.6, "table": 0.4}, "reason": "first", "at": "2026-11-12T08:30:00Z"}]},
            {"scope": "user", "store": "user", "learning": false, "rows": [], "rates": [], "noise": 0, "history": []}
        ]}));
        expect![[r#"
            project shop (/w/shop): learns · 214 votes · last change 2 hours ago
            QUERY TYPE  WITH MODEL  WORDS         TABLE         MODEL  VOTES  STATE
            all         no          0.56 -> 0.61  0.44 -> 0.39         214    learning: words right in 63% of 214
            how_to      yes         0.34          0.26          0.40   4      too few

            What a memory is kept for:
            IMPORTANCE    USE           VOTES  STATE
            0.30 -> 0.25  0.70 -> 0.75  31     rolled back: held out 0.72 -> 0.69

            Who was right where they disagreed:
            OF                  WHO    RIGHT  VOTES  SURE
            all                 words  63%    214    yes
            how_to, with model  table  50%    6      may be chance
            keeping             use    71%    31     yes

            5 memories are often shown and not used; `engram evolve candidates --criteria noise` names them.

            History:
            WHEN              OF                  CHANGE                                  REASON
            2026-11-15 08:30  all                 table 0.40 -> 0.39, words 0.60 -> 0.61  63% of 214
            2026-11-14 08:30  all                 none                                    rolled back: held out 0.72 ->
                                                                                          0.69
            2026-11-13 08:30  keeping             back to the defaults                    reset
            2026-11-12 08:30  how_to, with model  table 0.40, words 0.60                  first

            user: does not learn (learning.weights is off) · 0 votes · no change yet
            Nothing was learned yet; the defaults are in force.
        "#]].assert_eq(&weights(&shown, &Look { width: 110, ..look() }));
        let none = reply(json!({"stores": []}));
        assert_eq!(weights(&none, &look()), "There is no store that could learn.\n");
    }

    #[test]
    fn a_reset_tells_how_to_take_it_back() {
        let reset = reply(json!({"operation": NEW, "scope": "project", "already": false,
            "rows": [{"subject": "arms", "with_model": false}]}));
        expect![[r#"
            Forgot what was learned in 1 row (project); the defaults are in force.
            `engram undo 01JD3V8Q2Y6K4M5N7P9R1S3T60` takes it back.
        "#]]
        .assert_eq(&weights_reset(&reset, &look()));
        let nothing = reply(json!({"operation": NEW, "scope": "user", "already": true, "rows": []}));
        expect![[r#"
            Nothing had been learned here (user).
            this had been done before; nothing was changed
        "#]]
        .assert_eq(&weights_reset(&nothing, &look()));
    }
}
