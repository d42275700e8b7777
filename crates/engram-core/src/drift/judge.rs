//! A claim, held against what was looked up.
//!
//! The one home of the law that says when a claim is gone, and of the sentence
//! that tells people why. It looks nothing up.

use super::lists::{RUNTIMES, SERVERS};
use super::range::is_within;
use super::{Before, Claim, Commit, Evidence, Finding, Loss, Manner, Stated};

/// A reason names no more files than this; people want one and believe two.
const MOST_NAMED: usize = 2;

/// What became of a claim.
pub fn judge(claim: &Claim, evidence: &Evidence) -> Finding {
    match evidence {
        Evidence::NotLooked => Finding::Unknown,
        Evidence::Sought { now: Some(_), .. } => Finding::Holds,
        Evidence::Sought { now: None, before: Before::Lost(loss) } => {
            Finding::Gone { reason: reason_of(claim, loss) }
        }
        Evidence::Sought { now: None, before: Before::Never | Before::NotLooked } => Finding::Unknown,
        Evidence::Stated(stated) => match claim {
            Claim::Version { of, version } => judge_version(of, version, stated),
            _ => Finding::Unknown,
        },
    }
}

/// One statement that agrees is enough: a project may use several versions.
fn judge_version(of: &str, version: &str, stated: &[Stated]) -> Finding {
    let mut others: Vec<&Stated> = Vec::new();
    for one in stated.iter().filter(|one| one.of == of && speaks_of(one.manner, of)) {
        match is_within(version, &one.asks) {
            Some(true) => return Finding::Holds,
            Some(false) => others.push(one),
            None => {}
        }
    }
    // A manifest tells what people decided; a lock file follows it.
    others.sort_by_key(|one| one.manner == Manner::Lock);
    if others.is_empty() {
        return Finding::Unknown;
    }
    let told: Vec<String> = others.iter().take(MOST_NAMED).map(|one| sentence_of(one)).collect();
    Finding::Gone { reason: told.join(" and ") }
}

/// A library may be called like the server it talks to or the language it is
/// for; its version says nothing of theirs.
fn speaks_of(manner: Manner, of: &str) -> bool {
    match manner {
        Manner::Toolchain | Manner::Image => true,
        Manner::Dependency | Manner::Lock => !RUNTIMES.contains(&of) && !SERVERS.contains(&of),
    }
}

fn sentence_of(stated: &Stated) -> String {
    let verb = if stated.manner == Manner::Lock { "has" } else { "asks for" };
    format!("{} {verb} {} {}", stated.file, stated.of, stated.asks)
}

fn reason_of(claim: &Claim, loss: &Loss) -> String {
    let file = &loss.file;
    let lost = match &loss.commit {
        Some(commit) => format!("{file} lost it in {}", told(commit)),
        None => format!("{file} lost it in an edit that is not committed"),
    };
    match claim {
        Claim::File(_) => {
            let what = match &loss.renamed_to {
                Some(new) => format!("{file} was renamed to {new}"),
                None => format!("{file} was deleted"),
            };
            match &loss.commit {
                Some(commit) => format!("{what} in {}", told(commit)),
                None => format!("{what}, which is not committed"),
            }
        }
        Claim::Command(command) => format!("no file of the project defines `{command}` any more; {lost}"),
        Claim::Symbol(name) => format!("no file of the project names `{name}` any more; {lost}"),
        Claim::Port(port) => format!("no file of the project names port {port} any more; {lost}"),
        Claim::Version { of, .. } => format!("no file of the project asks for {of} any more; {lost}"),
    }
}

fn told(commit: &Commit) -> String {
    format!("{} ({})", commit.id, commit.date)
}

#[cfg(test)]
mod tests {
    use super::super::{CommandClaim, Runner};
    use super::*;
    use jiff::civil::date;
    use proptest::prelude::*;

    fn commit() -> Commit {
        Commit { id: "3f2a1c9".into(), date: date(2026, 5, 2), subject: "move it".into() }
    }

    fn lost(file: &str, renamed_to: Option<&str>, commit: Option<Commit>) -> Evidence {
        let loss = Loss { file: file.into(), renamed_to: renamed_to.map(str::to_owned), commit };
        Evidence::Sought { now: None, before: Before::Lost(loss) }
    }

    fn stated(file: &str, of: &str, asks: &str, manner: Manner) -> Stated {
        Stated { file: file.into(), of: of.into(), asks: asks.into(), manner }
    }

    fn version(of: &str, version: &str) -> Claim {
        Claim::Version { of: of.into(), version: version.into() }
    }

    #[track_caller]
    fn check(claim: &Claim, evidence: &Evidence, expected: &str) {
        let found = match judge(claim, evidence) {
            Finding::Holds => "holds".to_owned(),
            Finding::Unknown => "unknown".to_owned(),
            Finding::Gone { reason } => reason,
        };
        assert_eq!(found, expected, "{claim}");
    }

    #[test]
    fn what_was_so_once_and_is_not_so_now_is_gone_with_its_reason() {
        let file = Claim::File("src/auth.rs".into());
        check(
            &file,
            &lost("src/auth.rs", Some("src/auth/mod.rs"), Some(commit())),
            "src/auth.rs was renamed to src/auth/mod.rs in 3f2a1c9 (2026-05-02)",
        );
        check(
            &file,
            &lost("src/auth.rs", None, Some(commit())),
            "src/auth.rs was deleted in 3f2a1c9 (2026-05-02)",
        );
        check(&file, &lost("src/auth.rs", None, None), "src/auth.rs was deleted, which is not committed");
        let seed = Claim::Command(CommandClaim { runner: Runner::Make, name: "seed".into() });
        check(
            &seed,
            &lost("Makefile", None, Some(commit())),
            "no file of the project defines `make seed` any more; Makefile lost it in 3f2a1c9 (2026-05-02)",
        );
        check(
            &Claim::Symbol("Retry::wait".into()),
            &lost("src/retry.rs", None, Some(commit())),
            "no file of the project names `Retry::wait` any more; src/retry.rs lost it in 3f2a1c9 (2026-05-02)",
        );
        check(
            &Claim::Port(8080),
            &lost("app.yaml", None, None),
            "no file of the project names port 8080 any more; app.yaml lost it in an edit that is not committed",
        );
    }

    #[test]
    fn what_never_was_or_was_not_looked_up_is_unknown() {
        let file = Claim::File("src/auth.rs".into());
        check(&file, &Evidence::NotLooked, "unknown");
        check(&file, &Evidence::Sought { now: None, before: Before::Never }, "unknown");
        check(&file, &Evidence::Sought { now: None, before: Before::NotLooked }, "unknown");
        check(&file, &Evidence::Stated(vec![stated("a", "src/auth.rs", "1", Manner::Dependency)]), "unknown");
        check(&version("react", "18"), &Evidence::Stated(Vec::new()), "unknown");
    }

    #[test]
    fn a_version_is_gone_only_if_every_statement_is_another() {
        use Manner::*;
        let react = |asks: &str| stated("package.json", "react", asks, Dependency);
        for (claim, all, expected) in [
            (version("react", "18"), vec![react("^18.2.0")], "holds"),
            (version("react", "18"), vec![react("^19.0.0")], "package.json asks for react ^19.0.0"),
            (version("react", "18"), vec![react("^19.0.0"), react("^18.0.0")], "holds"),
            (version("react", "18"), vec![react("latest")], "unknown"),
            (version("react", "18"), vec![stated("package.json", "preact", "^10", Dependency)], "unknown"),
            (
                version("rayon", "1.38"),
                vec![
                    stated("Cargo.lock", "rayon", "1.54.1", Lock),
                    stated("Cargo.toml", "rayon", "^1.50", Dependency),
                ],
                "Cargo.toml asks for rayon ^1.50 and Cargo.lock has rayon 1.54.1",
            ),
            // The client library of a server has versions of its own.
            (version("redis", "7"), vec![stated("package.json", "redis", "^4.6.0", Dependency)], "unknown"),
            (version("redis", "7"), vec![stated("compose.yml", "redis", "7.2-alpine", Image)], "holds"),
            (
                version("redis", "6"),
                vec![stated("compose.yml", "redis", "7", Image)],
                "compose.yml asks for redis 7",
            ),
            (
                version("python", "3.12"),
                vec![stated("pyproject.toml", "python", ">=3.10", Toolchain)],
                "holds",
            ),
            (
                version("edition", "2021"),
                vec![stated("Cargo.toml", "edition", "2024", Toolchain)],
                "Cargo.toml asks for edition 2024",
            ),
        ] {
            check(&claim, &Evidence::Stated(all), expected);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

        #[test]
        fn what_is_there_now_holds_whatever_was_before(file in "[a-z/]{1,12}", was in 0..3u8) {
            let before = match was {
                0 => Before::Never,
                1 => Before::NotLooked,
                _ => Before::Lost(Loss { file: file.clone(), renamed_to: None, commit: None }),
            };
            let evidence = Evidence::Sought { now: Some(file.clone()), before };
            prop_assert_eq!(judge(&Claim::File(file), &evidence), Finding::Holds);
        }
    }
}
