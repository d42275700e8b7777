//! How the audit log looks, and what is wrong with it.

use super::{Last, Look, plural, table};
use engram_core::audit::{AuditLine, Break, Flaw, Verified};
use engram_wire::governance::AuditShown;
use std::fmt::Write as _;

pub(crate) fn audit(shown: &AuditShown, look: &Look) -> String {
    if shown.lines.is_empty() {
        return match shown.total {
            0 => "Nothing was done that is audited.\n".to_owned(),
            _ => "No line of the audit log is about that.\n".to_owned(),
        };
    }
    let row = |line: &AuditLine| {
        vec![
            line.number.to_string(),
            look.moment(line.at),
            line.deed.to_string(),
            line.actor.to_string(),
            line.digests.len().to_string(),
            line.operation.map(|operation| operation.to_string()).unwrap_or_default(),
        ]
    };
    let header = ["LINE", "WHEN", "DEED", "ACTOR", "ABOUT", "OPERATION"];
    let mut text = table(&header, shown.lines.iter().map(row).collect(), Last::Wrap, look);
    let _ = writeln!(text, "{} of {} shown", shown.lines.len(), plural(shown.total, "line", "lines"));
    text
}

pub(crate) fn audit_verified(verified: &Verified, _look: &Look) -> String {
    let lines = plural(usize::try_from(verified.lines).unwrap_or(usize::MAX), "line", "lines");
    if verified.breaks.is_empty() {
        return format!("The audit log is whole: {lines}.\n");
    }
    let mut text = format!("The audit log is not whole ({lines}):\n");
    for Break { line, flaw } in &verified.breaks {
        let said = match flaw {
            Flaw::Changed => "does not say what it said when it was written",
            Flaw::Missing => "comes after lines that are gone",
            Flaw::Moved => "stood elsewhere",
            Flaw::Unreadable => "is no line of an audit log",
            Flaw::Cut => "should be there: the log was cut off before it",
        };
        let _ = writeln!(text, "  line {line} {said}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::tests::look;
    use engram_core::audit::{AuditKey, Audited, Deed, Head, chained};
    use engram_core::{Actor, Timestamp};
    use expect_test::expect;

    fn line(before: &Head, deed: Deed, operation: Option<&str>) -> AuditLine {
        let key = AuditKey::new([1; 32]);
        let operation = operation.map(|id| id.parse().unwrap());
        let digests = vec![key.digest(b"one"), key.digest(b"two")];
        let at = Timestamp::UNIX_EPOCH;
        chained(before, Audited { at, deed, actor: Actor::Human, operation, digests }, &key)
    }

    #[test]
    fn the_log_is_a_table_of_deeds() {
        let first = line(&Head::NONE, Deed::Backup, None);
        let second = line(&first.head(), Deed::Purge, Some("01JD3V8Q2Y6K4M5N7P9R1S3T5V"));
        let head = second.head();
        let shown = AuditShown { lines: vec![second, first], total: 9, head };
        expect![[r#"
            LINE  WHEN                             DEED    ACTOR  ABOUT  OPERATION
            2     1970-01-01 00:00 (56 years ago)  purge   human  2      01JD3V8Q2
                                                                         Y6K4M5N7P
                                                                         9R1S3T5V
            1     1970-01-01 00:00 (56 years ago)  backup  human  2
            2 of 9 lines shown
        "#]]
        .assert_eq(&audit(&shown, &look()));
        let none = AuditShown { lines: Vec::new(), total: 0, head: Head::NONE };
        expect![[r#"
            Nothing was done that is audited.
        "#]]
        .assert_eq(&audit(&none, &look()));
        let other = AuditShown { total: 3, ..none };
        expect![[r#"
            No line of the audit log is about that.
        "#]]
        .assert_eq(&audit(&other, &look()));
    }

    #[test]
    fn what_is_wrong_is_said_line_by_line() {
        let whole = Verified { lines: 2, head: Head::NONE, breaks: Vec::new() };
        expect![[r#"
            The audit log is whole: 2 lines.
        "#]]
        .assert_eq(&audit_verified(&whole, &look()));
        let breaks = Flaw::ALL.iter().zip(1..).map(|(flaw, line)| Break { line, flaw: *flaw }).collect();
        let broken = Verified { breaks, ..whole };
        expect![[r#"
            The audit log is not whole (2 lines):
              line 1 does not say what it said when it was written
              line 2 comes after lines that are gone
              line 3 stood elsewhere
              line 4 is no line of an audit log
              line 5 should be there: the log was cut off before it
        "#]]
        .assert_eq(&audit_verified(&broken, &look()));
    }
}
