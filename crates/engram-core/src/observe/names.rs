//! Words that tell what sort of thing a name names, and words that are no
//! names at all.
//!
//! These are endings, roles and nouns of the trade, not products and not
//! people. How they are used is known in `entity`.

#[rustfmt::skip]
pub(super) const ANNOTATIONS: &[&str] = &[
    "Override", "Test", "Bean", "property", "dataclass", "param", "return", "types",
];

/// How the names of files end that a programmer speaks of.
#[rustfmt::skip]
pub(crate) const ENDINGS: &[&str] = &[
    "rs", "toml", "lock", "py", "pyi", "ipynb", "js", "mjs", "cjs", "jsx", "ts", "tsx", "vue", "svelte",
    "go", "java", "kt", "kts", "swift", "c", "h", "cc", "cpp", "hpp", "cs", "rb", "php", "ex", "exs", "erl",
    "hs", "scala", "sql", "sh", "bash", "zsh", "fish", "ps1", "json", "jsonl", "yaml", "yml", "xml", "html",
    "css", "scss", "md", "mdx", "txt", "csv", "tsv", "env", "ini", "conf", "cfg", "proto", "graphql", "tf",
    "tfvars", "lua", "zig", "nix", "gradle", "log", "pdf", "png", "svg", "wasm", "pem", "db", "parquet",
    "dart", "jl",
];

#[rustfmt::skip]
pub(crate) const NAMED_FILES: &[&str] = &[
    "Dockerfile", "Makefile", "Justfile", "Procfile", "Gemfile", "README", "CODEOWNERS",
];

#[rustfmt::skip]
pub(crate) const FOLDERS: &[&str] = &[
    "src", "crates", "tests", "test", "docs", "ops", "scripts", "lib", "app", "apps", "packages", "config",
    "cmd", "internal", "pkg", "web", "infra", "locales", "migrations", "proto", "benches", "examples",
    "tools", "bin", "deploy", "services", "modules", "eval",
];

#[rustfmt::skip]
pub(crate) const MACHINE_ENDINGS: &[&str] = &[
    "com", "net", "org", "io", "dev", "local", "internal", "lan", "cloud", "app", "ai", "co", "de", "tr",
    "eu", "uk", "fr", "ch", "test", "corp", "home", "cluster",
];

#[rustfmt::skip]
pub(super) const CLASS_NOUNS: &[&str] = &[
    "Service", "Gateway", "Store", "Error", "Exception", "Handler", "Factory", "Policy", "Config", "Client",
    "Server", "Controller", "Repository", "Builder", "Clock", "List", "Map", "Cache", "Queue", "Writer",
    "Reader", "Parser", "Provider", "Context", "State", "Event", "Request", "Response", "Result", "Type",
    "Model", "View", "Component", "Button", "Form", "Test", "Tests", "Job", "Worker", "Adapter", "Filter",
    "Pool", "Table", "Id", "Key", "Token", "Session", "Router", "Registry", "Engine", "Runner", "Mapper",
    "Listener", "Trait", "Impl",
];

pub(super) const COMPANY_FORMS: &[&str] = &["inc", "gmbh", "ltd", "llc", "corp", "ag", "sarl", "plc"];

#[rustfmt::skip]
pub(super) const ROLES: &[&str] = &[
    "lead", "owner", "head", "cto", "ceo", "cfo", "architect", "maintainer", "reviewer", "designer",
    "engineer", "developer", "contact", "boss", "admin", "author", "founder", "intern", "director",
    "tester", "analyst",
];

#[rustfmt::skip]
pub(super) const PERSON_BEFORE: &[&str] = &[
    "asked", "ask", "told", "tell", "ping", "cc", "thank", "dr", "mr", "mrs", "ms", "prof", "colleague",
    "boss", "adim", "adi",
];

#[rustfmt::skip]
pub(super) const PERSON_AFTER: &[&str] = &[
    "owns", "said", "says", "wants", "thinks", "left", "reviews", "joined", "asked", "told", "approves",
    "signs", "mentioned", "suggested", "wrote", "prefers", "likes", "hanim", "bey", "dedi", "istiyor",
    "soyledi", "bakiyor", "onayliyor", "inceliyor", "ilgileniyor", "cikaracak", "takes", "leads", "hates",
    "agreed",
];

#[rustfmt::skip]
pub(super) const SERVICE_NOUNS: &[&str] = &[
    "service", "services", "server", "database", "queue", "cluster", "broker", "gateway", "worker",
    "bucket", "account", "api", "daemon", "servisi", "sunucusu", "veritabani", "kuyrugu",
];

#[rustfmt::skip]
pub(super) const HOLDERS: &[&str] = &[
    "repo", "repository", "account", "bucket", "cluster", "service", "server", "cant", "cannot",
];

#[rustfmt::skip]
pub(super) const INSTALLERS: &[&str] = &[
    "cargo", "npm", "pnpm", "yarn", "pip", "uv", "poetry", "gem", "brew", "apt", "go", "bun", "composer",
];

#[rustfmt::skip]
pub(super) const TOOL_BEFORE: &[&str] = &[
    "use", "uses", "using", "with", "via", "over", "on", "to", "from", "into", "in", "drop", "dropped",
    "replace", "of", "than", "and", "or", "through", "for", "icin", "ve", "support",
];

#[rustfmt::skip]
pub(super) const TOOL_AFTER: &[&str] = &[
    "version", "kullan", "kullanalim", "kullaniyoruz", "kullaniyor", "ile", "uzerinden", "surumu", "plugin",
    "container", "image", "config", "because", "bilen",
];

/// Nouns that stand before "service" and "is at" without being a name.
#[rustfmt::skip]
pub(super) const NOT_NAMES: &[&str] = &[
    "new", "old", "staging", "production", "prod", "test", "local", "main", "other", "public", "internal",
    "external", "same", "whole", "load", "user", "data", "each", "every", "own", "web", "backend",
    "frontend", "app", "order", "server", "service", "database", "queue", "cron", "job", "code", "file",
    "config", "it", "backup", "limit", "fake", "payment", "mobile", "separate", "plain", "explicit", "raw",
    "sure", "allowed", "yet", "after", "before", "oyle", "boyle", "artik", "sadece", "class", "core",
    "remote", "shared", "message", "task", "orders",
];

/// Nouns that have numbers behind them without being a name.
#[rustfmt::skip]
pub(crate) const COUNTED: &[&str] = &[
    "step", "option", "line", "issue", "page", "port", "version", "phase", "part", "chapter", "section",
    "ticket", "number", "about", "around", "error", "code", "level", "day", "week", "sprint", "top",
    "limit", "roughly", "release", "pr", "bug", "task", "article", "figure", "table", "item", "room",
    "yaklasik", "saat", "gece", "takes", "costs", "say", "says",
];

/// Short names of things that are not one thing.
#[rustfmt::skip]
pub(super) const ABBREVIATIONS: &[&str] = &[
    "API", "APIs", "CI", "CD", "PR", "PRs", "UTC", "VPN", "URL", "URLs", "HTTP", "HTTPS", "JSON", "SQL",
    "ID", "IDs", "UI", "UX", "OK", "TODO", "RAM", "CPU", "GPU", "SLA", "FYI", "ASAP", "REST", "DNS", "SDK",
    "IDE", "CLI", "XML", "YAML", "CSV", "PDF", "HTML", "CSS", "DB", "OS", "QA", "MVP", "ETA", "WIP", "LGTM",
    "KB", "MB", "GB", "TLS", "SSL", "SSH", "TCP", "UDP", "IP", "PM", "AM", "TBD", "README", "JWT", "ORM",
    "ORMs", "ULID", "ULIDs", "UUID", "UUIDs", "EU", "US", "UK", "TR", "DE", "DO", "NOT", "NEVER", "ALWAYS",
    "MUST", "NO", "YES", "ALL", "DON'T", "PLEASE", "WHY", "STOP",
];

#[rustfmt::skip]
pub(crate) const CALENDAR: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "ocak", "subat", "mart", "nisan", "mayis", "haziran", "temmuz", "agustos", "eylul", "ekim", "kasim",
    "aralik", "pazartesi", "sali", "carsamba", "persembe", "cuma", "cumartesi", "pazar", "english",
    "turkish", "german", "french", "turkce", "ingilizce",
];
