//! The invariants of ARCHITECTURE.md, executed: mostly about what must be
//! absent.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every Rust file of the workspace, with its path from the root.
fn sources() -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("target") {
                walk(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    for folder in ["crates", "eval"] {
        walk(&root().join(folder), &mut found);
    }
    found.sort();
    let sources: Vec<(String, String)> = found
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    assert!(sources.len() > 30, "the sources were not found");
    sources
}

/// What is fetched here is fetched for this platform only.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

/// What each package of ours links, directly and through others.
fn links() -> BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", &host()])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let names: BTreeMap<String, String> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| (text(&package["id"]), text(&package["name"])))
        .collect();
    let edges: BTreeMap<String, Vec<String>> = metadata["resolve"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| {
            let linked = node["deps"].as_array().unwrap().iter().filter(|dependency| {
                let kinds = dependency["dep_kinds"].as_array().unwrap();
                kinds.iter().any(|kind| kind["kind"].is_null())
            });
            (text(&node["id"]), linked.map(|dependency| text(&dependency["pkg"])).collect())
        })
        .collect();
    let ours = names.iter().filter(|(_, name)| name.starts_with("engram-"));
    ours.map(|(id, name)| {
        let direct = edges[id].iter().map(|linked| names[linked].clone()).collect();
        let mut all = BTreeSet::new();
        let mut open = vec![id.clone()];
        while let Some(next) = open.pop() {
            for linked in &edges[&next] {
                if all.insert(names[linked].clone()) {
                    open.push(linked.clone());
                }
            }
        }
        (name.clone(), (direct, all))
    })
    .collect()
}

#[test]
fn only_the_store_the_daemon_and_the_evaluation_link_the_database() {
    let with_database: Vec<String> = links()
        .into_iter()
        .filter(|(_, (_, all))| all.iter().any(|name| name.starts_with("surreal")))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(with_database, ["engram-daemon", "engram-eval", "engram-store"]);
}

#[test]
fn only_the_store_names_the_database() {
    for (name, (direct, _)) in links() {
        let names_it = direct.iter().any(|linked| linked.starts_with("surreal"));
        assert_eq!(names_it, name == "engram-store" || name == "engram-eval", "{name}");
    }
}

#[test]
fn only_the_outline_names_the_grammars() {
    for (name, (direct, _)) in links() {
        let names_them = direct.iter().any(|linked| linked.starts_with("tree-sitter"));
        assert_eq!(names_them, name == "engram-outline", "{name}");
    }
}

#[test]
fn only_the_crate_of_the_protocol_names_it() {
    for (name, (direct, _)) in links() {
        let names_it = direct.iter().any(|linked| linked.starts_with("rmcp"));
        assert_eq!(names_it, name == "engram-mcp", "{name}");
    }
}

#[test]
fn only_the_seal_names_age() {
    for (name, (direct, all)) in links() {
        assert_eq!(direct.contains("age"), name == "engram-seal", "{name}");
        // The client is started by every hook.
        assert!(name != "engram-cli" || !all.contains("age"), "{name}");
    }
}

#[test]
fn only_those_who_serve_http_name_its_server() {
    for (name, (direct, _)) in links() {
        let serves = ["engram-daemon", "engram-mcp", "engram-web"].contains(&name.as_str());
        assert_eq!(direct.contains("axum"), serves, "{name}");
    }
}

#[test]
fn only_the_screen_draws_on_a_terminal() {
    let mut drawing = 0;
    for (name, text) in sources() {
        if name.starts_with("crates/engram-cli/src/screen/") {
            drawing += usize::from(text.contains("ratatui"));
        } else if !name.ends_with("tests/tidy.rs") {
            assert!(!text.contains("ratatui"), "{name} names the library of the screen");
        }
    }
    assert!(drawing > 0);
}

#[test]
fn dependencies_point_one_way() {
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("engram-core", &[][..]),
        ("engram-guard", &[]),
        ("engram-seal", &[]),
        ("engram-outline", &["engram-core"]),
        ("engram-index", &["engram-core"]),
        ("engram-maps", &["engram-core"]),
        ("engram-store", &["engram-core"]),
        ("engram-providers", &["engram-core"]),
        ("engram-wire", &["engram-core"]),
        ("engram-mcp", &["engram-core", "engram-wire"]),
        ("engram-web", &["engram-core", "engram-wire"]),
        ("engram-engine", &["engram-core", "engram-guard", "engram-index"]),
        ("engram-cli", &["engram-core", "engram-guard", "engram-wire"]),
        (
            "engram-daemon",
            &[
                "engram-core",
                "engram-engine",
                "engram-guard",
                "engram-index",
                "engram-maps",
                "engram-mcp",
                "engram-outline",
                "engram-providers",
                "engram-seal",
                "engram-store",
                "engram-web",
                "engram-wire",
            ],
        ),
    ]);
    let links = links();
    for (name, allowed) in allowed {
        let (direct, _) = &links[name];
        for linked in direct.iter().filter(|linked| linked.starts_with("engram-")) {
            assert!(allowed.contains(&linked.as_str()), "{name} must not depend on {linked}");
        }
    }
}

#[test]
fn no_clock_and_no_environment_below_the_binaries() {
    let pure = [
        "core",
        "guard",
        "index",
        "maps",
        "outline",
        "seal",
        "store",
        "providers",
        "engine",
        "wire",
        "mcp",
        "web",
    ];
    let forbidden = [
        "Timestamp::now",
        "Zoned::now",
        "SystemTime::now",
        "Instant::now",
        "time::now",
        "std::env",
        "env::var",
        "home_dir",
    ];
    let mut looked = 0;
    for (name, text) in sources() {
        if !pure.iter().any(|room| name.starts_with(&format!("crates/engram-{room}/src"))) {
            continue;
        }
        looked += 1;
        for word in forbidden {
            assert!(!text.contains(word), "{name} uses {word}; time and environment are arguments");
        }
    }
    assert!(looked > 20);
    let schema = fs::read_dir(root().join("crates/engram-store/migrations")).unwrap().flatten();
    for file in schema {
        let text = fs::read_to_string(file.path()).unwrap();
        assert!(!text.contains("time::now"), "{:?} takes its own time", file.path());
    }
}

#[test]
fn what_only_thinks_does_no_io_and_is_not_async() {
    for (name, text) in sources() {
        // The one room of the outline that asks git and reads files.
        if name == "crates/engram-outline/src/git.rs" {
            continue;
        }
        if ["core", "guard", "index", "maps", "outline"]
            .iter()
            .any(|room| name.starts_with(&format!("crates/engram-{room}/src")))
        {
            for word in ["std::fs", "std::net", "std::process", "tokio", "async fn"] {
                assert!(!text.contains(word), "{name} uses {word}");
            }
        }
    }
}

#[test]
fn every_module_says_what_it_owns() {
    for (name, text) in sources() {
        assert!(text.starts_with("//! "), "{name} does not begin with what it owns");
    }
}

#[test]
fn no_file_is_too_long_to_read() {
    for (name, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= 1_000, "{name} has {lines} lines");
    }
}

#[test]
fn names_say_what_a_thing_is() {
    let empty_words = ["manager", "utils", "helper", "smart", "advanced", "_v2"];
    for (name, text) in sources() {
        if name.ends_with("tests/tidy.rs") {
            continue;
        }
        // Names that rmcp and npm give.
        let lower = text.replace("NeverSessionManager", "").replace("packageManager", "").to_lowercase();
        for word in empty_words {
            assert!(!name.contains(word) && !lower.contains(word), "{name} says \"{word}\"");
        }
    }
}

#[test]
fn every_decision_and_law_is_written_down() {
    for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/glossary.md", "docs/data-model.md"]
    {
        let text = fs::read_to_string(root().join(page)).unwrap_or_default();
        assert!(text.lines().count() > 10, "{page} is missing");
        assert!(page != "ARCHITECTURE.md" || text.lines().count() < 300, "{page} is too long");
    }
    let glossary = fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let words = engram_core::Kind::ALL
        .iter()
        .map(|word| word.as_str())
        .chain(engram_core::Status::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::Scope::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::Tier::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::Cause::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::ask::Trivial::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::ask::Intent::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::ask::QueryType::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::claim::Why::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::claim::Doubt::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::form::Step::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::observe::Role::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::observe::Skipped::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::observe::EntityKind::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::observe::Feeling::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::turn::EventType::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::turn::Authority::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::decision::Action::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::decision::Ruling::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::advice::DecidedBy::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::drift::Runner::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::drift::Manner::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::law::Model::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::law::Grade::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::law::ImportanceTable::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::law::ArchivalRule::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::law::TierReason::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::law::SubTier::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::vector::Precision::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::used::Outcome::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::graph::BondKind::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::dream::Step::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::dream::Depth::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::dream::DreamTrigger::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::dream::SummaryMethod::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::dream::ConsolidationMethod::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::dream::RequestStatus::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::RelationKind::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::recalled::Surface::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::recalled::Arm::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::used::EvidenceSource::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::learn::Subject::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::learn::LearningState::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::learn::Keeping::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::evolve::Criteria::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::evolve::Priority::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::evolve::Evolving::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::reflect::InsightType::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::days::Happened::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::skill::SkillMode::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::team::Role::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::team::Told::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::team::Reviewers::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::team::Rulers::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::team::OperatorLevel::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::team::FarSearch::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::team::SharingRule::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::personal::Treatment::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::audit::Deed::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::audit::Flaw::ALL.iter().map(|word| word.as_str()))
        .chain(engram_core::budget::Behaviour::ALL.iter().map(|word| word.as_str()));
    for word in words {
        assert!(glossary.contains(&format!("`{word}`")), "the glossary does not know `{word}`");
    }
}
