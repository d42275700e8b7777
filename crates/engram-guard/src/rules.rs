//! The rules as data: tokens that announce themselves by how they begin, and
//! shapes that need an expression.
//!
//! To add a provider, add a line. A token is told by its beginning, by the
//! characters that may follow and by how many there are at least; where a
//! provider's tokens have one length only, that length is exact. The names of
//! rules appear in stored texts, so they are kept once they are released.

/// Which characters a token is made of after its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    /// `0-9a-f`, in either case
    Hex,
    /// `A-Z0-9`
    Upper,
    /// letters and digits
    Alnum,
    /// letters, digits, `_` and `-`
    Word,
    /// letters, digits, `_`, `-` and `.`
    Dotted,
    /// letters, digits and what both sorts of base64 add to them
    Base64,
}

impl Body {
    pub(crate) fn has(self, byte: u8) -> bool {
        match self {
            Body::Hex => byte.is_ascii_hexdigit(),
            Body::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Body::Alnum => byte.is_ascii_alphanumeric(),
            Body::Word => byte.is_ascii_alphanumeric() || b"_-".contains(&byte),
            Body::Dotted => byte.is_ascii_alphanumeric() || b"_-.".contains(&byte),
            Body::Base64 => byte.is_ascii_alphanumeric() || b"_-+/=".contains(&byte),
        }
    }
}

/// A token that is told by its beginning.
pub(crate) struct Token {
    pub(crate) rule: &'static str,
    /// In its own case.
    pub(crate) start: &'static str,
    pub(crate) body: Body,
    /// How many characters follow the beginning, at least.
    pub(crate) least: usize,
    /// Whether more than these characters make it something else.
    pub(crate) exact: bool,
}

const fn at_least(rule: &'static str, start: &'static str, body: Body, least: usize) -> Token {
    Token { rule, start, body, least, exact: false }
}

const fn exactly(rule: &'static str, start: &'static str, body: Body, least: usize) -> Token {
    Token { rule, start, body, least, exact: true }
}

use Body::{Alnum, Base64, Dotted, Hex, Upper, Word};

pub(crate) const TOKENS: &[Token] = &[
    exactly("aws-access-key", "AKIA", Upper, 16),
    exactly("aws-access-key", "ASIA", Upper, 16),
    exactly("aws-access-key", "ABIA", Upper, 16),
    exactly("aws-access-key", "ACCA", Upper, 16),
    at_least("aws-bedrock-key", "ABSK", Base64, 80),
    at_least("google-api-key", "AIza", Word, 35),
    at_least("google-oauth-token", "ya29.", Dotted, 20),
    at_least("google-oauth-secret", "GOCSPX-", Word, 24),
    at_least("google-refresh-token", "1//0", Word, 30),
    at_least("github-token", "ghp_", Alnum, 30),
    at_least("github-token", "gho_", Alnum, 30),
    at_least("github-token", "ghu_", Alnum, 30),
    at_least("github-token", "ghs_", Dotted, 30),
    at_least("github-token", "ghr_", Alnum, 30),
    at_least("github-token", "github_pat_", Word, 22),
    at_least("gitlab-token", "glpat-", Dotted, 18),
    at_least("gitlab-token", "glptt-", Word, 20),
    at_least("gitlab-token", "gldt-", Word, 18),
    at_least("gitlab-token", "glrt-", Dotted, 18),
    at_least("gitlab-token", "glcbt-", Word, 18),
    at_least("gitlab-token", "glsoat-", Word, 18),
    at_least("gitlab-token", "glimt-", Word, 18),
    at_least("gitlab-token", "glft-", Word, 18),
    at_least("gitlab-token", "glagent-", Word, 30),
    at_least("gitlab-token", "gloas-", Word, 30),
    at_least("gitlab-token", "GR1348941", Word, 20),
    at_least("bitbucket-token", "ATBB", Alnum, 28),
    at_least("atlassian-token", "ATATT3", Base64, 60),
    at_least("atlassian-token", "ATCTT3", Base64, 60),
    at_least("trello-token", "ATTA", Alnum, 60),
    at_least("slack-token", "xoxa-", Word, 10),
    at_least("slack-token", "xoxb-", Word, 10),
    at_least("slack-token", "xoxc-", Word, 10),
    at_least("slack-token", "xoxd-", Base64, 10),
    at_least("slack-token", "xoxe-", Word, 10),
    at_least("slack-token", "xoxe.", Dotted, 10),
    at_least("slack-token", "xoxo-", Word, 10),
    at_least("slack-token", "xoxp-", Word, 10),
    at_least("slack-token", "xoxr-", Word, 10),
    at_least("slack-token", "xoxs-", Word, 10),
    at_least("slack-token", "xapp-", Word, 20),
    at_least("stripe-key", "sk_live_", Alnum, 16),
    at_least("stripe-key", "rk_live_", Alnum, 16),
    at_least("stripe-key", "sk_prod_", Alnum, 16),
    at_least("razorpay-key", "rzp_live_", Alnum, 14),
    at_least("amazon-mws-token", "amzn.mws.", Word, 32),
    at_least("stripe-webhook-secret", "whsec_", Base64, 24),
    // OpenAI, Anthropic, OpenRouter, DeepSeek and others begin alike.
    at_least("anthropic-key", "sk-ant-", Word, 20),
    at_least("openai-key", "sk-proj-", Word, 20),
    at_least("openai-key", "sk-svcacct-", Word, 20),
    at_least("openai-key", "sk-admin-", Word, 20),
    at_least("openrouter-key", "sk-or-", Word, 20),
    at_least("model-key", "sk-", Word, 20),
    at_least("groq-key", "gsk_", Alnum, 30),
    at_least("xai-key", "xai-", Alnum, 40),
    at_least("perplexity-key", "pplx-", Alnum, 32),
    at_least("replicate-token", "r8_", Alnum, 30),
    at_least("cerebras-key", "csk-", Alnum, 30),
    at_least("langsmith-key", "lsv2_pt_", Word, 30),
    at_least("langsmith-key", "lsv2_sk_", Word, 30),
    at_least("nvidia-key", "nvapi-", Word, 40),
    at_least("huggingface-token", "hf_", Alnum, 30),
    at_least("huggingface-token", "api_org_", Alnum, 30),
    at_least("npm-token", "npm_", Alnum, 30),
    at_least("pypi-token", "pypi-", Word, 40),
    at_least("rubygems-key", "rubygems_", Hex, 40),
    exactly("crates-io-token", "cio", Alnum, 32),
    at_least("clojars-token", "CLOJARS_", Alnum, 50),
    exactly("nuget-key", "oy2", Alnum, 43),
    at_least("docker-token", "dckr_pat_", Word, 20),
    at_least("docker-token", "dckr_oat_", Word, 20),
    at_least("artifactory-key", "AKCp", Alnum, 60),
    at_least("artifactory-key", "cmVmdGtu", Base64, 50),
    exactly("twilio-key", "SK", Hex, 32),
    at_least("sendgrid-key", "SG.", Dotted, 40),
    exactly("mailgun-key", "key-", Hex, 32),
    at_least("brevo-key", "xkeysib-", Word, 60),
    at_least("heroku-key", "HRKU-", Word, 30),
    at_least("digitalocean-token", "dop_v1_", Hex, 40),
    at_least("digitalocean-token", "doo_v1_", Hex, 40),
    at_least("digitalocean-token", "dor_v1_", Hex, 40),
    at_least("cloudflare-key", "v1.0-", Word, 80),
    at_least("datadog-key", "ddapp_", Alnum, 30),
    at_least("datadog-key", "ddpat_", Alnum, 30),
    at_least("newrelic-key", "NRAK-", Upper, 24),
    at_least("newrelic-key", "NRII-", Word, 24),
    at_least("newrelic-key", "NRJS-", Hex, 16),
    at_least("newrelic-key", "NRIQ-", Word, 24),
    at_least("sentry-token", "sntrys_", Base64, 40),
    at_least("sentry-token", "sntryu_", Hex, 40),
    at_least("grafana-token", "glsa_", Word, 30),
    at_least("grafana-token", "glc_", Base64, 30),
    at_least("dynatrace-token", "dt0c01.", Dotted, 60),
    at_least("dynatrace-token", "dt0s16.", Dotted, 60),
    at_least("sonar-token", "squ_", Hex, 40),
    at_least("sonar-token", "sqp_", Hex, 40),
    at_least("sonar-token", "sqa_", Hex, 40),
    at_least("square-token", "sq0atp-", Word, 20),
    at_least("square-secret", "sq0csp-", Word, 30),
    exactly("square-token", "EAAA", Word, 60),
    at_least("shopify-token", "shpat_", Hex, 32),
    at_least("shopify-token", "shpca_", Hex, 32),
    at_least("shopify-token", "shppa_", Hex, 32),
    at_least("shopify-token", "shpss_", Hex, 32),
    at_least("facebook-token", "EAAC", Alnum, 60),
    at_least("linear-key", "lin_api_", Alnum, 32),
    at_least("linear-key", "lin_oauth_", Alnum, 32),
    at_least("notion-token", "ntn_", Alnum, 40),
    exactly("notion-token", "secret_", Alnum, 43),
    at_least("figma-token", "figd_", Word, 30),
    at_least("figma-token", "figu_", Word, 30),
    at_least("airtable-token", "pat", Dotted, 78),
    at_least("typeform-token", "tfp_", Word, 40),
    at_least("postman-key", "PMAK-", Word, 50),
    at_least("contentful-token", "CFPAT-", Word, 40),
    at_least("databricks-token", "dapi", Hex, 32),
    at_least("vault-token", "hvs.", Word, 20),
    at_least("vault-token", "hvb.", Word, 20),
    at_least("vault-token", "hvr.", Word, 20),
    at_least("doppler-token", "dp.pt.", Alnum, 40),
    at_least("doppler-token", "dp.st.", Dotted, 40),
    at_least("doppler-token", "dp.ct.", Alnum, 40),
    at_least("doppler-token", "dp.sa.", Alnum, 40),
    at_least("doppler-token", "dp.scim.", Alnum, 40),
    at_least("doppler-token", "dp.audit.", Alnum, 40),
    at_least("onepassword-token", "ops_eyJ", Base64, 60),
    at_least("pulumi-token", "pul-", Hex, 40),
    at_least("prefect-key", "pnu_", Alnum, 36),
    at_least("planetscale-token", "pscale_tkn_", Dotted, 32),
    at_least("planetscale-token", "pscale_pw_", Dotted, 32),
    at_least("planetscale-token", "pscale_oauth_", Dotted, 32),
    at_least("supabase-token", "sbp_", Hex, 40),
    at_least("supabase-key", "sb_secret_", Word, 24),
    at_least("neon-key", "napi_", Alnum, 40),
    at_least("netlify-token", "nfp_", Alnum, 36),
    at_least("render-key", "rnd_", Alnum, 24),
    at_least("vercel-token", "vcp_", Alnum, 24),
    at_least("fly-token", "fm2_", Base64, 60),
    at_least("tailscale-key", "tskey-", Word, 20),
    at_least("sourcegraph-token", "sgp_", Word, 40),
    at_least("buildkite-token", "bkua_", Hex, 40),
    at_least("circleci-token", "CCIPAT_", Word, 40),
    at_least("openshift-token", "sha256~", Word, 40),
    at_least("alibaba-key", "LTAI", Alnum, 17),
    at_least("yandex-token", "AQVN", Word, 34),
    at_least("flutterwave-key", "FLWSECK-", Word, 20),
    at_least("duffel-token", "duffel_live_", Word, 40),
    at_least("shippo-token", "shippo_live_", Hex, 40),
    at_least("easypost-key", "EZAK", Alnum, 54),
    at_least("readme-key", "rdme_", Alnum, 60),
    at_least("plaid-token", "access-production-", Word, 32),
    at_least("age-key", "AGE-SECRET-KEY-1", Upper, 50),
];

/// What the value of an expression has to pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    /// Anything but a stand-in.
    Any,
    /// What `Strength::Token` asks for.
    Token,
    /// What `Strength::Password` asks for.
    Password,
    /// Base64 of a user and a password.
    UserAndPassword,
    /// The pairs of a cookie, of which only the long values are masked.
    Cookies,
}

/// A shape that needs an expression. Its first group is what is masked.
pub(crate) struct Shape {
    pub(crate) rule: &'static str,
    /// In lower case. Without one of them the expression is not even compiled.
    pub(crate) words: &'static [&'static str],
    pub(crate) expression: &'static str,
    pub(crate) check: Check,
}

const fn shape(
    rule: &'static str,
    words: &'static [&'static str],
    expression: &'static str,
    check: Check,
) -> Shape {
    Shape { rule, words, expression, check }
}

/// The expressions know ASCII only, which keeps them small.
pub(crate) const SHAPES: &[Shape] = &[
    shape(
        "jwt",
        &["eyj"],
        r"(?:^|[^A-Za-z0-9_])(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){0,3})",
        Check::Any,
    ),
    shape(
        "slack-webhook",
        &["hooks.slack.com"],
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,})",
        Check::Any,
    ),
    shape(
        "discord-webhook",
        &["/api/webhooks/"],
        r"/api/webhooks/([0-9]{15,}/[A-Za-z0-9_-]{30,})",
        Check::Any,
    ),
    shape(
        "teams-webhook",
        &["webhook.office.com"],
        r"webhook\.office\.com/webhookb2/([A-Za-z0-9@/_-]{40,})",
        Check::Any,
    ),
    shape(
        "telegram-token",
        &[":aa", "telegram", "bot"],
        r"(?:^|[^0-9A-Za-z]|bot)([0-9]{8,10}:[A-Za-z0-9_-]{34,36})(?:[^A-Za-z0-9_-]|$)",
        Check::Token,
    ),
    shape(
        "discord-token",
        &["discord", "bot"],
        r"(?:^|[^A-Za-z0-9_-])([MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})",
        Check::Token,
    ),
    shape("firebase-key", &[":apa91b"], r"(AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{80,})", Check::Any),
    shape("terraform-token", &[".atlasv1."], r"([A-Za-z0-9]{10,}\.atlasv1\.[A-Za-z0-9_=-]{40,})", Check::Any),
    shape("azure-secret", &["q~"], r"([A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34})", Check::Any),
    shape("mailchimp-key", &["-us"], r"(?:^|[^0-9A-Za-z])([0-9a-f]{32}-us[0-9]{1,2})", Check::Any),
    shape(
        "resend-key",
        &["re_"],
        r"(?:^|[^A-Za-z0-9_])(re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,})",
        Check::Token,
    ),
    shape("newrelic-key", &["nral"], r"([0-9a-fA-F]{32,40}NRAL)", Check::Any),
    shape("paypal-token", &["access_token$production$"], r"\$production\$([a-z0-9$]{30,})", Check::Any),
    shape(
        "vault-token",
        &["vault"],
        r"(?:^|[^A-Za-z0-9_.])(s\.[A-Za-z0-9]{24})(?:[^A-Za-z0-9_.]|$)",
        Check::Token,
    ),
    // The two halves of a key side by side, as people paste them.
    shape(
        "aws-secret-key",
        &["akia", "asia"],
        r"A[KS]IA[A-Z0-9]{16}[^A-Za-z0-9\n]{1,8}([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)",
        Check::Token,
    ),
    shape(
        "bearer-token",
        &["bearer"],
        r#"(?i)bearer["']?[ \t:=+]+["']?([A-Za-z0-9._~+/=-]{10,})"#,
        Check::Token,
    ),
    shape("basic-auth", &["basic"], r"(?i)basic[ \t+]+([A-Za-z0-9+/_-]{8,}={0,2})", Check::UserAndPassword),
    shape(
        "authorization",
        &["authorization"],
        r#"(?i)authorization["'\])]*[ \t]*[:=,][ \t]*["']?(?:[A-Za-z][A-Za-z0-9-]*[ \t]+)?([^\s"',;]{10,})"#,
        Check::Token,
    ),
    shape(
        "cookie",
        &["cookie"],
        r#"(?i)(?:^|[^A-Za-z0-9_])cookie["']?[ \t]*[:=][ \t]*["']?([^\r\n"']{12,})"#,
        Check::Cookies,
    ),
    shape(
        "password",
        &["curl"],
        r#"curl[^\n|]*?[ \t](?:-u|--user|--proxy-user)[ =]?["']?[^\s:"']+:([^\s"']{4,})"#,
        Check::Password,
    ),
    shape(
        "password",
        &["sshpass", "mysql", "mariadb"],
        r#"(?:sshpass[ \t]+-p[ \t]*|(?:mysql|mariadb)[a-z_-]*[ \t][^\n|]*?-p)["']?([^\s"']{6,})"#,
        Check::Password,
    ),
    shape(
        "password",
        &["docker login", "helm registry login"],
        r#"login[^\n|]*?[ \t]-p[ \t]+["']?([^\s"']{6,})"#,
        Check::Password,
    ),
    shape("password", &["jdbc:oracle"], r"jdbc:oracle:[a-z]+:[^\s/@]+/([^\s@]{4,})@", Check::Any),
    shape("jwk", &["\"kty\""], r#""(?:d|k|p|q|dp|dq|qi)"[ \t]*:[ \t]*"([A-Za-z0-9_-]{20,})""#, Check::Any),
];
