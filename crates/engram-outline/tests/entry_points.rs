//! What is found to run.

use engram_outline::entry_points_of;
use expect_test::{Expect, expect};

fn check(path: &str, text: &str, expected: Expect) {
    let told: Vec<String> = entry_points_of(path, text).into_iter().map(|one| one.text).collect();
    expected.assert_eq(&told.join("\n"));
}

#[test]
fn manifests_name_their_programs_and_scripts() {
    check(
        "Cargo.toml",
        "[workspace]\nmembers = [\"crates/*\", \"eval\"]\n[package]\nname = \"a\"\n[[bin]]\nname = \"b\"\n",
        expect![[r#"
            cargo workspace of crates/*, eval
            cargo run -p a --bin b"#]],
    );
    check(
        "package.json",
        r#"{"name":"a","main":"index.js","bin":{"b":"cli.js"},"scripts":{"test":"vitest run","build":"tsc -p ."}}"#,
        expect![[r#"
            a begins at index.js
            program b: cli.js
            npm run test: vitest run
            npm run build: tsc -p ."#]],
    );
    check(
        "pyproject.toml",
        "[project.scripts]\na = \"a.cli:main\"\n[tool.poetry.scripts]\nb = \"b:run\"\n",
        expect![[r#"
            program a: a.cli:main
            program b: b:run"#]],
    );
    check(
        "Makefile",
        "CC := gcc\n.PHONY: all\nall: build\nbuild test: x.o\n\tgcc\n%.o: %.c\n\tgcc\nx.o:\nall: more\n",
        expect![[r#"
            make all
            make build
            make test"#]],
    );
    check(
        "Dockerfile",
        "FROM a\nRUN b\nENTRYPOINT [\"a\"]\nCMD [\"--b\"]\n",
        expect![[r#"
        container: ENTRYPOINT ["a"]
        container: CMD ["--b"]"#]],
    );
    check(".github/workflows/ci.yml", "name: \"Checks\"\non: push\n", expect!["workflow Checks"]);
    check("README.md", "\n<img>\n\n# The thing\n\n# More", expect!["title: The thing"]);
    check("README.rst", "The thing\n=========\n", expect!["title: The thing"]);
}

#[test]
fn main_functions_are_found() {
    check("src/main.rs", "//! Runs it.\nfn main() {}\n", expect!["Rust program: Runs it."]);
    check("cmd/a/main.go", "package main\n\nfunc main() {}\n", expect!["go run ./cmd/a"]);
    check("src/a/__main__.py", "run()\n", expect!["python -m a"]);
    check("a.py", "if __name__ == \"__main__\":\n    run()\n", expect!["python a.py"]);
    check("A.java", "class A {\n  public static void main(String[] a) {}\n}\n", expect!["Java program"]);
    check("a.c", "int main(int argc, char **argv) { }\n", expect!["C program"]);
}

#[test]
fn what_runs_nothing_names_nothing() {
    check("build.rs", "fn main() {}\n", expect![[""]]);
    check("src/lib.rs", "pub fn a() {}\n", expect![[""]]);
    check("Cargo.toml", "[package\n", expect![[""]]);
    check("package.json", "{", expect![[""]]);
    check("node_modules/a/package.json", r#"{"main":"a"}"#, expect![[""]]);
}

#[test]
fn a_long_list_says_how_much_is_missing() {
    let text: String = (0..40).map(|at| format!("t{at}:\n")).collect();
    let told = entry_points_of("Makefile", &text);
    assert_eq!(told.len(), 31);
    assert_eq!(told[30].text, "and 10 more targets");
}
