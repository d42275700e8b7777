//! How dreams look: what one did or would do and why, what the last ones did,
//! and what they leave for somebody to sum up.

use super::system::next_run;
use super::{Last, Look, clean, clean_line, grouped, memories, plural, short, table, wrap};
use engram_core::dream::{Awaiting, Dream, FULL, PROPOSED, RequestStatus, Step, StepReport};
use engram_wire::life::{ConsolidationOffered, DreamReports, Dreamt, StoreDream, StoreReport};
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr as _;

/// So many deeds of a step are told; the rest is counted.
const TOLD: usize = 10;

pub(crate) fn dreamt(dreamt: &Dreamt, look: &Look) -> String {
    let mut parts = Vec::new();
    if dreamt.dry_run {
        parts.push("A dry run: nothing was changed. This is what a dream would do.\n".to_owned());
    }
    parts.extend(dreamt.stores.iter().map(|store| one(store, dreamt.dry_run, look)));
    if dreamt.stores.is_empty() {
        parts.push("There is no store to dream in.\n".to_owned());
    }
    parts.join("\n")
}

/// What a dream did in one store.
fn one(store: &StoreDream, dry_run: bool, look: &Look) -> String {
    let StoreDream { dream, memories: count, seconds, resumed, .. } = store;
    let depth = dream.depth.map_or("the steps that were named".to_owned(), |depth| format!("{depth} dream"));
    let mut text = format!(
        "{}: {} {}, {depth}, {seconds:.1} s\n",
        look.bold(&clean_line(&store.store)),
        grouped(*count),
        if *count == 1 { "memory" } else { "memories" },
    );
    if *resumed {
        text += "An earlier dream that had not come to its end was gone on with first.\n";
    }
    let rows = dream.steps.iter().map(|step| {
        let counts = [step.looked_at, step.done, step.left].map(grouped);
        let [looked_at, done, left] = counts;
        vec![step.step.to_string(), looked_at, done, left, note(step)]
    });
    let done = if dry_run { "WOULD DO" } else { "DONE" };
    text += &table(&["STEP", "LOOKED AT", done, "LEFT", "NOTE"], rows.collect(), Last::Wrap, look);
    for step in dream.steps.iter().filter(|step| step.done > 0) {
        let _ = write!(text, "\n{}\n{}", look.bold(step.step.as_str()), deeds(step, dry_run, look));
    }
    text.push('\n');
    let full: Vec<&str> = told_full(dream).collect();
    for why in &full {
        text += &wrap(&format!("Above the capacity: {}.", clean_line(why)), look.width).join("\n");
        text.push('\n');
    }
    if dream.steps.iter().all(|step| step.done == 0) {
        text += &match waiting_in(dream) {
            0 if !full.is_empty() => "Nothing else was to be done.\n".to_owned(),
            0 => "Nothing was to be done.\n".to_owned(),
            waiting => {
                let waiting = plural(waiting, "candidate waits", "candidates wait");
                format!(
                    "Nothing was done by itself. {waiting} for somebody to decide;\n\
                     `engram evolve candidates` shows them.\n"
                )
            }
        };
    } else if !dry_run {
        text += &way_back(dream);
    }
    text
}

/// What is told of a store that holds more than it should and could give up none.
fn told_full(dream: &Dream) -> impl Iterator<Item = &str> {
    let forgetting = dream.steps.iter().filter(|step| step.step == Step::Forget);
    forgetting.flat_map(|step| &step.deeds).filter(|deed| deed.what == FULL).map(|deed| deed.why.as_str())
}

/// How much of what could evolve waits for somebody.
fn waiting_in(dream: &Dream) -> usize {
    let evolving = dream.steps.iter().filter(|step| step.step == Step::Evolve);
    evolving.flat_map(|step| &step.deeds).filter(|deed| deed.what == PROPOSED).count()
}

/// What is to be known about a step besides its counts.
fn note(step: &StepReport) -> String {
    let mut notes = Vec::new();
    notes.extend(step.skipped.as_ref().map(|why| format!("skipped: {}", clean_line(why))));
    if !step.overtaken.is_empty() {
        let overtaken = memories(step.overtaken.len());
        notes.push(format!("{overtaken} left alone, changed by somebody meanwhile"));
    }
    if !step.risen.is_empty() {
        notes.push(format!("{} went up to the user", memories(step.risen.len())));
    }
    notes.join("; ")
}

fn deeds(step: &StepReport, dry_run: bool, look: &Look) -> String {
    let told: Vec<(String, String, &str)> = step
        .deeds
        .iter()
        .take(TOLD)
        .map(|deed| (clean_line(&deed.what), deed.memory.map(short).unwrap_or_default(), deed.why.as_str()))
        .collect();
    let widest = |width: fn(&(String, String, &str)) -> usize| told.iter().map(width).max().unwrap_or(0);
    let (what_width, id_width) = (widest(|deed| deed.0.width()), widest(|deed| deed.1.len()));
    let mut text = String::new();
    for (what, id, why) in &told {
        let padding = " ".repeat(what_width - what.width());
        let mut head = format!("  {what}{padding}  ");
        if id_width > 0 {
            let _ = write!(head, "{id:id_width$}  ");
        }
        let room = look.width.saturating_sub(head.width());
        let hanging = format!("\n{}", " ".repeat(head.width()));
        let _ = writeln!(text, "{}{}", look.dim(&head), wrap(&clean_line(why), room).join(&hanging));
    }
    let more = step.done.saturating_sub(told.len());
    if more > 0 {
        // Dreaming again would not show them: the next dream finds them done.
        let how = if dry_run { "--json" } else { "`engram dream --report --json`" };
        // A report names the first hundred of each step.
        let named = if step.deeds.len() < step.done {
            format!("shows the first {}", step.deeds.len())
        } else {
            "shows all".to_owned()
        };
        let _ = writeln!(text, "  {}", look.dim(&format!("… and {} more; {how} {named}", grouped(more))));
    }
    text
}

/// How to take a dream back: all of it, or one of its steps.
fn way_back(dream: &Dream) -> String {
    let mut text = String::new();
    if dream.finished_at.is_none() {
        text += "It has not come to its end; the next dream goes on with it.\n";
    }
    let changing: Vec<&StepReport> =
        dream.steps.iter().filter(|step| !step.operations.is_empty() || !step.risen.is_empty()).collect();
    let id = dream.id;
    match changing.as_slice() {
        [] => {}
        [_] => {
            let _ = writeln!(text, "`engram undo {id}` takes it back.");
        }
        [first, ..] => {
            let step = first.step;
            let _ = writeln!(text, "`engram undo {id}` takes it back,");
            let _ = writeln!(text, "`engram undo {id} --step {step}` only that step.");
        }
    }
    text
}

pub(crate) fn dream_reports(reports: &DreamReports, look: &Look) -> String {
    let mut text = match reports.schedule.as_str() {
        "on" => "Dreams run by themselves when a session has ended.\n".to_owned(),
        _ => "Dreams do not run by themselves; `engram config set dream.schedule on` lets them.\n".to_owned(),
    };
    for store in &reports.stores {
        let _ = write!(text, "\n{}\n{}", look.bold(&clean_line(&store.store)), report(store, look));
    }
    text
}

fn report(store: &StoreReport, look: &Look) -> String {
    let mut text = if store.dreams.is_empty() {
        "No dreams yet.\n".to_owned()
    } else {
        // Identifiers are whole here: `undo` takes no shorter ones.
        let row = |dream: &Dream| {
            vec![
                dream.id.to_string(),
                look.age(dream.at),
                dream.trigger.as_str().replace('_', " "),
                dream.depth.map_or("some steps", |depth| depth.as_str()).to_owned(),
                changed(dream),
            ]
        };
        let rows = store.dreams.iter().map(row).collect();
        table(&["DREAM", "WHEN", "TRIGGER", "DEPTH", "CHANGED"], rows, Last::Wrap, look)
    };
    if let Some(next) = store.next_full {
        let ended =
            plural(usize::try_from(store.sessions).unwrap_or(usize::MAX), "session has", "sessions have");
        let until = usize::try_from(next.saturating_sub(store.sessions)).unwrap_or(usize::MAX);
        let until = plural(until, "session", "sessions");
        let _ = writeln!(text, "{ended} ended here; the next full dream is {until} away.");
    }
    if store.next.is_some() {
        let _ = writeln!(text, "It evolves {}.", next_run(store.next.as_ref(), look));
    }
    let waiting: Vec<&Awaiting> = store.awaiting.iter().filter(|item| item.done_at.is_none()).collect();
    if !waiting.is_empty() {
        let count = plural(waiting.len(), "summary waits", "summaries wait");
        let _ = writeln!(text, "{count} for better words; `engram consolidation next` shows the first:");
        let row = |item: &&Awaiting| {
            vec![
                short(item.summary),
                look.age(item.queued_at),
                item.sources.len().to_string(),
                item.topic.clone(),
                item.reason.clone(),
            ]
        };
        let header = ["SUMMARY", "SINCE", "OF", "TOPIC", "REASON"];
        text += &table(&header, waiting.iter().map(row).collect(), Last::Wrap, look);
    }
    for request in &store.requests {
        if matches!(request.status, RequestStatus::Pending | RequestStatus::InProgress) {
            let status = request.status.as_str().replace('_', " ");
            let reason = clean_line(&request.reason);
            let _ =
                writeln!(text, "A request of {} is {status}: {reason}", look.moment(request.requested_at));
        }
    }
    text
}

/// What a dream changed, in a line.
fn changed(dream: &Dream) -> String {
    let done = dream.steps.iter().filter(|step| step.done > 0);
    let mut told: Vec<String> = done.map(|step| format!("{} {}", step.step, grouped(step.done))).collect();
    if told.is_empty() {
        told.push("nothing".to_owned());
    }
    let open = if dream.finished_at.is_none() { "; not finished" } else { "" };
    told.join(", ") + open
}

/// What waits to be summed up next, as somebody needs it who is to do that.
pub(crate) fn offered(offered: &ConsolidationOffered, look: &Look) -> String {
    let Some(next) = &offered.next else {
        return "Nothing waits to be summed up.\n".to_owned();
    };
    let head = format!("{} ({}): {}", next.summary, next.scope, clean_line(&next.topic));
    let mut text = format!("{}\n\n", look.bold(&head));
    for line in wrap(&clean(&next.text), look.width.saturating_sub(2)) {
        let _ = writeln!(text, "{}", format!("  {line}").trim_end());
    }
    let _ = writeln!(text, "\nmade of {}", memories(next.sources.len()));
    for source in &next.sources {
        let head = format!("{}  {}  {}", short(source.id), source.kind, look.age(source.created_at));
        let _ = writeln!(text, "{}", look.dim(&head));
        for line in wrap(&clean(&source.content), look.width.saturating_sub(2)) {
            let _ = writeln!(text, "{}", format!("  {line}").trim_end());
        }
    }
    let id = short(next.summary);
    let _ = writeln!(text, "\n`engram consolidation submit {id} TEXT` puts your words in its place.");
    let others = offered.waiting.saturating_sub(1);
    if others > 0 {
        let _ = writeln!(text, "{} after it.", plural(others, "more waits", "more wait"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NEW, OLD, look, memory, reply};
    use super::*;
    use expect_test::expect;
    use serde_json::{Value, json};

    fn deed(what: &str, why: &str) -> Value {
        json!({"memory": OLD, "what": what, "why": why})
    }

    fn dream(steps: Vec<Value>) -> Value {
        json!({
            "id": NEW, "trigger": "manual", "depth": "full", "at": "2026-11-15T10:00:00Z",
            "finished_at": "2026-11-15T10:00:02Z", "steps": steps
        })
    }

    fn store(dream: Value) -> Value {
        json!({"scope": "project", "store": "project shop (/w/shop)", "dream": dream, "memories": 1234,
               "seconds": 2.345})
    }

    /// Of three steps one did little, one much and one nothing.
    fn busy() -> Vec<Value> {
        vec![
            json!({"step": "forget", "looked_at": 1200, "done": 12, "left": 3, "operations": [OLD],
                   "deeds": (0..12).map(|n| deed("archived", &format!("rule {n}"))).collect::<Vec<_>>(),
                   "overtaken": [OLD]}),
            json!({"step": "abstract", "looked_at": 0, "done": 0, "skipped": "no language\u{1b} model is chosen"}),
            json!({"step": "drift", "looked_at": 30, "done": 2, "operations": [OLD], "deeds": [
                deed("challenged", "it names src/auth.rs, which is gone since the rewrite that moved everything into crates"),
                {"what": "tidied", "why": "old lines"}]}),
        ]
    }

    #[test]
    fn a_dream_tells_its_steps_its_deeds_and_the_way_back() {
        let done = reply(json!({"dry_run": false, "stores": [store(dream(busy()))]}));
        expect![[r#"
            project shop (/w/shop): 1,234 memories, full dream, 2.3 s
            STEP      LOOKED AT  DONE  LEFT  NOTE
            forget    1,200      12    3     1 memory left alone, changed by
                                             somebody meanwhile
            abstract  0          0     0     skipped: no language␛ model is chosen
            drift     30         2     0

            forget
              archived  9R1S3T5V  rule 0
              archived  9R1S3T5V  rule 1
              archived  9R1S3T5V  rule 2
              archived  9R1S3T5V  rule 3
              archived  9R1S3T5V  rule 4
              archived  9R1S3T5V  rule 5
              archived  9R1S3T5V  rule 6
              archived  9R1S3T5V  rule 7
              archived  9R1S3T5V  rule 8
              archived  9R1S3T5V  rule 9
              … and 2 more; `engram dream --report --json` shows all

            drift
              challenged  9R1S3T5V  it names src/auth.rs, which is gone since the
                                    rewrite that moved everything into crates
              tidied                old lines

            `engram undo 01JD3V8Q2Y6K4M5N7P9R1S3T60` takes it back,
            `engram undo 01JD3V8Q2Y6K4M5N7P9R1S3T60 --step forget` only that step.
        "#]]
        .assert_eq(&dreamt(&done, &look()));
    }

    #[test]
    fn a_dry_run_says_first_that_nothing_was_changed_and_offers_no_way_back() {
        let would = reply(json!({"dry_run": true, "stores": [store(dream(busy()))]}));
        let told = dreamt(&would, &look());
        assert!(told.starts_with("A dry run: nothing was changed."), "{told}");
        assert!(told.contains("WOULD DO") && !told.contains("engram undo"), "{told}");
        assert!(told.contains("… and 2 more; --json shows all\n"), "{told}");
    }

    #[test]
    fn what_waits_for_somebody_is_told_where_nothing_was_done() {
        let evolve = json!({"step": "evolve", "looked_at": 40, "done": 0, "deeds": [
            {"memory": OLD, "what": "proposed", "why": "to be refined: it failed 4 of 6 times"},
            {"memory": OLD, "what": "proposed", "why": "to be merged: .97 alike"},
            {"memory": OLD, "what": "left alone", "why": "somebody has edited the file of this skill"}]});
        let told = dreamt(&reply(json!({"dry_run": false, "stores": [store(dream(vec![evolve]))]})), &look());
        let expected = "\nNothing was done by itself. 2 candidates wait for somebody to decide;\n\
                        `engram evolve candidates` shows them.\n";
        assert!(told.ends_with(expected), "{told}");
    }

    #[test]
    fn a_store_that_holds_too_much_and_may_give_up_none_says_so() {
        let forget = json!({"step": "forget", "looked_at": 102, "done": 0, "deeds": [
            {"what": "above the capacity", "why": "102 memories, 100 are allowed: 2 too many stay"}]});
        let told = dreamt(&reply(json!({"dry_run": false, "stores": [store(dream(vec![forget]))]})), &look());
        let expected = "\nAbove the capacity: 102 memories, 100 are allowed: 2 too many stay.\n\
                        Nothing else was to be done.\n";
        assert!(told.ends_with(expected), "{told}");
    }

    #[test]
    fn a_dream_without_deeds_says_so_and_one_that_was_cut_short_too() {
        let mut quiet = store(dream(vec![json!({"step": "tidy", "looked_at": 7, "done": 0})]));
        quiet["dream"]["depth"] = Value::Null;
        quiet["resumed"] = json!(true);
        let mut open = store(dream(vec![busy().remove(2)]));
        open["dream"]["finished_at"] = Value::Null;
        open["store"] = json!("user");
        open["memories"] = json!(1);
        let both = reply(json!({"dry_run": false, "stores": [quiet, open]}));
        expect![[r#"
            project shop (/w/shop): 1,234 memories, the steps that were named, 2.3 s
            An earlier dream that had not come to its end was gone on with first.
            STEP  LOOKED AT  DONE  LEFT  NOTE
            tidy  7          0     0

            Nothing was to be done.

            user: 1 memory, full dream, 2.3 s
            STEP   LOOKED AT  DONE  LEFT  NOTE
            drift  30         2     0

            drift
              challenged  9R1S3T5V  it names src/auth.rs, which is gone since the
                                    rewrite that moved everything into crates
              tidied                old lines

            It has not come to its end; the next dream goes on with it.
            `engram undo 01JD3V8Q2Y6K4M5N7P9R1S3T60` takes it back.
        "#]]
        .assert_eq(&dreamt(&both, &look()));
        let none = reply(json!({"dry_run": false, "stores": []}));
        assert_eq!(dreamt(&none, &look()), "There is no store to dream in.\n");
    }

    #[test]
    fn more_deeds_than_a_report_names_are_counted_honestly() {
        let mut much = busy().remove(0);
        much["done"] = json!(5000);
        let told = dreamt(&reply(json!({"dry_run": false, "stores": [store(dream(vec![much]))]})), &look());
        assert!(
            told.contains("… and 4,990 more; `engram dream --report --json` shows the first 12\n"),
            "{told}"
        );
    }

    #[test]
    fn a_report_tells_the_last_dreams_and_what_waits() {
        let mut open = dream(Vec::new());
        open["trigger"] = json!("session_end");
        open["depth"] = json!("light");
        open["finished_at"] = Value::Null;
        let reports = reply(json!({"schedule": "on", "stores": [
            {"scope": "project", "store": "project shop (/w/shop)", "dreams": [dream(busy()), open],
             "consolidations": [], "sessions": 13, "next_full": 15,
             "next": {"at": "2026-11-15T12:00:00Z", "updates_left": 4, "procedures_left": 20},
             "awaiting": [
                {"summary": NEW, "sources": [OLD, OLD, OLD], "topic": "the\u{1b} deploy",
                 "reason": "no model is chosen", "queued_at": "2026-11-13T10:00:00Z"},
                {"summary": OLD, "sources": [], "topic": "done", "reason": "x",
                 "queued_at": "2026-11-13T10:00:00Z", "done_at": "2026-11-14T10:00:00Z"}],
             "requests": [
                {"requested_at": "2026-11-14T10:00:00Z", "status": "in_progress", "reason": "612 active memories"},
                {"requested_at": "2026-11-01T10:00:00Z", "status": "completed", "reason": "501 active memories",
                 "completed_at": "2026-11-02T10:00:00Z"}]},
            {"scope": "user", "store": "user", "dreams": [], "consolidations": [], "awaiting": [],
             "requests": [], "sessions": 0}
        ]}));
        expect![[r#"
            Dreams run by themselves when a session has ended.

            project shop (/w/shop)
            DREAM                       WHEN            TRIGGER      DEPTH  CHANGED
            01JD3V8Q2Y6K4M5N7P9R1S3T60  30 minutes ago  manual       full   forget 12, drift 2
            01JD3V8Q2Y6K4M5N7P9R1S3T60  30 minutes ago  session end  light  nothing; not finished
            13 sessions have ended here; the next full dream is 2 sessions away.
            It evolves next in 1 hour, or after 4 more updates or 20 procedures.
            1 summary waits for better words; `engram consolidation next` shows the first:
            SUMMARY   SINCE       OF  TOPIC        REASON
            9R1S3T60  2 days ago  3   the␛ deploy  no model is chosen
            A request of 2026-11-14 10:00 (1 day ago) is in progress: 612 active memories

            user
            No dreams yet.
        "#]]
        .assert_eq(&dream_reports(&reports, &Look { width: 100, ..look() }));
        let off = dream_reports(&reply(json!({"schedule": "off", "stores": []})), &look());
        assert!(off.starts_with("Dreams do not run by themselves;"), "{off}");
    }

    #[test]
    fn what_waits_to_be_summed_up_is_shown_with_all_it_was_made_of() {
        let next = reply(json!({"waiting": 3, "next": {
            "scope": "project", "summary": NEW, "topic": "the deploy",
            "text": "Deploys go through\nbuildkite.",
            "sources": [memory(OLD, "we deploy with\u{1b} buildkite\nsince May"), memory(OLD, "never on fridays")]
        }}));
        expect![[r#"
            01JD3V8Q2Y6K4M5N7P9R1S3T60 (project): the deploy

              Deploys go through
              buildkite.

            made of 2 memories
            9R1S3T5V  fact  9 days ago
              we deploy with␛ buildkite
              since May
            9R1S3T5V  fact  9 days ago
              never on fridays

            `engram consolidation submit 9R1S3T60 TEXT` puts your words in its place.
            2 more wait after it.
        "#]]
        .assert_eq(&offered(&next, &look()));
        let none = reply(json!({"waiting": 0}));
        assert_eq!(offered(&none, &look()), "Nothing waits to be summed up.\n");
    }
}
