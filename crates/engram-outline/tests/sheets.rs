//! The short texts: complete, bounded and always the same.

use engram_outline::{
    EntryPoint, FileOutline, ItemKind, Language, SHEET_CHARS, Signature, Snapshot, compress, outline_of,
    plan_refresh,
};
use expect_test::expect;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn a_small_code_base_in_four_sheets() {
    let files = [
        ("README.md", "# Scales\n"),
        (
            "src/lib.rs",
            "//! Weighs things.\n/// Weighs.\npub fn weigh() {}\npub struct Scale;\nimpl Scale { pub fn read(&self) {} }\n",
        ),
        ("src/law/heavy.rs", "pub const LIMIT: u32 = 1;\n"),
        ("src/law/quiet.rs", "fn a() {}\n"),
        ("src/main.rs", "fn main() {}\n"),
    ];
    let after = files.iter().map(|(path, text)| ((*path).to_owned(), text.len().to_string())).collect();
    let texts: BTreeMap<&str, &str> = files.into_iter().collect();
    let mut snapshot = Snapshot::default();
    snapshot.apply_refresh(after, |path| texts.get(path).map(|text| (*text).to_owned()));
    let told: Vec<String> =
        snapshot.sheets().into_iter().map(|sheet| format!("[{}]\n{}\n", sheet.key, sheet.text)).collect();
    expect![[r#"
        [tree]
        file tree: 5 files (4 Rust, 1 Markdown)
        at the root: README.md
        src/ 2 Rust
        src/law/ 2 Rust

        [entry points]
        entry points
        README.md
          title: Scales
        src/main.rs
          Rust program

        [folder src]
        folder src
        lib.rs: Weighs things.
          fn weigh() // Weighs.
          struct Scale
            fn read(&self)
        main.rs: nothing public

        [folder src/law]
        folder src/law
        heavy.rs
          const LIMIT: u32
        quiet.rs: nothing public
    "#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn a_method_stands_below_its_type_on_every_sheet() {
    let methods: String = (0..50)
        .map(|at| format!("pub fn method_number_{at}(&self, argument: u32) -> u32 {{ 1 }}\n"))
        .collect();
    let outline = outline_of("a.rs", &format!("pub struct A;\nimpl A {{ {methods} }}")).unwrap();
    let sheets = compress(&[outline], &[], &[]);
    assert!(sheets.len() > 1);
    let keys: Vec<&str> = sheets.iter().map(|sheet| sheet.key.as_str()).collect();
    assert!(keys.starts_with(&["folder .", "folder . 2"]), "{keys:?}");
    assert!(
        sheets[1].text.starts_with("folder ., part 2\na.rs (continued)\n  A:\n    fn method_number_"),
        "{}",
        sheets[1].text
    );
}

#[test]
fn a_long_file_says_how_much_is_missing() {
    let text: String = (0..100).map(|at| format!("pub fn f{at}() {{}}\n")).collect();
    let sheets = compress(&[outline_of("a.rs", &text).unwrap()], &[], &[]);
    assert!(sheets.last().unwrap().text.ends_with("\n  and 40 more"));
}

#[test]
fn a_huge_code_base_is_told_in_less_detail() {
    let text: String = (0..40)
        .map(|at| format!("/// Does a thing.\npub fn function_number_{at}(argument: u32) {{}}\n"))
        .collect();
    let files: Vec<FileOutline> =
        (0..2_000).map(|at| outline_of(&format!("src/f{}/a{at}.rs", at / 100), &text).unwrap()).collect();
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    let sheets = compress(&files, &[], &paths);
    assert!(sheets.len() < 600, "{}", sheets.len());
    let folder = sheets.iter().find(|sheet| sheet.key == "folder src/f1").unwrap();
    assert!(folder.text.starts_with("folder src/f1, names only\n"), "{}", folder.text);
    assert!(folder.text.contains(" more"));
}

#[test]
fn only_what_changed_is_read_again() {
    let prints = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
        pairs.iter().map(|(path, print)| ((*path).to_owned(), (*print).to_owned())).collect()
    };
    let before = prints(&[("a.rs", "1"), ("b.rs", "1"), ("c.rs", "1")]);
    let after = prints(&[("a.rs", "1"), ("b.rs", "2"), ("d.rs", "1")]);
    let refresh = plan_refresh(&before, &after);
    assert_eq!(refresh.read, ["b.rs", "d.rs"]);
    assert_eq!(refresh.gone, ["c.rs"]);
    assert!(plan_refresh(&after, &after).is_empty());

    let mut snapshot = Snapshot::default();
    snapshot.apply_refresh(before, |path| Some(format!("pub fn old_{}() {{}}", &path[..1])));
    let mut asked = Vec::new();
    snapshot.apply_refresh(after, |path| {
        asked.push(path.to_owned());
        (path != "d.rs").then(|| "pub fn new_b() {}".to_owned())
    });
    assert_eq!(asked, ["b.rs", "d.rs"]);
    let told: String = snapshot.sheets().into_iter().map(|sheet| sheet.text).collect();
    assert!(
        told.contains("old_a")
            && told.contains("new_b")
            && !told.contains("old_b")
            && !told.contains("old_c")
    );
    // Unreadable is not gone: it is counted.
    assert!(told.contains("a.rs, b.rs, d.rs"), "{told}");
}

fn signature() -> impl Strategy<Value = Signature> {
    let kinds = [ItemKind::Function, ItemKind::Type, ItemKind::Method, ItemKind::Constant];
    (
        proptest::sample::select(kinds.to_vec()),
        "[a-zü]{1,12}",
        proptest::option::of("[A-Z]{1,3}"),
        "[a-z (),ü]{1,200}",
        proptest::option::of("[a-z ]{1,110}"),
    )
        .prop_map(|(kind, name, owner, text, about)| Signature { kind, name, owner, text, about })
}

fn file() -> impl Strategy<Value = FileOutline> {
    let path = "([a-c]{1,2}/){0,5}[a-z]{1,8}\\.rs";
    (path, proptest::option::of("[a-z: ]{1,100}"), proptest::collection::vec(signature(), 0..70)).prop_map(
        |(path, about, signatures)| FileOutline { path, language: Language::Rust, about, signatures },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_file_is_told_in_bounded_sheets_with_keys_of_their_own(
        files in proptest::collection::vec(file(), 0..8),
        entries in proptest::collection::vec(("[a-c/]{1,20}", "[a-zü ]{1,160}"), 0..30),
    ) {
        let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
        let entries: Vec<EntryPoint> =
            entries.into_iter().map(|(path, text)| EntryPoint { path, text }).collect();
        let sheets = compress(&files, &entries, &paths);
        let told: BTreeSet<&String> =
            sheets.iter().filter(|sheet| sheet.key.starts_with("folder")).flat_map(|sheet| &sheet.files).collect();
        prop_assert_eq!(told, paths.iter().collect::<BTreeSet<_>>());
        for one in &entries {
            prop_assert!(sheets.iter().any(|sheet| sheet.key.starts_with("entry points") && sheet.files.contains(&one.path)));
        }
        let keys: BTreeSet<&str> = sheets.iter().map(|sheet| sheet.key.as_str()).collect();
        prop_assert_eq!(keys.len(), sheets.len());
        for sheet in &sheets {
            prop_assert!(sheet.text.chars().count() <= SHEET_CHARS, "{} {}", sheet.key, sheet.text.chars().count());
        }
    }

    #[test]
    fn the_order_of_the_input_changes_nothing(files in proptest::collection::btree_map("[a-c]/[a-z]{1,4}", file(), 0..5)) {
        let files: Vec<FileOutline> =
            files.into_iter().map(|(path, file)| FileOutline { path, ..file }).collect();
        let mut turned = files.clone();
        turned.reverse();
        let paths = |files: &[FileOutline]| files.iter().map(|file| file.path.clone()).collect::<Vec<_>>();
        prop_assert_eq!(compress(&files, &[], &paths(&files)), compress(&turned, &[], &paths(&turned)));
    }

    #[test]
    fn a_tree_of_any_shape_fits(paths in proptest::collection::vec("([a-zü]{1,30}/){0,7}[a-z]{1,40}(\\.rs|\\.md)?", 0..300)) {
        for sheet in compress(&[], &[], &paths) {
            prop_assert!(sheet.text.chars().count() <= SHEET_CHARS);
        }
    }
}
