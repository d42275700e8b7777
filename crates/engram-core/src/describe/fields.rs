//! The words and the files that tell a field of knowledge.
//!
//! The phrases are written as `ask::speech` reads them: folded, parted by
//! commas, `a|b` for either word and `fail*` for every word that begins so,
//! which is how Turkish endings are let in. What stands between two commas is
//! one telling word. A word that every field uses ("file", "error", "server")
//! tells nothing and is in none of the lists. How they are counted is not known
//! here.

/// Each field with the words that tell it, English before Turkish.
#[rustfmt::skip]
pub(super) const FIELDS: &[(&str, &str)] = &[
    ("rust", "rust|rustc|rustup|rustfmt|rusta|rustta|rustin, cargo|cargoyu, crate|crates|cratei|crateler*, \
        clippy, borrow checker, serde, trait|traits|traiti, lifetime|lifetimes, axum|actix, proc macro*"),
    ("python", "python*, pip|pip3|pipx|pipenv, virtualenv|venv|conda, django|flask|fastapi, \
        pandas|numpy|pydantic|sqlalchemy, mypy|pylint|flake8|ruff, asyncio|celery, pep8"),
    ("javascript", "javascript*|ecmascript, js, node modules|process, nodejs|node_modules|nvm, \
        npm|pnpm|yarn|npx|deno, eslint|prettier|babel, commonjs|esm"),
    ("typescript", "typescript*, ts, tsc|tsconfig, zod, type guard*|assertion*"),
    ("go", "golang, goroutine*, gofmt|gopls, go mod|modules|vet|fmt|routine*, go 1|code|compiler|toolchain|version, \
        in go, go dili*"),
    ("java", "java|javac|javada|javanin, jdk|jre|jvm, maven|gradle, spring boot, hibernate|jpa|lombok, \
        jar|jars, tomcat|jetty"),
    ("testing", "test|tests|testing|tested|testi|testin|testte|testler*, unit|integration|regression test*, \
        birim|entegrasyon|regresyon test*, cargo|go|npm|pnpm|yarn test|tests, pytest|pytestle, \
        jest|vitest|mocha|cypress|playwright|junit|selenium, mock|mocks|mocked|mocking|stub|stubs, \
        fixture*, assertion*|assert|asserts, coverage, flaky, regression*|regresyon*, e2e"),
    ("git", "git|gitte|giti|gitin, github|gitlab|bitbucket, pull|merge request*, \
        branch|branches|branchi|branchte|branchler*, \
        commit|commits|committed|committing|commiti|commitle|commitler*, pre commit, \
        rebase*|squash*, merge|merged|merges|merging, force push*, stash*, submodule*, worktree*, gitignore"),
    ("docker", "docker*, docker compose, container|containers|konteyner*, podman|buildx|containerd, \
        image layer*, multi stage, imaj|imaji|imajlar*"),
    ("kubernetes", "kubernetes*|k8s, kubectl|kubeconfig|kubeadm|kubelet, helm, pod|pods|podu|poda|podlar*, \
        ingress, namespace|namespaces, statefulset*|daemonset*|configmap*, sidecar*, \
        argocd|kustomize|istio|minikube, gke|aks|eks"),
    ("aws", "aws, s3, ec2, lambda function*|fonksiyon*, iam, dynamodb, cloudwatch, cloudfront, \
        cloudformation, sqs|sns, rds, ecs|ecr|fargate, route53, us|eu|ap east|west|central|south|north, arn"),
    ("database", "database*|db, postgres*|psql|pgbouncer, mysql|mariadb, sqlite*, mongo*, redis*, surreal*, \
        clickhouse|cassandra, sql, query|queries|querying, slow quer*, migration|migrations, \
        schema|schemas|schemayi, foreign|primary key*, transaction|transactions, indexes|indices, \
        table row*|column*|scan*, orm, \
        veritaban*, veri taban*, sorgu|sorgular*|sorgusu*|sorguyu, tablo|tablosu*|tabloya|tablolar*, indeks*, \
        migrasyon*, sema|semasi*|semayi"),
    ("security", "security|secure|securely|guvenlik*|guvenli, secret|secrets, password*|parola*, \
        sifre|sifresi*|sifreyi|sifreler*, \
        auth|oauth*|authentication|authorization|authorisation, access|refresh|bearer|auth token*, jwt|jwts, \
        api key*|anahtar*, encrypt*|decrypt*|sifrele|sifreleme*|sifreli, vulnerab*|cve|exploit*|zafiyet*, \
        xss|csrf|ssrf|injection, permission*|yetki*, tls|mtls|ssl, certificate*|sertifika*, \
        credential*, kimlik dogrula*, gdpr|kvkk"),
    ("frontend", "frontend|onyuz*, front end, on yuz*, arayuz*, css|scss|sass|tailwind*, reactjs, \
        react component*|hook*|app|query|router|native, vue|vuejs|svelte*|angular|nextjs|nuxt*, \
        html|dom, ui|ux, ui component*, button|buttons|buton*, \
        modal|tooltip|dropdown|navbar|sidebar, browser*|tarayici*, responsive|viewport|flexbox, dark mode, \
        accessibility|aria|wcag|erisilebilirlik, vite|webpack|storybook|redux|zustand, stylesheet*, layout*"),
    ("networking", "network*|ag|agi|agda|agin|aglar*, dns, proxy|proxies|nginx|haproxy|envoy|traefik, \
        tcp|udp|quic, http2|http3|websocket*|grpc, port|ports|portu|portta|portunda|portundan, firewall*, \
        guvenlik duvari*, load balanc*, yuk dengeleyici*, vpn|wireguard, subnet*|vpc|cidr|nat, packet*, \
        socket|sockets|soket*, ip, ip address*|adres*, bandwidth, bant genisligi"),
    ("ci", "ci|cicd|cide|cinin, ci cd, pipeline|pipelines|pipelinei, github actions|action|workflow*, gitlab ci, \
        jenkins*|circleci|travis|buildkite|teamcity, runner|runners, build artifact*, nightly build*, \
        continuous integration, surekli entegrasyon"),
    ("documentation", "documentation|docs|dokuman*, readme*, changelog*, release notes, surum notlari*, \
        docstring*|rustdoc|javadoc|jsdoc, sphinx|mkdocs|docusaurus, glossary|tutorial*|kilavuz*, \
        user guide*, adr|adrs, markdown, wiki|wikide|wikiye, belgelendir*"),
    ("performance", "performance|performans*, latency|gecikme*, throughput, benchmark*|kiyaslama*, \
        profiler|profiling|flamegraph*, flame graph*, slow|slower|slowly|slowest|yavas*, \
        faster|speed|speedup|hizlan*, cache|caches|cached|caching|onbellek*, memory leak*|usage, \
        bellek sizinti*|kullanim*, oom, optimiz*|optimise*|optimisation*, p50|p95|p99, \
        bottleneck*|darbogaz*, cpu time|usage|kullanim*"),
    ("editor", "editor*, vim|neovim|nvim|emacs, vscode|vscodeda, vs code, visual studio, \
        jetbrains|intellij|pycharm|webstorm|goland|rustrover, keybinding*|keymap*|shortcut*|kisayol*, \
        key binding*, indent|indentation|girinti*, format on save, language server*|lsp, tab width"),
];

/// Words that mean something else too: they tell a field only where they name
/// a tool or a package.
pub(super) const NAMES: &[(&str, &str)] = &[
    ("go", "go"),
    ("node", "javascript"),
    ("express", "javascript"),
    ("bun", "javascript"),
    ("react", "frontend"),
    ("spring", "java"),
    ("poetry", "python"),
    ("uv", "python"),
];

/// What the name of a file ends with, or is, in capitals or not; some programs
/// are called like files. A page of Markdown and a file of settings may be
/// about anything, and tell nothing.
pub(super) const FILES: &[(&str, &str)] = &[
    (".rs", "rust"),
    ("Cargo.toml", "rust"),
    ("Cargo.lock", "rust"),
    (".py", "python"),
    (".ipynb", "python"),
    ("pyproject.toml", "python"),
    ("requirements.txt", "python"),
    (".js", "javascript"),
    (".jsx", "javascript"),
    (".mjs", "javascript"),
    (".cjs", "javascript"),
    ("package.json", "javascript"),
    (".ts", "typescript"),
    (".tsx", "typescript"),
    ("tsconfig.json", "typescript"),
    (".go", "go"),
    ("go.mod", "go"),
    (".java", "java"),
    ("pom.xml", "java"),
    (".gradle", "java"),
    (".gitignore", "git"),
    (".gitattributes", "git"),
    ("Dockerfile", "docker"),
    (".dockerignore", "docker"),
    ("compose.yml", "docker"),
    ("compose.yaml", "docker"),
    ("Chart.yaml", "kubernetes"),
    (".sql", "database"),
    (".pem", "security"),
    (".css", "frontend"),
    (".scss", "frontend"),
    (".html", "frontend"),
    (".vue", "frontend"),
    ("Next.js", "frontend"),
    ("Vue.js", "frontend"),
    (".svelte", "frontend"),
    (".gitlab-ci.yml", "ci"),
    ("Jenkinsfile", "ci"),
    ("README.md", "documentation"),
    ("CHANGELOG.md", "documentation"),
    (".editorconfig", "editor"),
    (".vimrc", "editor"),
];

/// Folders of one field: whatever is in them belongs to it.
pub(super) const FOLDERS: &[(&str, &str)] = &[(".github/workflows/", "ci"), (".vscode/", "editor")];

/// What the name of a machine ends with.
pub(super) const HOSTS: &[(&str, &str)] = &[(".amazonaws.com", "aws")];
