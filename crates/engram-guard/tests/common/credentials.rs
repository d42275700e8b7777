//! Made-up credentials of every kind we know, and the places they are left in.

use super::{ALNUM, BASE64, DIGITS, Dice, HEX, LOWER, UPPER, WORD};

/// A credential: what surrounds it in its own format, and the value itself.
pub(crate) struct Credential {
    pub(crate) kind: String,
    pub(crate) text: String,
    pub(crate) values: Vec<String>,
}

/// A token that is told by how it looks; the parts are joined here only.
fn token(kind: &str, parts: &[&str]) -> Credential {
    let value = parts.concat();
    Credential { kind: kind.into(), text: value.clone(), values: vec![value] }
}

/// A value that is told by what stands around it.
fn placed(kind: &str, before: &str, value: &str, after: &str) -> Credential {
    Credential { kind: kind.into(), text: [before, value, after].concat(), values: vec![value.to_owned()] }
}

pub(crate) fn pem(dice: &mut Dice, label: &str, lines: usize) -> Credential {
    let rows: Vec<String> = (0..lines).map(|_| dice.some(BASE64, 64)).collect();
    let (dashes, body) = ("-".repeat(5), rows.join("\n"));
    let text = format!("{dashes}BEGIN {label}{dashes}\n{body}\n{dashes}END {label}{dashes}");
    Credential { kind: label.into(), text, values: rows }
}

/// Base64 as docker and HTTP write a user and a password.
fn base64(text: &str) -> String {
    let letters = BASE64.as_bytes();
    let mut written = String::new();
    for three in text.as_bytes().chunks(3) {
        let bits =
            three.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = char::from(letters[(bits >> (18 - 6 * place) & 63) as usize]);
            written.push(if place <= three.len() { letter } else { '=' });
        }
    }
    written
}

/// Every kind once; asked again, every kind with other values.
pub(crate) fn credentials(dice: &mut Dice) -> Vec<Credential> {
    let d = dice;
    let mut all = vec![
        token("aws", &["AK", "IA", &d.some(UPPER, 16)]),
        token("aws session", &["AS", "IA", &d.some(UPPER, 16)]),
        placed("aws secret", "aws_secret_access_key = ", &d.some(BASE64, 40), ""),
        placed("aws secret json", "\"SecretAccessKey\": \"", &d.some(BASE64, 40), "\""),
        token("google", &["AI", "za", &d.some(WORD, 35)]),
        token("google oauth", &["ya", "29.", &d.some(WORD, 60)]),
        token("google secret", &["GOC", "SPX-", &d.some(WORD, 28)]),
        placed("azure storage", "AccountName=me;AccountKey=", &(d.some(BASE64, 86) + "=="), ";Endpoint=x"),
        token("azure secret", &[&d.some(ALNUM, 3), "8", "Q~", &d.some(WORD, 34)]),
        token("github", &["gh", "p_", &d.some(ALNUM, 36)]),
        token("github fine", &["github", "_pat_", &d.some(ALNUM, 22), "_", &d.some(ALNUM, 59)]),
        token("gitlab", &["gl", "pat-", &d.some(WORD, 20)]),
        token(
            "slack",
            &["xo", "xb-", &d.some(DIGITS, 12), "-", &d.some(DIGITS, 12), "-", &d.some(ALNUM, 24)],
        ),
        placed(
            "slack hook",
            "https://hooks.slack.com/services/",
            &format!("T{}/B{}/{}", d.some(UPPER, 8), d.some(UPPER, 8), d.some(ALNUM, 24)),
            "",
        ),
        token("stripe", &["sk_", "live_", &d.some(ALNUM, 24)]),
        token("openai", &["sk", "-proj-", &d.some(WORD, 74)]),
        token("openai old", &["sk", "-", &d.some(ALNUM, 48)]),
        token("anthropic", &["sk", "-ant-api03-", &d.some(WORD, 93), "AA"]),
        token("npm", &["np", "m_", &d.some(ALNUM, 36)]),
        placed("npmrc", "//registry.npmjs.org/:_authToken=", &d.uuid(), ""),
        token("pypi", &["py", "pi-AgEIcHlwaS5vcmc", &d.some(WORD, 70)]),
        token("twilio", &["S", "K", &d.some(HEX, 32)]),
        placed("twilio auth", "TWILIO_AUTH_TOKEN=", &d.some(HEX, 32), ""),
        token("sendgrid", &["S", "G.", &d.some(WORD, 22), ".", &d.some(WORD, 43)]),
        token("mailgun", &["ke", "y-", &d.some(HEX, 32)]),
        token("discord", &["MTk4NjIyNDgzNDcxOTI1MjQ4", ".C", &d.some(WORD, 5), ".", &d.some(WORD, 38)]),
        token("telegram", &[&d.some("123456789", 10), ":", "AA", &d.some(WORD, 33)]),
        placed("heroku", "HEROKU_API_KEY=", &d.uuid(), ""),
        token("digitalocean", &["do", "p_v1_", &d.some(HEX, 64)]),
        placed("cloudflare", "CLOUDFLARE_API_TOKEN: ", &d.some(WORD, 40), ""),
        placed("datadog", "DD_API_KEY=", &d.some(HEX, 32), ""),
        token("newrelic", &["NR", "AK-", &d.some(UPPER, 27)]),
        placed("sentry", "https://", &d.some(HEX, 32), "@o123.ingest.sentry.io/4505"),
        token("square", &["sq", "0atp-", &d.some(WORD, 22)]),
        token("shopify", &["shp", "at_", &d.some(HEX, 32)]),
        token("linear", &["lin", "_api_", &d.some(ALNUM, 40)]),
        token("notion", &["nt", "n_", &d.some(ALNUM, 46)]),
        token("figma", &["fi", "gd_", &d.some(WORD, 40)]),
        token("huggingface", &["h", "f_", &d.some(ALNUM, 34)]),
        token("databricks", &["da", "pi", &d.some(HEX, 32)]),
        token("vault", &["hv", "s.", &d.some(WORD, 90)]),
        token("terraform", &[&d.some(ALNUM, 14), ".atlas", "v1.", &d.some(WORD, 67)]),
        token("doppler", &["dp", ".pt.", &d.some(ALNUM, 43)]),
        token("jwt", &["ey", "J", &d.some(WORD, 33), ".ey", "J", &d.some(WORD, 60), ".", &d.some(WORD, 43)]),
        pem(d, "RSA PRIVATE KEY", 12),
        pem(d, "OPENSSH PRIVATE KEY", 6),
        pem(d, "PGP PRIVATE KEY BLOCK", 8),
        token("age", &["AGE-SECRET", "-KEY-1", &d.some("023456789ACDEFGHJKLMNPQRSTUVWXYZ", 58)]),
        placed("putty", "Private-Lines: 1\n", &d.some(BASE64, 64), "\nPrivate-MAC: x"),
    ];
    for scheme in ["postgres", "mysql", "mongodb+srv", "amqp", "ftp", "smtp", "https", "redis"] {
        let user = if scheme == "redis" { "" } else { "app" };
        let password = d.some(ALNUM, 14);
        all.push(placed(scheme, &format!("{scheme}://{user}:"), &password, "@db.internal:5432/main"));
    }
    let basic = base64(&format!("deploy:{}", d.password()));
    let docker = base64(&format!("builder:{}", d.password()));
    all.extend([
        placed("jdbc", "jdbc:mysql://db/x?user=app&password=", &d.some(ALNUM, 16), "&ssl=true"),
        placed("bearer", "Authorization: Bearer ", &d.some(WORD, 40), ""),
        placed("basic", "Authorization: Basic ", &basic, ""),
        placed("docker", "{\"auths\": {\"ghcr.io\": {\"auth\": \"", &docker, "\"}}}"),
        placed("env", "export DB_PASSWORD=", &d.password(), ""),
        placed("yaml", "password: ", &d.password(), ""),
        placed("code", "const apiKey = \"", &d.some(LOWER, 32), "\";"),
        placed("python", "client_secret='", &d.some(WORD, 32), "'"),
        placed("prose", "the password of the staging box is ", &d.password(), ""),
        placed("turkish", "veritabanı şifresi: ", &d.password(), ""),
        placed("netrc", "machine git.host login ada password ", &d.password(), ""),
        placed("cookie", "Cookie: theme=dark; sid=", &d.some(ALNUM, 40), "; lang=tr"),
        placed("session", "PHPSESSID=", &d.some(LOWER, 32), ""),
        placed("kubeconfig", "    token: ", &d.some(WORD, 48), ""),
        placed("curl", "curl -u ada:", &d.password(), " https://x.io"),
        placed("flag", "tool login --password ", &d.password(), ""),
        placed("xml", "<password>", &d.password(), "</password>"),
    ]);
    all
}

/// In so many places,
pub(crate) const SURROUNDINGS: usize = 9;

/// where people and programs leave such things.
pub(crate) fn surround(place: usize, text: &str) -> (&'static str, String) {
    let lines = text.replace('\n', "\\n").replace('"', "\\\"");
    match place {
        0 => ("prose", format!("I found this in the wiki, please use it:\n{text}\nand tell me if it works.")),
        1 => (
            "log",
            format!("2026-03-04T10:11:12.345Z INFO  [worker-3] sending\n{text}\n2026-03-04 done in 12 ms"),
        ),
        2 => {
            let diff: Vec<String> = text.lines().map(|line| format!("+{line}")).collect();
            ("diff", format!("@@ -1,4 +1,5 @@\n context line\n{}\n-old line", diff.join("\n")))
        }
        3 => ("json", format!("{{\"level\": \"info\", \"message\": \"{lines}\", \"n\": 3}}")),
        4 => {
            let twice = lines.replace('\\', "\\\\").replace('"', "\\\"");
            ("json in json", format!("{{\"body\": \"{{\\\"message\\\": \\\"{twice}\\\"}}\"}}"))
        }
        5 => {
            let mut coded = String::new();
            for byte in text.bytes() {
                match byte {
                    byte if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) => {
                        coded.push(char::from(byte))
                    }
                    byte => coded.push_str(&format!("%{byte:02X}")),
                }
            }
            ("address", format!("GET /callback?next=1&data={coded}&page=2 HTTP/1.1"))
        }
        6 => ("quoted", format!("the config says\n> {}\nas of today", text.replace('\n', "\n> "))),
        7 => ("colour", format!("\u{1b}[32m{text}\u{1b}[0m ok")),
        _ => ("code", format!("fn main() {{\n    run();\n}}\n\n{text}\n\nlet x = 3;")),
    }
}
