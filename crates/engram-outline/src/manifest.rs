//! Which versions a project states: in manifests, lock files, files of version
//! switchers and what its containers are made from.
//!
//! Reads texts and no files, and decides nothing about what was claimed. A
//! file that cannot be parsed states nothing.

use engram_core::drift::{Manner, Stated, versioned_name};
use serde_json::Value;
use toml_edit::{DocumentMut, Item, TableLike};

/// Whether a file of this path may state a version.
pub(crate) fn states_versions(path: &str) -> bool {
    reader_of(path).is_some()
}

/// What a file states, in its order.
pub(crate) fn stated_in(path: &str, text: &str) -> Vec<Stated> {
    let Some(read) = reader_of(path) else { return Vec::new() };
    let mut found = Found { path, stated: Vec::new() };
    read(&mut found, text);
    found.stated
}

struct Found<'a> {
    path: &'a str,
    stated: Vec<Stated>,
}

impl Found<'_> {
    fn add(&mut self, of: &str, asks: &str, manner: Manner) {
        let asks = asks.trim();
        if !of.is_empty() && asks.contains(|mark: char| mark.is_ascii_digit()) && !asks.contains("${") {
            let of = versioned_name(of);
            self.stated.push(Stated { file: self.path.to_owned(), of, asks: asks.to_owned(), manner });
        }
    }
}

type Reader = fn(&mut Found<'_>, &str);

fn reader_of(path: &str) -> Option<Reader> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let yaml = name.ends_with(".yml") || name.ends_with(".yaml");
    Some(match name {
        "package.json" => package_json,
        "Cargo.toml" => cargo_toml,
        "Cargo.lock" => cargo_lock,
        "pyproject.toml" => pyproject,
        "go.mod" => go_mod,
        "pom.xml" => pom,
        ".nvmrc" | ".node-version" => |found, text| found.first_line("node", text),
        ".python-version" => |found, text| found.first_line("python", text),
        ".ruby-version" => |found, text| found.first_line("ruby", text),
        "rust-toolchain" | "rust-toolchain.toml" => rust_toolchain,
        ".tool-versions" => tool_versions,
        _ if name.starts_with("requirements") && name.ends_with(".txt") => requirements,
        _ if name == "Dockerfile" || name.starts_with("Dockerfile.") || name.ends_with(".dockerfile") => {
            dockerfile
        }
        _ if yaml && (name.starts_with("docker-compose") || name.starts_with("compose")) => compose,
        _ => return None,
    })
}

impl Found<'_> {
    fn first_line(&mut self, of: &str, text: &str) {
        let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
        self.add(of, line.unwrap_or_default(), Manner::Toolchain);
    }
}

fn package_json(found: &mut Found<'_>, text: &str) {
    let Ok(manifest) = serde_json::from_str::<Value>(text) else { return };
    for table in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
        for (name, asks) in manifest[table].as_object().into_iter().flatten() {
            let asks = asks.as_str().unwrap_or_default();
            // "npm:other@^1.0" is another package under this name.
            let own = !asks.contains(':') && !asks.contains('/');
            found.add(name, if own { asks } else { "" }, Manner::Dependency);
        }
    }
    for table in ["engines", "volta"] {
        for (name, asks) in manifest[table].as_object().into_iter().flatten() {
            found.add(name, asks.as_str().unwrap_or_default(), Manner::Toolchain);
        }
    }
    if let Some((name, version)) = manifest["packageManager"].as_str().and_then(|text| text.split_once('@')) {
        found.add(name, version.split('+').next().unwrap_or(version), Manner::Toolchain);
    }
}

fn cargo_toml(found: &mut Found<'_>, text: &str) {
    let Ok(manifest) = text.parse::<DocumentMut>() else { return };
    let at = |keys: &[&str]| keys.iter().try_fold(manifest.as_item(), |item, key| item.get(key));
    for package in [&["package"][..], &["workspace", "package"]] {
        let value = |key: &str| at(package)?.get(key)?.as_str();
        if let Some(edition) = value("edition") {
            found.add("edition", edition, Manner::Toolchain);
        }
        if let Some(version) = value("rust-version") {
            found.add("rust-version", version, Manner::Toolchain);
            // A newer compiler will do as well.
            found.add("rust", &format!(">={version}"), Manner::Toolchain);
        }
    }
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let mut tables: Vec<&Item> = kinds.iter().filter_map(|kind| at(&[*kind])).collect();
    tables.extend(at(&["workspace", "dependencies"]));
    let targets = at(&["target"]).and_then(Item::as_table_like);
    for (_, target) in targets.into_iter().flat_map(TableLike::iter) {
        tables.extend(kinds.iter().filter_map(|kind| target.get(kind)));
    }
    for (name, asked) in tables.into_iter().filter_map(Item::as_table_like).flat_map(TableLike::iter) {
        let asks = asked.as_str().or_else(|| asked.get("version")?.as_str()).unwrap_or_default();
        let name = asked.get("package").and_then(Item::as_str).unwrap_or(name);
        // Cargo reads a bare version as a caret.
        let bare = asks.starts_with(|mark: char| mark.is_ascii_digit());
        found.add(name, &if bare { format!("^{asks}") } else { asks.to_owned() }, Manner::Dependency);
    }
}

fn cargo_lock(found: &mut Found<'_>, text: &str) {
    let mut name = "";
    for line in text.lines() {
        let value = |key: &str| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"');
        if line == "[[package]]" {
            name = "";
        } else if let Some(found) = value("name") {
            name = found;
        } else if let Some(version) = value("version") {
            found.add(name, version, Manner::Lock);
        }
    }
}

fn pyproject(found: &mut Found<'_>, text: &str) {
    let Ok(manifest) = text.parse::<DocumentMut>() else { return };
    let at = |keys: &[&str]| keys.iter().try_fold(manifest.as_item(), |item, key| item.get(key));
    if let Some(asks) = at(&["project", "requires-python"]).and_then(Item::as_str) {
        found.add("python", asks, Manner::Toolchain);
    }
    let mut lists: Vec<&Item> = at(&["project", "dependencies"]).into_iter().collect();
    for groups in [&["project", "optional-dependencies"][..], &["dependency-groups"]] {
        let groups = at(groups).and_then(Item::as_table_like);
        lists.extend(groups.into_iter().flat_map(TableLike::iter).map(|(_, list)| list));
    }
    for list in lists.into_iter().filter_map(Item::as_array) {
        list.iter().filter_map(|one| one.as_str()).for_each(|line| requirement(found, line));
    }
    let poetry = at(&["tool", "poetry", "dependencies"]).and_then(Item::as_table_like);
    for (name, asked) in poetry.into_iter().flat_map(TableLike::iter) {
        let asks = asked.as_str().or_else(|| asked.get("version")?.as_str()).unwrap_or_default();
        let manner = if name == "python" { Manner::Toolchain } else { Manner::Dependency };
        found.add(name, asks, manner);
    }
}

fn requirements(found: &mut Found<'_>, text: &str) {
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with(['#', '-'])) {
        requirement(found, line);
    }
}

/// `name[extra]>=1.0,<2; python_version > "3"  # why`.
fn requirement(found: &mut Found<'_>, line: &str) {
    let line = line.split([';', '#']).next().unwrap_or_default();
    let line = line.split(" --").next().unwrap_or_default();
    let Some(cut) = line.find(['<', '>', '=', '!', '~', '[', ' ', '@']) else { return };
    let (name, rest) = line.split_at(cut);
    let asks = rest.rsplit(']').next().unwrap_or(rest).trim().trim_matches(['(', ')']);
    if asks.starts_with(['<', '>', '=', '!', '~']) {
        found.add(name, asks, Manner::Dependency);
    }
}

fn go_mod(found: &mut Found<'_>, text: &str) {
    for line in text.lines().map(str::trim) {
        if let Some(version) = line.strip_prefix("go ") {
            // A newer compiler will do as well.
            found.add("go", &format!(">={}", version.trim()), Manner::Toolchain);
            continue;
        }
        let line = line.strip_prefix("require ").unwrap_or(line);
        if line.contains("// indirect") || line.contains("=>") {
            continue;
        }
        let mut words = line.split_whitespace();
        let (Some(module), Some(version)) = (words.next(), words.next()) else { continue };
        if !module.contains('/') || !version.starts_with('v') {
            continue;
        }
        found.add(module, version, Manner::Dependency);
        // People call "github.com/a/b/v2" by its b.
        let of_major = |part: &&str| {
            part.strip_prefix('v').is_none_or(|major| !major.bytes().all(|byte| byte.is_ascii_digit()))
        };
        if let Some(short) = module.rsplit('/').find(of_major) {
            found.add(short, version, Manner::Dependency);
        }
    }
}

fn pom(found: &mut Found<'_>, text: &str) {
    fn tag<'t>(text: &'t str, name: &str) -> Option<&'t str> {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        rest.split_once(&format!("</{name}>")).map(|(value, _)| value.trim())
    }
    for block in ["dependency", "plugin", "parent"] {
        let open = format!("<{block}>");
        for piece in text.split(open.as_str()).skip(1) {
            let piece = piece.split(&format!("</{block}>")).next().unwrap_or_default();
            if let (Some(name), Some(version)) = (tag(piece, "artifactId"), tag(piece, "version")) {
                found.add(name, version, Manner::Dependency);
            }
        }
    }
    for property in ["java.version", "maven.compiler.release", "maven.compiler.source"] {
        if let Some(version) = tag(text, property) {
            found.add("java", version, Manner::Toolchain);
        }
    }
}

fn rust_toolchain(found: &mut Found<'_>, text: &str) {
    let channel = text.lines().find_map(|line| line.trim().strip_prefix("channel"));
    match channel {
        Some(value) => {
            found.add("rust", value.trim_matches([' ', '=', '"', '\'']), Manner::Toolchain);
        }
        None => found.first_line("rust", text),
    }
}

fn tool_versions(found: &mut Found<'_>, text: &str) {
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        if let (Some(name), Some(version)) = (words.next(), words.next()) {
            found.add(name, version, Manner::Toolchain);
        }
    }
}

fn dockerfile(found: &mut Found<'_>, text: &str) {
    for line in text.lines() {
        let mut words = line.split_whitespace();
        if words.next().is_some_and(|word| word.eq_ignore_ascii_case("FROM")) {
            let image = words.find(|word| !word.starts_with("--"));
            found.image(image.unwrap_or_default());
        }
    }
}

fn compose(found: &mut Found<'_>, text: &str) {
    for line in text.lines() {
        if let Some(image) = line.trim_start().strip_prefix("image:") {
            found.image(image.split(" #").next().unwrap_or(image).trim().trim_matches(['"', '\'']));
        }
    }
}

impl Found<'_> {
    /// `registry:5000/team/name:tag@digest`. A tag that begins with no number
    /// names no version.
    fn image(&mut self, image: &str) {
        let image = image.split('@').next().unwrap_or(image);
        let last = image.rsplit('/').next().unwrap_or(image);
        if let Some((name, tag)) = last.split_once(':')
            && tag.trim_start_matches('v').starts_with(|mark: char| mark.is_ascii_digit())
        {
            self.add(name, tag, Manner::Image);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, text: &str, expected: &str) {
        let told = |one: Stated| format!("{} {} {}", one.manner, one.of, one.asks);
        let found: Vec<String> = stated_in(path, text).into_iter().map(told).collect();
        assert_eq!(found.join("; "), expected, "{path}");
    }

    #[test]
    fn the_manifests_of_each_language_state_versions() {
        check(
            "web/package.json",
            r#"{"dependencies": {"react": "^18.2.0", "own": "workspace:*", "a": "npm:b@1.0"},
                "engines": {"node": ">=20"}, "packageManager": "pnpm@9.1.0+sha512.x"}"#,
            "dependency react ^18.2.0; toolchain node >=20; toolchain pnpm 9.1.0",
        );
        check(
            "Cargo.toml",
            "[package]\nedition = \"2024\"\nrust-version = \"1.91\"\n[dependencies]\nrayon = \"1.38\"\n\
             own = { path = \"x\" }\nserde = { version = \"1\", features = [] }\njson = { package = \"serde_json\", version = \"=1.0.1\" }\n",
            "toolchain edition 2024; toolchain rust-version 1.91; toolchain rust >=1.91; \
             dependency rayon ^1.38; dependency serde ^1; dependency serde-json =1.0.1",
        );
        check(
            "Cargo.lock",
            "version = 4\n\n[[package]]\nname = \"rayon\"\nversion = \"1.54.1\"\n",
            "lock rayon 1.54.1",
        );
        check(
            "pyproject.toml",
            "[project]\nrequires-python = \">=3.10\"\ndependencies = [\"Django>=4.2,<5 ; python_version > '3'\", \"attrs\"]\n\
             [project.optional-dependencies]\ntest = [\"pytest[x]~=8.0\"]\n",
            "toolchain python >=3.10; dependency django >=4.2,<5; dependency pytest ~=8.0",
        );
        check(
            "requirements-dev.txt",
            "# all\n-r base.txt\nflask==3.0.1  # web\ntyping_extensions >= 4\n",
            "dependency flask ==3.0.1; dependency typing-extensions >= 4",
        );
        check(
            "go.mod",
            "module x\ngo 1.22\nrequire (\n\tgithub.com/a/router/v2 v2.1.0\n\tgithub.com/c/d v1.0.0 // indirect\n)\n",
            "toolchain go >=1.22; dependency github.com/a/router/v2 v2.1.0; dependency router v2.1.0",
        );
        check(
            "pom.xml",
            "<properties><java.version>21</java.version></properties><dependency><artifactId>guava</artifactId>\
             <version>33.0</version></dependency><dependency><artifactId>b</artifactId><version>${b}</version></dependency>",
            "dependency guava 33.0; toolchain java 21",
        );
    }

    #[test]
    fn switchers_and_containers_state_versions() {
        check(".nvmrc", "v20.11.1\n", "toolchain node v20.11.1");
        check(".nvmrc", "lts/iron\n", "");
        check(
            ".tool-versions",
            "nodejs 20.11.1\n# x\nruby 3.3\n",
            "toolchain node 20.11.1; toolchain ruby 3.3",
        );
        check("rust-toolchain.toml", "[toolchain]\nchannel = \"1.85.0\"\n", "toolchain rust 1.85.0");
        check("rust-toolchain", "stable\n", "");
        check(
            "Dockerfile",
            "FROM --platform=x node:20-alpine AS a\nFROM a\nFROM reg:5000/t/postgres:16.2@sha256:1\n",
            "image node 20-alpine; image postgres 16.2",
        );
        check(
            "docker-compose.dev.yml",
            "services:\n  db:\n    image: \"redis:7.2\" # cache\n  x:\n    image: own:latest\n",
            "image redis 7.2",
        );
        check("docs/versions.md", "react 18", "");
        check("package.json", "{ broken", "");
    }
}
