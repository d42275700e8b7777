//! Sets right what is said about a memory: its kind, its tags, its domain, its
//! summary. What it says itself stays; that is what a correction is for.

use super::draft::{BadDraft, check_domain, check_summary, check_tag};
use super::{CannotChange, Occasion, edited, replace};
use crate::change::{Cause, Changes};
use crate::kind::{Kind, Scope};
use crate::memory::Memory;

/// What is to be said about a memory. None: it stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edited {
    pub kind: Option<Kind>,
    /// All it has from then on.
    pub tags: Option<Vec<String>>,
    /// Empty: it has none from then on.
    pub domain: Option<String>,
    /// Empty: it has none from then on.
    pub summary: Option<String>,
}

impl Edited {
    /// What cannot be said of any memory is refused before one is looked for.
    pub fn check(&self) -> Result<(), BadDraft> {
        self.tags.iter().flatten().try_for_each(|tag| check_tag(tag.trim()))?;
        let [domain, summary] = [&self.domain, &self.summary]
            .map(|text| text.as_deref().map(str::trim).filter(|text| !text.is_empty()));
        domain.map_or(Ok(()), check_domain)?;
        summary.map_or(Ok(()), check_summary)
    }
}

pub fn plan_edit(memory: &Memory, said: &Edited, occasion: Occasion) -> Result<Changes, CannotChange> {
    let mut after = edited(memory, occasion)?;
    said.check()?;
    if let Some(kind) = said.kind {
        if kind.session_only() && memory.scope != Scope::Session {
            return Err(BadDraft::SessionOnly(kind).into());
        }
        after.kind = kind;
    }
    if let Some(tags) = &said.tags {
        after.tags = tags.iter().map(|tag| tag.trim().to_owned()).collect();
    }
    if let Some(domain) = &said.domain {
        after.domain = Some(domain.trim().to_owned()).filter(|domain| !domain.is_empty());
    }
    if let Some(summary) = &said.summary {
        after.summary = Some(summary.trim().to_owned()).filter(|summary| !summary.is_empty());
    }
    let about =
        |memory: &Memory| (memory.kind, memory.tags.clone(), memory.domain.clone(), memory.summary.clone());
    if about(&after) == about(memory) {
        return Err(CannotChange::NothingToDo(memory.id));
    }
    Ok(occasion.changes(Cause::Edit, vec![replace(memory, after)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::{Actor, Write};
    use crate::memory::Provenance;
    use crate::plan::{Draft, newborn, plan_undo};
    use crate::{OperationId, Timestamp, Ulid};
    use std::collections::BTreeMap;

    fn occasion(number: u128) -> Occasion {
        let at = Timestamp::from_second(1_000 + i64::try_from(number).unwrap()).unwrap();
        let operation = OperationId::from_ulid(Ulid(number));
        Occasion { operation, actor: Actor::Human, at, recorded_at: at }
    }

    fn memory() -> Memory {
        let draft = Draft::parse("we deploy on fridays", 100).unwrap();
        let draft = draft.tagged(["ci".to_owned()]).and_then(|draft| draft.in_domain(Some("ops".into())));
        let stated = Provenance::stated_by(Actor::Human);
        newborn(draft.unwrap(), Scope::Project, stated, occasion(1), Cause::Remember)
    }

    fn after(changes: &Changes) -> Memory {
        match &changes.writes[..] {
            [Write::Replace { after, .. }] => (**after).clone(),
            other => panic!("one memory is edited, not {other:?}"),
        }
    }

    #[test]
    fn an_edit_changes_what_is_said_about_a_memory_and_not_what_it_says() {
        let before = memory();
        let said = Edited {
            kind: Some(Kind::Decision),
            tags: Some(vec![" release ".into(), "ci".into(), "ci".into()]),
            domain: Some(String::new()),
            summary: Some(" fridays ".into()),
        };
        let changes = plan_edit(&before, &said, occasion(2)).unwrap();
        assert_eq!(changes.cause, Cause::Edit);
        let after = after(&changes);
        assert_eq!((after.kind, after.domain.as_deref()), (Kind::Decision, None));
        assert!(after.tags.iter().eq(["ci", "release"]));
        assert_eq!((after.headline(), &after.content), ("fridays", &before.content));
        assert_eq!((after.revision, after.updated_at), (before.revision + 1, occasion(2).at));
        assert_eq!((after.status, after.tier, after.trace), (before.status, before.tier, before.trace));
    }

    #[test]
    fn what_is_not_named_stays_and_what_is_named_empty_goes() {
        let before = memory();
        let said = Edited { tags: Some(Vec::new()), ..Edited::default() };
        let after = after(&plan_edit(&before, &said, occasion(2)).unwrap());
        assert!(after.tags.is_empty());
        assert_eq!((after.kind, after.domain), (before.kind, before.domain));
    }

    #[test]
    fn an_edit_can_be_taken_back() {
        let before = memory();
        let said = Edited { summary: Some("fridays".into()), ..Edited::default() };
        let changes = plan_edit(&before, &said, occasion(2)).unwrap();
        let now = BTreeMap::from([(before.id, after(&changes))]);
        let undo = plan_undo(&changes.log_entry(), &now, occasion(3)).unwrap();
        assert_eq!(after(&undo), before);
    }

    #[test]
    fn an_edit_that_makes_no_sense_is_refused() {
        let before = memory();
        let refused = |said: Edited| plan_edit(&before, &said, occasion(2)).unwrap_err();
        let bad = |problem: BadDraft| CannotChange::Draft(problem);
        assert_eq!(refused(Edited::default()), CannotChange::NothingToDo(before.id));
        let same = Edited { kind: Some(before.kind), tags: Some(vec!["ci".into()]), ..Edited::default() };
        assert_eq!(refused(same), CannotChange::NothingToDo(before.id));
        let tags = Edited { tags: Some(vec!["two words".into()]), ..Edited::default() };
        assert_eq!(refused(tags), bad(BadDraft::BadTag("two words".into())));
        let domain = Edited { domain: Some("x".repeat(65)), ..Edited::default() };
        assert_eq!(refused(domain), bad(BadDraft::BadDomain("x".repeat(65))));
        for summary in ["two\nlines".to_owned(), "x".repeat(501)] {
            let said = Edited { summary: Some(summary), ..Edited::default() };
            assert_eq!(refused(said), bad(BadDraft::BadSummary));
        }
        let moment = Kind::ALL.iter().copied().find(|kind| kind.session_only()).unwrap();
        let kind = Edited { kind: Some(moment), ..Edited::default() };
        assert_eq!(refused(kind), bad(BadDraft::SessionOnly(moment)));
    }

    #[test]
    fn what_is_immutable_is_not_edited() {
        let fixed = Memory { immutable: true, ..memory() };
        let said = Edited { summary: Some("fridays".into()), ..Edited::default() };
        assert_eq!(plan_edit(&fixed, &said, occasion(2)), Err(CannotChange::Immutable(fixed.id)));
    }
}
