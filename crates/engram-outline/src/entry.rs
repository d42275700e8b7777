//! What a newcomer would run: programs, scripts, targets, and what the code
//! base calls itself.
//!
//! Knows the manifests of the common tools and how a main function begins in
//! each language. A manifest that cannot be parsed says nothing.

use crate::about::first_sentence;
use crate::{Language, why_skipped};
use serde_json::Value;
use toml_edit::{DocumentMut, Item};

/// A longer text is cut and ends with an ellipsis.
const MAX_TEXT_CHARS: usize = 160;
/// A manifest with more of one sort is a list for programs.
const MAX_OF_A_SORT: usize = 30;

/// One thing to run, or to begin reading at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPoint {
    /// The file that says so.
    pub path: String,
    /// One line.
    pub text: String,
}

/// The entry points a file names or holds, in the order of the file.
pub fn entry_points_of(path: &str, text: &str) -> Vec<EntryPoint> {
    let name = name_of(path);
    let lower = name.to_ascii_lowercase();
    let found = if why_skipped(path, text).is_some() {
        Vec::new()
    } else if name == "Cargo.toml" {
        cargo(text)
    } else if name == "package.json" {
        package_json(text)
    } else if name == "pyproject.toml" {
        pyproject(text)
    } else if matches!(name, "Makefile" | "makefile" | "GNUmakefile") {
        make(text)
    } else if is_dockerfile(name) {
        docker(text)
    } else if is_workflow(path) {
        workflow(name, text)
    } else if lower.starts_with("readme") {
        heading(text)
    } else {
        main_function(path, text).into_iter().collect()
    };
    found.into_iter().map(|text| EntryPoint { path: path.to_owned(), text: shortened(&text) }).collect()
}

/// Whether a file of this name is read for its entry points alone.
pub(crate) fn is_manifest(path: &str) -> bool {
    let name = name_of(path);
    matches!(name, "Cargo.toml" | "package.json" | "pyproject.toml" | "Makefile" | "makefile" | "GNUmakefile")
        || is_dockerfile(name)
        || is_workflow(path)
        || name.to_ascii_lowercase().starts_with("readme")
}

fn is_dockerfile(name: &str) -> bool {
    name == "Dockerfile" || name.starts_with("Dockerfile.") || name.ends_with(".dockerfile")
}

fn is_workflow(path: &str) -> bool {
    let yaml = path.ends_with(".yml") || path.ends_with(".yaml");
    (yaml && path.starts_with(".github/workflows/")) || path == ".gitlab-ci.yml"
}

fn cargo(text: &str) -> Vec<String> {
    let Ok(manifest) = text.parse::<DocumentMut>() else { return Vec::new() };
    let mut found = Vec::new();
    if let Some(members) = manifest.get("workspace").and_then(|workspace| workspace.get("members")) {
        found.push(format!("cargo workspace of {}", strings(members).join(", ")));
    }
    let package = manifest.get("package").and_then(|package| package.get("name")).and_then(Item::as_str);
    if let Some(bins) = manifest.get("bin").and_then(Item::as_array_of_tables) {
        for name in bins.iter().filter_map(|bin| bin.get("name")?.as_str()).take(MAX_OF_A_SORT) {
            let package = package.map(|package| format!(" -p {package}")).unwrap_or_default();
            found.push(format!("cargo run{package} --bin {name}"));
        }
    }
    found
}

fn package_json(text: &str) -> Vec<String> {
    let Ok(manifest) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    let name = manifest["name"].as_str().unwrap_or("package");
    let mut found = Vec::new();
    if let Some(main) = manifest["main"].as_str() {
        found.push(format!("{name} begins at {main}"));
    }
    match &manifest["bin"] {
        Value::String(file) => found.push(format!("program {name}: {file}")),
        Value::Object(bins) => found.extend(
            bins.iter()
                .take(MAX_OF_A_SORT)
                .filter_map(|(bin, file)| Some(format!("program {bin}: {}", file.as_str()?))),
        ),
        _ => {}
    }
    if let Some(scripts) = manifest["scripts"].as_object() {
        found.extend(
            scripts
                .iter()
                .take(MAX_OF_A_SORT)
                .filter_map(|(script, command)| Some(format!("npm run {script}: {}", command.as_str()?))),
        );
        found.extend(more(scripts.len(), "scripts"));
    }
    found
}

fn pyproject(text: &str) -> Vec<String> {
    let Ok(manifest) = text.parse::<DocumentMut>() else { return Vec::new() };
    let tables = [&["project", "scripts"][..], &["project", "gui-scripts"], &["tool", "poetry", "scripts"]];
    let mut found = Vec::new();
    for keys in tables {
        let table = keys.iter().try_fold(manifest.as_item(), |item, key| item.get(key));
        let Some(table) = table.and_then(Item::as_table_like) else { continue };
        found.extend(
            table
                .iter()
                .take(MAX_OF_A_SORT)
                .filter_map(|(script, at)| Some(format!("program {script}: {}", at.as_str()?))),
        );
        found.extend(more(table.len(), "programs"));
    }
    found
}

/// What stands before the colons of a makefile's rules.
pub(crate) fn make_targets(text: &str) -> impl Iterator<Item = &str> {
    let rules = text.lines().filter_map(|line| {
        let (left, right) = line.split_once(':')?;
        let rule = !line.starts_with([' ', '\t', '#', '.']) && !right.starts_with('=') && !left.contains('=');
        rule.then_some(left)
    });
    rules.flat_map(str::split_whitespace)
}

/// The targets, in one line. Rules for files and for patterns are no targets
/// a person would name.
fn make(text: &str) -> Vec<String> {
    let mut targets: Vec<&str> = Vec::new();
    for target in make_targets(text) {
        let plain = target.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'));
        if plain && !targets.contains(&target) {
            targets.push(target);
        }
    }
    let count = targets.len();
    targets.truncate(MAX_OF_A_SORT);
    let mut found: Vec<String> = targets.iter().map(|target| format!("make {target}")).collect();
    found.extend(more(count, "targets"));
    found
}

fn docker(text: &str) -> Vec<String> {
    let commands = text.lines().map(str::trim).filter(|line| {
        let word = line.split_whitespace().next().unwrap_or_default();
        word.eq_ignore_ascii_case("CMD") || word.eq_ignore_ascii_case("ENTRYPOINT")
    });
    commands.map(|line| format!("container: {line}")).collect()
}

fn workflow(file: &str, text: &str) -> Vec<String> {
    let name = text
        .lines()
        .find_map(|line| line.strip_prefix("name:"))
        .map(|name| name.trim().trim_matches(['"', '\'']));
    vec![format!("workflow {}", name.filter(|name| !name.is_empty()).unwrap_or(file))]
}

fn heading(text: &str) -> Vec<String> {
    let mut lines = text.lines().map(str::trim).skip_while(|line| line.is_empty());
    let marked = lines.clone().find_map(|line| line.strip_prefix("# "));
    // A heading may also be a line with a rule below it.
    let first = marked.or_else(|| {
        let first = lines.next()?;
        lines.next().filter(|below| below.starts_with("==") || below.starts_with("--")).map(|_| first)
    });
    first.map(|heading| vec![format!("title: {}", heading.trim_matches(['#', ' ']))]).unwrap_or_default()
}

/// A main function, by how its line begins; no parser is needed to see one.
fn main_function(path: &str, text: &str) -> Option<String> {
    let lines = || text.lines();
    let begins = |starts: &[&str]| lines().any(|line| starts.iter().any(|start| line.starts_with(start)));
    match Language::of(path, text)? {
        Language::Rust => {
            let main = lines().any(|line| {
                let line = line.strip_prefix("pub ").unwrap_or(line);
                line.strip_prefix("async ").unwrap_or(line).starts_with("fn main(")
            });
            (main && name_of(path) != "build.rs").then(|| format!("Rust program{}", says(text, "//!")))
        }
        Language::Go => {
            let main = begins(&["package main"]) && begins(&["func main("]);
            let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
            main.then(|| if folder == "." { "go run .".to_owned() } else { format!("go run ./{folder}") })
        }
        Language::Python => {
            if let Some(package) = path.strip_suffix("/__main__.py") {
                let package = package.strip_prefix("src/").unwrap_or(package);
                return Some(format!("python -m {}", package.replace('/', ".")));
            }
            let guarded = ["if __name__ == \"__main__\"", "if __name__ == '__main__'"];
            begins(&guarded).then(|| format!("python {path}"))
        }
        Language::Java => {
            let main = lines().any(|line| line.trim_start().starts_with("public static void main("));
            main.then(|| "Java program".to_owned())
        }
        Language::C | Language::Cpp => begins(&["int main(", "int main ("]).then(|| "C program".to_owned()),
        Language::CSharp => {
            let main = lines().any(|line| line.contains("static") && line.contains(" Main("));
            main.then(|| "C# program".to_owned())
        }
        Language::JavaScript | Language::TypeScript => {
            text.starts_with("#!").then(|| format!("run ./{path}"))
        }
        Language::Tsx | Language::Php => None,
    }
}

/// What a file says of itself at its top, after a colon.
fn says(text: &str, mark: &str) -> String {
    let header: Vec<&str> = text.lines().take_while(|line| line.starts_with(mark)).collect();
    first_sentence(&header.join("\n")).map(|sentence| format!(": {sentence}")).unwrap_or_default()
}

fn more(count: usize, what: &str) -> Option<String> {
    (count > MAX_OF_A_SORT).then(|| format!("and {} more {what}", count - MAX_OF_A_SORT))
}

fn strings(item: &Item) -> Vec<&str> {
    item.as_array().map(|array| array.iter().filter_map(|value| value.as_str()).collect()).unwrap_or_default()
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_TEXT_CHARS) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line,
    }
}
