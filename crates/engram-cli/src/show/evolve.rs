//! How evolution looks: what might evolve and what is missing, what did and why,
//! and the skills that came of it.

use super::memory::sketch;
use super::system::next_run;
use super::{Last, Look, clean_line, cut, memories, plural, short, table, wrap};
use engram_core::MemoryId;
use engram_core::evolve::{ActionsTaken, Detail, Evolving};
use engram_wire::evolution::{
    CandidateLine, Candidates, EvolutionReports, Evolved, FileDone, SkillFile, SkillLine, SkillsFound,
    StoreEvolution,
};
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr as _;

pub(crate) fn evolution_reports(reports: &EvolutionReports, look: &Look) -> String {
    if reports.stores.is_empty() {
        return "There is no store that could evolve.\n".to_owned();
    }
    let told: Vec<String> = reports.stores.iter().map(|store| report(store, look)).collect();
    let mut text = told.join("\n");
    if reports.stores.iter().any(|store| store.report.details.iter().any(|detail| !detail.undone)) {
        text += "\n`engram operations` lists what `engram undo OPERATION` takes back.\n";
    }
    text
}

fn report(store: &StoreEvolution, look: &Look) -> String {
    let StoreEvolution { report, next, .. } = store;
    let ActionsTaken { deprecated, refined, merged, archived, induced_skills } = report.actions_taken;
    let mut text = format!(
        "{}: {}; {}\n",
        look.bold(&clean_line(&store.store)),
        format_args!("{} looked at", memories(report.candidates_evaluated)),
        next_run(next.as_ref(), look)
    );
    let _ = writeln!(
        text,
        "  deprecated {deprecated}   refined {refined}   merged {merged}   archived {archived}   \
         skills {induced_skills}"
    );
    let heads: Vec<String> = report.details.iter().map(head).collect();
    let width = heads.iter().map(|head| head.width()).max().unwrap_or(0);
    for (head, detail) in heads.iter().zip(&report.details) {
        let head = format!("  {head:width$}  ");
        let taken_back = if detail.undone { " (taken back)" } else { "" };
        let why = format!("{}{taken_back}", clean_line(&detail.reason));
        let room = look.width.saturating_sub(head.width());
        let hanging = format!("\n{}", " ".repeat(head.width()));
        let _ = writeln!(text, "{}{}", look.dim(&head), wrap(&why, room).join(&hanging));
    }
    let _ = writeln!(text, "{}", wrap(&clean_line(&report.summary), look.width).join("\n"));
    text
}

fn head(detail: &Detail) -> String {
    let new = detail.new_id.map(|id| format!(" -> {}", short(id))).unwrap_or_default();
    // As wide as the longest of the words, so that identifiers stand below each other.
    format!("{:<10}  {}{new}", detail.action.as_str(), short(detail.node_id))
}

pub(crate) fn candidates(found: &Candidates, look: &Look) -> String {
    let looked = format!("{} looked at", were(found.evaluated));
    if found.candidates.is_empty() {
        return format!("Nothing is to evolve; {looked}.\n");
    }
    let told: Vec<String> = found.candidates.iter().map(|line| candidate(line, look)).collect();
    format!("{}\n{}\n", told.join("\n"), look.dim(&looked))
}

fn were(count: usize) -> String {
    if count == 1 { "1 memory was".to_owned() } else { format!("{} were", memories(count)) }
}

fn candidate(line: &CandidateLine, look: &Look) -> String {
    let CandidateLine { scope, candidate, texts } = line;
    let head = format!("{}: {}", candidate.priority, command(candidate.suggested));
    let mut facts = vec![scope.to_string(), candidate.criteria.to_string()];
    facts.push(format!("utility {:.2}", candidate.utility.get()));
    facts.push(plural(candidate.uses as usize, "use", "uses"));
    facts.push(format!("idle for {}", days(candidate.idle_days)));
    facts.extend(candidate.similarity.map(|alike| format!("{:.2} alike", alike.get())));
    let mut text = format!("{}  {}\n", look.bold(&head), look.dim(&facts.join(" · ")));
    for (id, said) in candidate.nodes.iter().zip(texts) {
        let id = format!("  {}  ", short(id));
        let room = look.width.saturating_sub(id.len()).max(20);
        let _ = writeln!(text, "{}{}", look.dim(&id), cut(&clean_line(said), room));
    }
    let mut say = |words: &str| {
        let lines = wrap(words, look.width.saturating_sub(2));
        let _ = writeln!(text, "  {}", lines.join("\n  "));
    };
    say(&clean_line(&candidate.why));
    if !candidate.missing.is_empty() {
        say(&format!("still missing: {}", clean_line(&candidate.missing.join("; "))));
    }
    text
}

fn days(count: i64) -> String {
    plural(usize::try_from(count).unwrap_or(0), "day", "days")
}

/// The action as it is typed after `engram evolve`.
const fn command(action: Evolving) -> &'static str {
    match action {
        Evolving::Deprecated => "deprecate",
        Evolving::Refined => "refine",
        Evolving::Merged => "merge",
        Evolving::Archived => "archive",
        Evolving::Induced => "induce",
    }
}

pub(crate) fn evolved(done: &Evolved, look: &Look) -> String {
    let Evolved { operation, action, nodes, new, reason, .. } = done;
    let these = ids(nodes);
    let new = new.map(short).unwrap_or_default();
    let told = match action {
        Evolving::Deprecated => format!("Deprecated {these}"),
        Evolving::Archived => format!("Archived {these}"),
        Evolving::Refined => format!("Refined {these}; {new} stands for it now"),
        Evolving::Merged => format!("Merged {these} into {new}"),
        Evolving::Induced => format!("Made the skill {new} of {these}"),
    };
    let mut text = wrap(&format!("{told}: {}", clean_line(reason)), look.width).join("\n") + "\n";
    text.extend(done.memories.iter().map(|memory| sketch(memory, look)));
    text += &skill_files(&done.files);
    if done.already {
        text += &look.dim("this had been done before; nothing was changed");
        text.push('\n');
    }
    let _ = writeln!(text, "`engram undo {operation}` takes it back.");
    text
}

/// What became of the files of skills, a line each.
pub(super) fn skill_files(files: &[SkillFile]) -> String {
    let told = |file: &SkillFile| {
        let name = clean_line(&file.file.display().to_string());
        let why = file.why.as_deref().map(|why| format!(": {}", clean_line(why))).unwrap_or_default();
        match file.done {
            FileDone::Written => format!("Wrote {name}.\n"),
            FileDone::Removed => format!("Removed {name}.\n"),
            FileDone::Left => format!("Left {name} as it is{why}.\n"),
        }
    };
    files.iter().map(told).collect()
}

fn ids(memories: &[MemoryId]) -> String {
    memories.iter().map(short).collect::<Vec<_>>().join(", ")
}

pub(crate) fn skills(found: &SkillsFound, look: &Look) -> String {
    let left = skill_files(&found.left);
    if found.skills.is_empty() {
        return format!("No skills.\n{left}");
    }
    let row = |skill: &SkillLine| {
        let served = match skill.tried {
            0 => "never".to_owned(),
            tried => format!("{tried}, {} failed", skill.failed),
        };
        vec![
            clean_line(&skill.name),
            skill.memory.map(short).unwrap_or_default(),
            skill.scope.map_or("built in", |scope| scope.as_str()).to_owned(),
            skill.utility.map(|utility| format!("{:.2}", utility.get())).unwrap_or_default(),
            served,
            skill.state.map(|state| state.as_str().replace('_', " ")).unwrap_or_default(),
            skill.description.clone(),
        ]
    };
    let header = ["NAME", "ID", "SCOPE", "UTILITY", "USED", "FILE", "DESCRIPTION"];
    table(&header, found.skills.iter().map(row).collect(), Last::Wrap, look) + &left
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NEW, OLD, look, memory, reply};
    use super::*;
    use expect_test::expect;
    use serde_json::json;

    #[test]
    fn a_report_tells_what_evolved_and_when_it_goes_on() {
        let reports = reply(json!({"stores": [
            {"scope": "project", "store": "project shop (/w/shop)", "candidates_evaluated": 15,
             "actions_taken": {"deprecated": 1, "refined": 0, "merged": 1, "archived": 0, "induced_skills": 1},
             "details": [
                {"node_id": OLD, "action": "deprecated", "reason": "utility 0.15 after 12 uses, 10 of the last\u{1b} 10 failed"},
                {"node_id": OLD, "action": "merged", "new_id": NEW, "reason": "0.97 alike", "undone": true},
                {"node_id": OLD, "action": "induced", "new_id": NEW, "reason": "3 procedures that begin with make"}],
             "summary": "Deprecated 1 memory that keeps failing, merged 1 pair, made 1 skill.",
             "next": {"at": "2026-11-15T14:40:00Z", "updates_left": 63, "procedures_left": 12}},
            {"scope": "user", "store": "user", "candidates_evaluated": 1,
             "actions_taken": {"deprecated": 0, "refined": 0, "merged": 0, "archived": 0, "induced_skills": 0},
             "details": [], "summary": "Nothing evolved."}
        ]}));
        expect![[r#"
            project shop (/w/shop): 15 memories looked at; next in 4 hours, or after 63 more updates or 12 procedures
              deprecated 1   refined 0   merged 1   archived 0   skills 1
              deprecated  9R1S3T5V              utility 0.15 after 12 uses, 10 of
                                                the last␛ 10 failed
              merged      9R1S3T5V -> 9R1S3T60  0.97 alike (taken back)
              induced     9R1S3T5V -> 9R1S3T60  3 procedures that begin with make
            Deprecated 1 memory that keeps failing, merged 1 pair, made 1 skill.

            user: 1 memory looked at; does not run by itself
              deprecated 0   refined 0   merged 0   archived 0   skills 0
            Nothing evolved.

            `engram operations` lists what `engram undo OPERATION` takes back.
        "#]]
        .assert_eq(&evolution_reports(&reports, &look()));
        let none = reply(json!({"stores": []}));
        assert_eq!(evolution_reports(&none, &look()), "There is no store that could evolve.\n");
    }

    #[test]
    fn a_candidate_tells_what_it_says_and_what_is_missing() {
        let found = reply(json!({"evaluated": 120, "candidates": [
            {"scope": "project", "priority": "high", "criteria": "low_q", "nodes": [OLD], "suggested": "refined",
             "utility": 0.24, "uses": 6, "idle_days": 1, "missing": ["an improved text", "a reason"],
             "why": "it failed 4 of 6 times", "texts": ["build with\u{1b} make fast"]},
            {"scope": "user", "priority": "medium", "criteria": "similar_pairs", "nodes": [OLD, NEW],
             "suggested": "merged", "utility": 0.5, "uses": 0, "idle_days": 30, "similarity": 0.971,
             "why": "they say the same", "texts": ["tests run with nextest", "we run the tests with nextest and with nothing else at all, ever"]}
        ]}));
        expect![[r#"
            high: refine  project · low_q · utility 0.24 · 6 uses · idle for 1 day
              9R1S3T5V  build with␛ make fast
              it failed 4 of 6 times
              still missing: an improved text; a reason

            medium: merge  user · similar_pairs · utility 0.50 · 0 uses · idle for 30 days · 0.97 alike
              9R1S3T5V  tests run with nextest
              9R1S3T60  we run the tests with nextest and with nothing else at all,…
              they say the same

            120 memories were looked at
        "#]]
        .assert_eq(&candidates(&found, &look()));
        let none = reply(json!({"evaluated": 1, "candidates": []}));
        assert_eq!(candidates(&none, &look()), "Nothing is to evolve; 1 memory was looked at.\n");
    }

    #[test]
    fn an_action_tells_what_became_of_what_and_how_to_take_it_back() {
        let refined = reply(json!({
            "operation": NEW, "action": "refined", "nodes": [OLD], "new": NEW, "already": false,
            "memories": [memory(NEW, "run make db first")], "reason": "it failed without a database"
        }));
        expect![[r#"
            Refined 9R1S3T5V; 9R1S3T60 stands for it now: it failed without a
            database
            9R1S3T60  project  fact  run make db first
            `engram undo 01JD3V8Q2Y6K4M5N7P9R1S3T60` takes it back.
        "#]]
        .assert_eq(&evolved(&refined, &look()));
        let induced = reply(json!({
            "operation": NEW, "action": "induced", "nodes": [OLD, OLD, OLD], "new": NEW, "already": true,
            "memories": [], "reason": "3 procedures",
            "files": [
                {"file": "/w/shop/.claude/skills/release/SKILL.md", "done": "written"},
                {"file": "/w/shop/.claude/skills/ship/SKILL.md", "done": "removed"},
                {"file": "/w/shop/.claude/skills/deploy/SKILL.md", "done": "left", "why": "somebody edited it"}]
        }));
        expect![[r#"
            Made the skill 9R1S3T60 of 9R1S3T5V, 9R1S3T5V, 9R1S3T5V: 3 procedures
            Wrote /w/shop/.claude/skills/release/SKILL.md.
            Removed /w/shop/.claude/skills/ship/SKILL.md.
            Left /w/shop/.claude/skills/deploy/SKILL.md as it is: somebody edited it.
            this had been done before; nothing was changed
            `engram undo 01JD3V8Q2Y6K4M5N7P9R1S3T60` takes it back.
        "#]]
        .assert_eq(&evolved(&induced, &look()));
    }

    #[test]
    fn skills_tell_how_they_serve_and_what_lies_on_the_disk() {
        let found = reply(json!({"skills": [
            {"name": "release", "description": "Use to make a release", "scope": "project", "memory": OLD,
             "protected": false, "utility": 0.66, "tried": 4, "failed": 1, "state": "edited",
             "file": "/w/shop/.claude/skills/release/SKILL.md", "text": "# Release"},
            {"name": "deploy", "description": "Use to deploy", "scope": "project", "memory": NEW,
             "protected": false, "utility": 0.5, "state": "removed_by_hand", "text": "# Deploy"},
            {"name": "skill-editing", "description": "How to edit or deprecate a skill", "protected": true, "text": "x"}
        ]}));
        expect![[r#"
            NAME           ID        SCOPE     UTILITY  USED         FILE             DESCRIPTION
            release        9R1S3T5V  project   0.66     4, 1 failed  edited           Use to make a release
            deploy         9R1S3T60  project   0.50     never        removed by hand  Use to deploy
            skill-editing            built in           never                         How to edit or deprecate
                                                                                      a skill
        "#]]
        .assert_eq(&skills(&found, &Look { width: 100, ..look() }));
        assert_eq!(skills(&reply(json!({"skills": []})), &look()), "No skills.\n");
        let left = json!({"skills": [], "left": [{"file": "/w/ship/SKILL.md", "done": "left",
            "why": "somebody edited it"}]});
        assert_eq!(
            skills(&reply(left), &look()),
            "No skills.\nLeft /w/ship/SKILL.md as it is: somebody edited it.\n"
        );
    }
}
