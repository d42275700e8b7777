//! Which language a file is in, by its name; for a C header also by its text.
//!
//! Knows no grammar.

/// A language whose public signatures can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    Rust,
    Python,
    JavaScript,
    TypeScript,
    /// TypeScript with markup in it, which has a grammar of its own.
    Tsx,
    Go,
    Java,
    C,
    Cpp,
    CSharp,
    Php,
}

impl Language {
    /// `None` for a language of which no signatures are read.
    pub fn of(path: &str, text: &str) -> Option<Self> {
        Some(match ending_of(path)?.as_str() {
            "rs" => Self::Rust,
            "py" | "pyi" => Self::Python,
            "js" | "mjs" | "cjs" | "jsx" => Self::JavaScript,
            "ts" | "mts" | "cts" => Self::TypeScript,
            "tsx" => Self::Tsx,
            "go" => Self::Go,
            "java" => Self::Java,
            "c" => Self::C,
            "h" if is_cpp(text) => Self::Cpp,
            "h" => Self::C,
            "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" => Self::Cpp,
            "cs" => Self::CSharp,
            "php" => Self::Php,
            _ => return None,
        })
    }
}

/// Whether a file of this name is worth reading for its signatures.
pub(crate) fn has_signatures(path: &str) -> bool {
    Language::of(path, "").is_some()
}

/// The language as a person names it, for counting; also of files that have
/// no signatures.
pub(crate) fn spoken_name_of(path: &str) -> Option<&'static str> {
    if let Some(language) = Language::of(path, "") {
        return Some(match language {
            Language::Rust => "Rust",
            Language::Python => "Python",
            Language::JavaScript => "JavaScript",
            Language::TypeScript | Language::Tsx => "TypeScript",
            Language::Go => "Go",
            Language::Java => "Java",
            Language::C => "C",
            Language::Cpp => "C++",
            Language::CSharp => "C#",
            Language::Php => "PHP",
        });
    }
    Some(match ending_of(path)?.as_str() {
        "md" | "markdown" => "Markdown",
        "toml" => "TOML",
        "json" | "jsonl" => "JSON",
        "yml" | "yaml" => "YAML",
        "html" | "htm" => "HTML",
        "css" | "scss" | "sass" | "less" => "CSS",
        "sh" | "bash" | "zsh" => "shell",
        "sql" | "surql" => "SQL",
        "rb" => "Ruby",
        "kt" | "kts" => "Kotlin",
        "swift" => "Swift",
        "scala" => "Scala",
        "ex" | "exs" => "Elixir",
        "hs" => "Haskell",
        "ml" | "mli" => "OCaml",
        "lua" => "Lua",
        "zig" => "Zig",
        "dart" => "Dart",
        "vue" => "Vue",
        "svelte" => "Svelte",
        "proto" => "Protocol Buffers",
        "tf" => "Terraform",
        _ => return None,
    })
}

/// What stands after the last dot of the file's name, in small letters.
fn ending_of(path: &str) -> Option<String> {
    let name = path.rsplit('/').next()?;
    let (stem, ending) = name.rsplit_once('.')?;
    (!stem.is_empty()).then(|| ending.to_ascii_lowercase())
}

/// Whether a header holds what only C++ has.
fn is_cpp(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        ["class ", "namespace ", "template<", "template <", "public:", "private:", "using "]
            .iter()
            .any(|word| line.starts_with(word))
    })
}
