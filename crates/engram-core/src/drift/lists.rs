//! The words by which claims about a project are told: programs that come
//! with versions of their own, what tools do by themselves, and what a text
//! calls a name of the code.
//!
//! Written as they are compared: small letters, without Turkish signs. How
//! they are used is known elsewhere.

/// What compiles or runs a project. A library of the same name is another
/// thing.
#[rustfmt::skip]
pub(super) const RUNTIMES: &[&str] = &[
    "node", "python", "go", "rust", "rust-version", "edition", "java", "ruby", "php", "deno", "bun", "npm",
    "pnpm", "yarn", "dotnet", "elixir", "erlang",
];

/// What a project talks to. Its client library has versions of its own.
#[rustfmt::skip]
pub(super) const SERVERS: &[&str] = &[
    "postgres", "mysql", "mariadb", "mongo", "redis", "valkey", "elasticsearch", "opensearch", "kafka",
    "rabbitmq", "nats", "nginx", "memcached", "clickhouse", "cassandra", "docker", "kubernetes", "surrealdb",
    "minio", "etcd", "consul", "vault", "grafana", "prometheus", "keycloak", "traefik", "neo4j", "sqlite",
    "influxdb", "ubuntu", "debian", "alpine",
];

/// Several spellings of one name.
#[rustfmt::skip]
pub(super) const SPELLINGS: &[(&str, &str)] = &[
    ("nodejs", "node"), ("golang", "go"), ("postgresql", "postgres"), ("mongodb", "mongo"),
    ("openjdk", "java"), ("jdk", "java"), ("eclipse-temurin", "java"), ("python3", "python"),
    ("k8s", "kubernetes"), ("nextjs", "next"), ("vuejs", "vue"), ("msrv", "rust-version"),
];

/// What cargo does without an alias.
#[rustfmt::skip]
pub(super) const CARGO_OWN: &[&str] = &[
    "add", "bench", "build", "b", "check", "c", "clean", "clippy", "config", "doc", "d", "fetch", "fix",
    "fmt", "generate-lockfile", "help", "info", "init", "install", "locate-project", "login", "logout",
    "metadata", "miri", "new", "owner", "package", "pkgid", "publish", "read-manifest", "remove", "rm",
    "report", "run", "r", "rustc", "rustdoc", "search", "test", "t", "tree", "uninstall", "update", "vendor",
    "verify-project", "version", "yank",
];

#[rustfmt::skip]
pub(super) const PNPM_OWN: &[&str] = &[
    "add", "approve-builds", "audit", "bin", "cache", "catalog", "config", "create", "dedupe", "deploy",
    "dlx", "doctor", "env", "exec", "fetch", "i", "import", "init", "install", "licenses", "link", "list",
    "ls", "m", "multi", "outdated", "pack", "patch", "prune", "publish", "rb", "rebuild", "recursive",
    "remove", "rm", "root", "self-update", "server", "setup", "store", "un", "uninstall", "unlink", "up",
    "update", "why", "workspace", "x",
];

#[rustfmt::skip]
pub(super) const COMPOSER_OWN: &[&str] = &[
    "about", "archive", "audit", "browse", "bump", "check-platform-reqs", "clear-cache", "clearcache",
    "config", "create-project", "depends", "diagnose", "dump-autoload", "dumpautoload", "exec", "fund",
    "global", "help", "home", "i", "init", "install", "licenses", "list", "outdated", "prohibits", "r",
    "reinstall", "remove", "require", "run", "run-script", "search", "self-update", "show", "status",
    "suggests", "u", "update", "upgrade", "validate", "why", "why-not",
];

/// What runs a file that is named behind it.
#[rustfmt::skip]
pub(super) const INTERPRETERS: &[&str] = &[
    "python", "python3", "node", "bash", "sh", "zsh", "ruby", "php", "perl", "deno", "bun", "tsx", "ts-node",
];

/// Options that take the word behind them along.
#[rustfmt::skip]
pub(super) const OPTIONS_WITH_VALUE: &[&str] = &[
    "-C", "-f", "-j", "-w", "-F", "--workspace", "--filter", "--prefix", "--dir", "--directory", "--file",
    "--justfile", "--taskfile", "-d", "-t", "--config",
];

/// What stands before a command that is named without backticks.
pub(super) const BEFORE_COMMANDS: &[&str] =
    &["run", "runs", "running", "execute", "executes", "via", "call", "calls", "invoke", "invokes"];

/// What stands behind one in Turkish.
pub(super) const AFTER_COMMANDS: &[&str] = &[
    "calistir",
    "calistirin",
    "calistirilir",
    "calistiriyoruz",
    "komutu",
    "komutuyla",
    "komutunu",
    "hedefi",
];

/// What a text calls a name of the code; the endings of Turkish follow some.
#[rustfmt::skip]
pub(super) const CODE_NOUNS: &[&str] = &[
    "function", "functions", "fn", "method", "methods", "struct", "structs", "class", "classes", "type",
    "types", "enum", "enums", "trait", "traits", "interface", "interfaces", "constant", "constants", "const",
    "module", "modules", "macro", "macros",
];

/// How a Turkish noun of the code begins.
pub(super) const CODE_NOUN_STEMS: &[&str] =
    &["fonksiyon", "metod", "metot", "sinif", "sabit", "modul", "arayuz", "tipi", "structi", "enumu"];

/// What stands before a name that is used in a version.
#[rustfmt::skip]
pub(super) const USED_BEFORE: &[&str] = &[
    "use", "uses", "using", "on", "with", "requires", "require", "needs", "need", "targets", "target", "runs",
    "run", "running", "to", "is",
];

/// What stands behind a version that is used, in Turkish.
#[rustfmt::skip]
pub(super) const USED_AFTER: &[&str] = &[
    "kullaniyoruz", "kullaniyor", "kullanir", "kullaniliyor", "kullanilir", "ile", "uzerinde", "calisiyor",
    "surumu", "surumunu", "gerektiriyor", "gerekiyor",
];

/// What a number in front of it counts or measures.
#[rustfmt::skip]
pub(super) const UNITS: &[&str] = &[
    "ms", "s", "sec", "secs", "second", "seconds", "minute", "minutes", "min", "hour", "hours", "day", "days",
    "week", "weeks", "month", "months", "year", "years", "times", "x", "mb", "gb", "kb", "tb", "mib", "gib",
    "percent", "points", "saniye", "dakika", "saat", "gun", "hafta", "ay", "yil", "kez", "kere",
];

/// What listens on the number behind it, even where nobody says "port".
pub(super) const LISTENS: &[&str] = &["listens", "listening", "listen", "binds", "bound"];
