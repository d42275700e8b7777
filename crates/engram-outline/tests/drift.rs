//! What memories claim of a real repository whose files are renamed, deleted
//! and edited: every claim that died is gone, and none that lives.

use engram_core::drift::{Before, Claim, CommandClaim, Evidence, Finding, Runner, claims_in, judge};
use engram_outline::{Ground, GroundError, Limits};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

fn git(root: &Path, words: &[&str]) {
    let done = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=trunk"])
        .args(words)
        .env("GIT_COMMITTER_DATE", "2026-05-02T10:00:00Z")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

fn write(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn commit(root: &Path, subject: &str) {
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "--allow-empty", "-m", subject]);
}

/// A project as the memories knew it.
fn project(root: &Path) {
    fs::create_dir_all(root).unwrap();
    let body = "fn load_orders() {\n    let book = OrderBook::open();\n    book.settle(3);\n}\n";
    write(root, "src/orders.rs", &format!("pub struct OrderBook;\n{body}// one\n// two\n// three\n"));
    write(root, "src/legacy.rs", "pub fn old_import() {}\n");
    write(
        root,
        "src/auth.rs",
        "pub struct TokenStore;\nimpl TokenStore { pub fn rotate() {} pub fn revoke_all() {} }\n",
    );
    write(root, "src/routes/list.rs", "pub fn list_all() -> u8 { 1 }\npub const LIST_LIMIT: u8 = 9;\n");
    write(root, "src/keep.rs", "pub fn stay_here() {}\npub const RETRY_LIMIT: u8 = 3;\n");
    write(root, "scripts/reset.sh", "echo reset\n");
    write(
        root,
        "Makefile",
        "all: build\nbuild:\n\tcargo build\nseed:\n\t./scripts/reset.sh\nlint:\n\techo\n",
    );
    write(root, "justfile", "ship:\n  echo\n");
    write(
        root,
        "package.json",
        r#"{"scripts": {"e2e": "x", "build": "y"}, "dependencies": {"react": "^18.2.0", "redis": "^4.6.0", "vite": "^5.1.0"}}"#,
    );
    write(
        root,
        "Cargo.toml",
        "[package]\nname = \"a\"\nedition = \"2021\"\n[dependencies]\ntokio = \"1.38\"\n",
    );
    write(root, ".nvmrc", "20.11.1\n");
    write(root, "config/app.yaml", "listen: 8080\nmetrics: 9090\n");
    write(root, "README.md", "The OrderBook, `old_import` and the `TokenStore::rotate` of this project.\n");
    write(root, "CHANGELOG.md", "Port 8080 and old_import were there from the beginning.\n");
}

/// What happened to it since.
fn later(root: &Path) {
    git(root, &["mv", "src/orders.rs", "src/book.rs"]);
    git(root, &["mv", "src/routes", "src/pages"]);
    commit(root, "rename the book and the routes");
    git(root, &["rm", "-q", "src/legacy.rs", "scripts/reset.sh"]);
    commit(root, "remove the old import");
    write(
        root,
        "src/auth.rs",
        "pub struct TokenStore;\nimpl TokenStore { pub fn renew() {} pub fn revoke_all() {} }\n",
    );
    write(
        root,
        "Makefile",
        "all: build\nbuild:\n\tcargo build\nlint:\n\techo\n# seed the database by hand\n",
    );
    write(
        root,
        "package.json",
        r#"{"scripts": {"build": "y"}, "dependencies": {"react": "^19.0.0", "redis": "^4.6.0", "vite": "^5.1.0"}}"#,
    );
    write(
        root,
        "Cargo.toml",
        "[package]\nname = \"a\"\nedition = \"2024\"\n[dependencies]\ntokio = \"1.38\"\n",
    );
    write(root, "config/app.yaml", "listen: 8443\nmetrics: 9090\n");
    commit(root, "edit");
}

fn repository() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("repo");
    project(&root);
    git(&root, &["init", "-q"]);
    commit(&root, "begin");
    later(&root);
    (folder, root)
}

/// The ids of commits are chance; the rest of a reason is not.
fn told(claim: &Claim, evidence: &Evidence) -> String {
    match judge(claim, evidence) {
        Finding::Holds => "holds".to_owned(),
        Finding::Unknown => "unknown".to_owned(),
        Finding::Gone { reason } => match reason.split_once(" in ") {
            Some((what, when)) if when.ends_with("(2026-05-02)") => format!("gone: {what}"),
            _ => format!("gone: {reason}"),
        },
    }
}

fn found(root: &Path, claims: &[Claim]) -> Vec<String> {
    let mut ground = Ground::open(root, Limits::default()).unwrap().unwrap();
    let evidence = ground.evidence_for(claims).unwrap();
    assert_eq!(evidence.len(), claims.len());
    claims.iter().zip(&evidence).map(|(claim, evidence)| told(claim, evidence)).collect()
}

/// Each text makes one claim, and that is looked up.
#[track_caller]
fn check(root: &Path, table: &[(&str, &str)]) {
    let claims: Vec<Claim> = table
        .iter()
        .map(|(text, _)| match &claims_in(text)[..] {
            [claim] => claim.clone(),
            other => panic!("{text}: {other:?}"),
        })
        .collect();
    let found = found(root, &claims);
    let wrong: Vec<String> = table
        .iter()
        .zip(&found)
        .filter(|((_, expected), found)| expected != found)
        .map(|((text, expected), found)| format!("{text}\n  found    {found}\n  expected {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_claim_that_died_is_gone_and_none_that_lives() {
    let (_folder, root) = repository();
    check(
        &root,
        &[
            ("the open orders are in src/orders.rs", "gone: src/orders.rs was renamed to src/book.rs"),
            ("the pages are served from src/routes/", "gone: src/routes was renamed to src/pages"),
            ("imports go through src/legacy.rs", "gone: src/legacy.rs was deleted"),
            ("legacy.rs reads the feed", "gone: src/legacy.rs was deleted"),
            ("run ./scripts/reset.sh between tests", "gone: scripts/reset.sh was deleted"),
            (
                "the function `old_import` reads the feed",
                "gone: no file of the project names `old_import` any more; src/legacy.rs lost it",
            ),
            (
                "`TokenStore::rotate` changes the key",
                "gone: no file of the project names `TokenStore::rotate` any more; src/auth.rs lost it",
            ),
            (
                "fill the database with `make seed`",
                "gone: no file of the project defines `make seed` any more; Makefile lost it",
            ),
            (
                "`npm run e2e` needs a browser",
                "gone: no file of the project defines `npm run e2e` any more; package.json lost it",
            ),
            ("the frontend uses react 18", "gone: package.json asks for react ^19.0.0"),
            ("the crate is on edition 2021", "gone: Cargo.toml asks for edition 2024"),
            (
                "the api listens on port 8080",
                "gone: no file of the project names port 8080 any more; config/app.yaml lost it",
            ),
            (
                "api 8080 portunda çalışıyor",
                "gone: no file of the project names port 8080 any more; config/app.yaml lost it",
            ),
            ("siparişler src/orders.rs dosyasında", "gone: src/orders.rs was renamed to src/book.rs"),
            // These live.
            ("the open orders are in src/book.rs", "holds"),
            ("book.rs holds the orders", "holds"),
            ("src/pages/ has one file for each page", "holds"),
            ("the function `load_orders` opens the book", "holds"),
            ("`OrderBook` is what is traded", "holds"),
            ("`TokenStore::revoke_all` ends all sessions", "holds"),
            ("the constant RETRY_LIMIT is small", "holds"),
            ("`make lint` comes first", "holds"),
            ("`just ship` releases", "holds"),
            ("`npm run build` bundles", "holds"),
            ("metrics are on port 9090", "holds"),
            ("the build runs on node 20.11", "holds"),
            ("we use vite 5", "holds"),
            ("tokio = 1.38 in the manifest", "holds"),
            ("the api listens on port 8443", "holds"),
            // Of these the project knows nothing.
            ("the limits are in src/limits.rs", "unknown"),
            ("`Ledger::post_all` books it", "unknown"),
            ("`make deploy` asks first", "unknown"),
            ("the queue runs on port 5672", "unknown"),
            ("production is on redis 7", "unknown"),
            ("the site uses svelte 4", "unknown"),
        ],
    );
}

#[test]
fn what_is_not_committed_counts_as_well() {
    let (_folder, root) = repository();
    fs::remove_file(root.join("src/keep.rs")).unwrap();
    git(&root, &["mv", "src/book.rs", "src/ledger.rs"]);
    write(&root, "justfile", "publish:\n  echo\n");
    write(&root, "src/fresh.rs", "pub fn brand_new() {}\n");
    check(
        &root,
        &[
            ("src/keep.rs has the limits", "gone: src/keep.rs was deleted, which is not committed"),
            (
                "the orders are in src/book.rs",
                "gone: src/book.rs was renamed to src/ledger.rs, which is not committed",
            ),
            (
                "`stay_here()` waits",
                "gone: no file of the project names `stay_here` any more; src/keep.rs lost it in an edit that is not committed",
            ),
            (
                "`just ship` releases",
                "gone: no file of the project defines `just ship` any more; justfile lost it in an edit that is not committed",
            ),
            ("`brand_new()` is there", "holds"),
            ("src/fresh.rs is there", "holds"),
            ("`just publish` releases", "holds"),
            ("`load_orders()` opens the book", "holds"),
        ],
    );
}

#[test]
fn a_project_may_be_a_folder_of_a_repository() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("mono");
    let part = root.join("apps/shop");
    project(&part);
    write(&root, "src/legacy.rs", "pub fn old_import() {}\nconst PORT: u16 = 8080;\n");
    git(&root, &["init", "-q"]);
    commit(&root, "begin");
    later(&part);
    check(
        &part,
        &[
            ("the open orders are in src/orders.rs", "gone: src/orders.rs was renamed to src/book.rs"),
            // The same path above the project is no file of it.
            ("imports go through src/legacy.rs", "gone: src/legacy.rs was deleted"),
            (
                "`old_import()` reads the feed",
                "gone: no file of the project names `old_import` any more; src/legacy.rs lost it",
            ),
            (
                "fill the database with `make seed`",
                "gone: no file of the project defines `make seed` any more; Makefile lost it",
            ),
            (
                "the api listens on port 8080",
                "gone: no file of the project names port 8080 any more; config/app.yaml lost it",
            ),
            ("src/book.rs has the orders", "holds"),
        ],
    );
}

#[test]
fn a_merge_takes_things_away_like_any_commit() {
    let (_folder, root) = repository();
    git(&root, &["checkout", "-q", "-b", "side"]);
    git(&root, &["rm", "-q", "src/keep.rs"]);
    commit(&root, "remove on the side");
    git(&root, &["checkout", "-q", "trunk"]);
    write(&root, "src/other.rs", "\n");
    commit(&root, "meanwhile");
    git(&root, &["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    check(
        &root,
        &[
            ("src/keep.rs has the limits", "gone: src/keep.rs was deleted"),
            (
                "`stay_here()` waits",
                "gone: no file of the project names `stay_here` any more; src/keep.rs lost it",
            ),
        ],
    );
}

#[test]
fn a_shallow_clone_knows_no_history() {
    let (folder, root) = repository();
    let shallow = folder.path().join("shallow");
    let source = format!("file://{}", root.display());
    git(folder.path(), &["clone", "-q", "--depth", "1", &source, shallow.to_str().unwrap()]);
    check(
        &shallow,
        &[
            ("imports go through src/legacy.rs", "unknown"),
            ("`old_import()` reads the feed", "unknown"),
            ("fill the database with `make seed`", "unknown"),
            ("the api listens on port 8080", "unknown"),
            ("the open orders are in src/book.rs", "holds"),
            // What the manifests state needs no history.
            ("the frontend uses react 18", "gone: package.json asks for react ^19.0.0"),
        ],
    );
}

#[test]
fn without_commits_or_without_git_nothing_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("fresh");
    project(&root);
    assert!(Ground::open(&root, Limits::default()).unwrap().is_none());
    let claims = [
        Claim::File("src/auth.rs".into()),
        Claim::File("src/nowhere.rs".into()),
        Claim::File("../fresh/src/auth.rs".into()),
        Claim::Port(8080),
    ];
    let evidence = Ground::plain(&root, Limits::default()).unwrap().evidence_for(&claims).unwrap();
    let seen: Vec<String> =
        claims.iter().zip(&evidence).map(|(claim, evidence)| told(claim, evidence)).collect();
    assert_eq!(seen, ["holds", "unknown", "unknown", "unknown"]);

    git(&root, &["init", "-q"]);
    assert_eq!(found(&root, &claims), ["holds", "unknown", "unknown", "holds"]);
    let missing = root.join("missing");
    assert_eq!(
        Ground::open(&missing, Limits::default()).unwrap_err(),
        GroundError::NoFolder(missing.clone())
    );
}

#[test]
fn searches_that_are_spent_or_take_too_long_leave_claims_unknown() {
    let (_folder, root) = repository();
    let claims = [Claim::File("src/legacy.rs".into()), Claim::Symbol("old_import".into())];
    let one = Limits { searches: 1, ..Limits::default() };
    let mut ground = Ground::open(&root, one).unwrap().unwrap();
    let evidence = ground.evidence_for(&claims).unwrap();
    assert!(matches!(&evidence[0], Evidence::Sought { now: None, before: Before::Lost(_) }), "{evidence:?}");
    assert_eq!(evidence[1], Evidence::Sought { now: None, before: Before::NotLooked });

    let mut none = Ground::open(&root, Limits { answer: Duration::ZERO, searches: 9 }).unwrap();
    assert!(none.is_none(), "git is not waited for");
    none = Ground::open(&root, Limits { searches: 0, ..Limits::default() }).unwrap();
    let evidence = none.unwrap().evidence_for(&claims).unwrap();
    assert_eq!(evidence, vec![Evidence::Sought { now: None, before: Before::NotLooked }; 2]);
}

#[test]
fn names_that_mean_something_to_git_or_lead_outside_are_harmless() {
    let (folder, root) = repository();
    fs::write(folder.path().join("secret.rs"), "").unwrap();
    std::os::unix::fs::symlink("..", root.join("up")).unwrap();
    let command = |name: &str| Claim::Command(CommandClaim { runner: Runner::Make, name: name.to_owned() });
    let claims = [
        Claim::File("--output=x".into()),
        Claim::File(":(top)src/legacy.rs".into()),
        Claim::File("../secret.rs".into()),
        Claim::File("up/secret.rs".into()),
        Claim::File("/etc/passwd".into()),
        Claim::File("src/*.rs".into()),
        Claim::File("src/[l]egacy.rs".into()),
        Claim::File("".into()),
        Claim::Symbol("--all".into()),
        Claim::Symbol(".*".into()),
        Claim::Symbol("a::".into()),
        command("--file=x"),
        command("$(x)"),
        command("se.d"),
    ];
    let before: Vec<_> = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(found(&root, &claims), vec!["unknown"; claims.len()]);
    let after: Vec<_> = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(before, after);
}

#[test]
fn what_is_too_large_to_be_read_still_lives() {
    let (_folder, root) = repository();
    let large = format!("pub fn old_import() {{}}\n{}", "// filler\n".repeat(80_000));
    write(&root, "src/large.rs", &large);
    check(&root, &[("`old_import()` reads the feed", "holds")]);
}

#[test]
fn computed_targets_and_sparse_trees_make_nobody_sure() {
    let (_folder, root) = repository();
    write(&root, "Makefile", "NAMES = seed\n$(NAMES):\n\techo\n");
    check(&root, &[("fill the database with `make seed`", "unknown")]);

    let (_folder, root) = repository();
    git(&root, &["sparse-checkout", "set", "--no-cone", "/config"]);
    check(
        &root,
        &[
            ("the orders are in src/book.rs", "holds"),
            ("`stay_here()` waits", "unknown"),
            ("`just ship` releases", "unknown"),
            ("src/legacy.rs reads the feed", "gone: src/legacy.rs was deleted"),
        ],
    );
}
