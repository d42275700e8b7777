//! What is known about words: which mean the same, which are kinds of others,
//! which exclude each other, and which carry a claim's frame.
//!
//! The lists are general English and Turkish and the vocabulary of a
//! developer, written in base forms without Turkish letters. Whether two words
//! that exclude each other make two claims contradict is not decided here.

use super::known::Known;

/// How one word bears on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tie {
    Same,
    /// The first is a kind of the second.
    Narrower,
    /// The second is a kind of the first.
    Wider,
}

/// How two words exclude each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clash {
    /// Two ends of one state of a thing: on and off, passing and failing.
    State,
    Antonym,
    /// Two members of a set of which a slot holds one: two weekdays, two
    /// colours. Different claims may well name both.
    Class,
}

/// A word as it is looked up: by its spelling or by its stem.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'w> {
    pub(super) spelling: &'w str,
    pub(super) known: &'static Known,
}

pub(super) fn tie(one: Entry<'_>, other: Entry<'_>) -> Option<Tie> {
    if one.spelling == other.spelling {
        return Some(Tie::Same);
    }
    let (mine, theirs) = (one.known, other.known);
    if share(&mine.alike, &theirs.alike) {
        Some(Tie::Same)
    } else if share(&mine.members, &theirs.kinds) {
        Some(Tie::Narrower)
    } else if share(&theirs.members, &mine.kinds) {
        Some(Tie::Wider)
    } else {
        None
    }
}

pub(super) fn clash(one: Entry<'_>, other: Entry<'_>) -> Option<Clash> {
    let (mine, theirs) = (one.known, other.known);
    let opposed = |mine: &[(u16, bool)], theirs: &[(u16, bool)]| {
        mine.iter().any(|(line, side)| theirs.contains(&(*line, !side)))
    };
    let undone =
        |one: &str, other: &str| one.strip_prefix("un").is_some_and(|rest| rest == other && rest.len() >= 4);
    if opposed(&mine.states, &theirs.states)
        || undone(one.spelling, other.spelling)
        || undone(other.spelling, one.spelling)
    {
        return Some(Clash::State);
    }
    if opposed(&mine.opposites, &theirs.opposites) {
        return Some(Clash::Antonym);
    }
    (one.spelling != other.spelling && share(&mine.classes, &theirs.classes)).then_some(Clash::Class)
}

fn share(mine: &[u16], theirs: &[u16]) -> bool {
    mine.iter().any(|line| theirs.contains(line))
}

/// Whether a word tells a condition that has an opposite.
pub(super) fn has_opposite(stem: Entry<'_>) -> bool {
    !stem.known.states.is_empty() || !stem.known.opposites.is_empty()
}

/// Words that can stand for each other.
#[rustfmt::skip]
pub(super) const ALIKE: &[&str] = &[
    "kid child youngster", "man guy gentleman", "woman lady", "person people human",
    "someone somebody person", "dad father", "mom mother", "puppy pup", "kitten kitty", "bike bicycle",
    "biker cyclist bicyclist", "motorcycle motorbike", "motorcyclist biker", "car automobile",
    "plane airplane aircraft", "boat ship", "picture photo photograph image", "film movie", "road street",
    "sofa couch", "rock stone", "forest wood", "shore beach", "speak talk chat converse", "jump leap hop",
    "shout yell scream", "cut slice chop", "mix stir blend", "big large huge giant", "small little tiny",
    "fast quick rapid", "silent quiet", "pretty beautiful", "angry mad", "happy glad",
    "near close beside next", "look watch stare", "throw toss", "pull drag", "put place", "begin start",
    "end finish", "shut close", "repair fix mend", "ocean sea", "grass lawn", "crowd group",
    "dirt mud soil", "bunch group", "clothes clothing", "outdoors outside", "indoors inside",
    "remove delete", "buy purchase", "help assist", "carry bring", "draw sketch",
    // What developers call by several names.
    "database db", "config configuration settings", "repo repository", "env environment",
    "auth authentication", "prod production", "dev development", "docs documentation doc",
    "k8s kubernetes", "postgres postgresql pg", "js javascript", "ts typescript", "app application",
    "dir directory folder", "param parameter", "arg argument", "info information", "msg message",
    "pwd password", "func function", "lib library", "pkg package", "spec specification",
    "admin administrator", "mongo mongodb", "py python", "gh github", "github-actions actions",
    "1password onepassword", "elastic elasticsearch", "store keep save", "need require",
    "choose pick select", "error failure", "build compile", 
    "macos mac osx", "ticket issue", "secret credential", "deploy deployment", "prefer favour favor",
    "anahtar key", "sunucu server", "veritabani database db", "klasor dizin folder directory", "dosya file",
    "dal branch", "ayar config yapilandirma", "ortam environment", "parola sifre password",
    "surum versiyon version", "test sinama", "kullan use", "calis run", "calistir run", "tercih prefer",
    "sekme tab", "bosluk space", "canli production prod", "depo repo", "sakla tut", "bulun dur",
    "adam erkek", "kadin bayan", "cocuk ufaklik", "buyuk kocaman", "kucuk ufak minik",
    "araba otomobil", "hizli cabuk", "guzel hos",
];

/// A kind, and what is of that kind. A kind says less than its members, so
/// putting one for the other adds or leaves out and never contradicts.
#[rustfmt::skip]
pub(super) const KINDS: &[(&str, &str)] = &[
    ("person someone somebody people", "man woman boy girl child kid guy lady baby toddler teenager \
        adult player rider biker cyclist runner swimmer surfer skater skier dancer singer musician \
        guitarist drummer chef cook doctor nurse teacher student worker officer policeman soldier \
        artist actor actress athlete boxer climber hiker driver motorcyclist cowboy fisherman couple \
        crowd group team mother father brother sister son daughter friend gentleman youngster infant \
        spectator skateboarder wrestler snowboarder jumper"),
    ("child kid", "boy girl baby toddler infant"),
    ("man", "cowboy fisherman policeman gentleman"),
    ("group", "team crowd couple"),
    ("animal pet creature", "dog cat horse cow sheep goat pig bird fish lion tiger elephant monkey \
        panda bear rabbit squirrel deer kangaroo turtle snake lizard rhino zebra giraffe puppy kitten \
        mouse rat hamster hedgehog fox wolf duck parrot eagle lemur"),
    ("dog", "puppy pup poodle terrier bulldog collie labrador beagle"),
    ("cat", "kitten"),
    ("bird", "parrot eagle duck owl chicken"),
    ("food meal", "bread meat cheese fruit vegetable pizza pasta rice egg fish soup salad cake steak \
        sandwich banana apple tomato potato onion carrot shrimp chicken beef pork broccoli garlic \
        butter tortilla cucumber mushroom pepper noodle"),
    ("vegetable", "carrot potato onion tomato broccoli garlic cucumber pepper okra zucchini cabbage"),
    ("fruit", "apple banana orange lemon mango"),
    ("meat", "beef pork chicken steak lamb ham"),
    ("instrument", "guitar piano flute violin drum trumpet keyboard saxophone harp cello"),
    ("vehicle", "car truck bus van motorcycle bicycle bike train jeep tractor scooter"),
    ("clothes clothing", "shirt jacket coat dress hat pants trousers shoes sweater"),
    ("ball", "football basketball baseball softball"),
    ("game sport", "football soccer basketball baseball tennis hockey rugby golf chess volleyball cricket"),
    ("water", "river lake pool ocean sea pond stream"),
    ("tree", "oak pine palm"),
    ("move", "run walk jump swim crawl climb fly ride"),
    ("cut", "slice chop dice carve trim"),
    ("cook", "fry boil bake grill roast"),
    ("clean", "wash wipe rinse"),
    ("make", "prepare build"),
    ("hold", "carry"),
    ("exercise", "jog lift"),
    ("fight", "box wrestle spar"),
    ("walk", "hike stroll march"),
    ("eat", "chew bite"),
    ("machine device", "computer phone camera robot"),
    ("weapon", "gun rifle knife sword pistol"),
    ("database store", "postgres mysql mariadb sqlite oracle mongodb redis cassandra dynamodb surrealdb"),
    ("server service", "nginx apache"),
    ("linter", "eslint clippy flake8 pylint ruff"),
    ("formatter", "prettier rustfmt black gofmt"),
    ("editor ide", "vim neovim emacs vscode zed intellij"),
    ("cloud", "aws gcp azure"),
    ("shell", "bash zsh fish"),
    ("insan kisi biri", "adam kadin cocuk erkek kiz oglan genc bebek"),
    ("hayvan", "kopek kedi at inek kus balik fare"),
    ("cocuk", "kiz oglan bebek"),
];

/// Two ends of one state.
#[rustfmt::skip]
pub(super) const STATES: &[&str] = &[
    "enabled|enable|active|activated|activate disabled|disable|inactive|deactivated|deactivate, on off",
    "up down, online offline, required|mandatory|compulsory optional|unnecessary",
    "passing|passes|pass|green failing|fails|fail|red|broken",
    "deprecated|obsolete|unsupported|discontinued supported|recommended|maintained|current",
    "merged|merge reverted|revert|unmerged, open|reopened closed|resolved",
    "public|exposed private|internal|secret, synchronous|sync|blocking asynchronous|async|nonblocking",
    "stable|reliable unstable|flaky|unreliable",
    "done|complete|completed|finished pending|unfinished|incomplete|missing, working|works broken|down",
    "allowed|permitted|legal forbidden|prohibited|banned|disallowed|illegal",
    "encrypted|hashed plaintext|unencrypted, locked|frozen open",
    "tracked|committed untracked|ignored|gitignored, valid invalid|expired",
    "installed|present uninstalled|missing|absent, running|started|alive|live stopped|dead|crashed|halted",
    "approved|accepted rejected|declined|denied, paid free, healthy unhealthy|degraded, local remote",
    "static dynamic, manual|manually automatic|automatically|automated, mutable immutable|readonly",
    "strict lenient|loose, archived active, available|reachable unavailable|unreachable",
    "released|shipped|published unreleased|unpublished|draft, safe unsafe|dangerous",
    "nullable nonnull",
    "visible hidden|invisible, singular plural, stateful stateless",
    "deterministic nondeterministic|random, vendored fetched, pinned floating|unpinned",
    "dark light, relative absolute, ascending descending, inclusive exclusive",
    "acik|aktif|etkin|acildi kapali|pasif|devredisi|kapandi|kapatildi",
    "zorunlu|gerekli|sart istege|opsiyonel|gereksiz",
    "basarili|geciyor|yesil basarisiz|patliyor|kirmizi|kirik, calisiyor|ayakta bozuk|cokmus|coktu",
    "guncel|destekleniyor eski|eskidi, serbest|izinli yasak, herkese|acik gizli|ozel",
    "elle|manuel otomatik, kararli kararsiz, koyu acik, senkron asenkron, yerel uzak, gecerli gecersiz",
    "mevcut eksik, tamamlandi|bitti bekliyor|yarim, birlestirildi geri",
];

/// Opposites of everyday speech. Only the one sense in which two words exclude
/// each other is meant; where a word has many, it is left out.
#[rustfmt::skip]
pub(super) const OPPOSITES: &[&str] = &[
    "open|opening close|closed|shut|closing, empty full|filled|crowded, sit|sitting|seated stand|standing",
    "near|close far|away|distant, big|large|huge|giant|tall small|little|tiny|short",
    "hot|warm cold|cool|chilly, fast|quick|rapid slow, happy|glad|cheerful sad|unhappy|gloomy",
    "clean|cleaned dirty|dirtied|muddy|soil, wet|soaked dry, young old|elderly, new old|ancient, good bad",
    "rich poor, strong weak, heavy light, loud|noisy|loudly quiet|silent|quietly, early late, high low",
    "deep shallow, long short, wide|broad narrow, thick thin, hard|rigid soft, smooth rough",
    "bright|light dark|dim, dressed|clothed|wear naked|undressed|nude, awake asleep|sleep|sleeping",
    "alive|living dead, safe dangerous, true|correct|right false|wrong|incorrect, same different",
    "easy|simple difficult|hard|complex, cheap expensive|costly, same opposite, first last, front back",
    "top bottom, left right, inside|indoors|indoor outside|outdoors|outdoor, above below|under|beneath",
    "over under, before after, into out, onto off, on off, up down, in out, with without, push pull",
    "give|lend take, buy sell, send receive, add|adding|insert remove|removing|delete|subtract",
    "put remove|take, turn_on turn_off, lift|raise|pick lower|drop|put_down",
    "rise|ascend|climb fall|descend|sink, enter|arrive leave|exit|depart, come go",
    "start|begin|launch stop|end|finish|halt, accept refuse|reject|decline",
    "allow|permit forbid|prohibit|ban|deny, love|like hate|dislike|loathe",
    "laugh|smile|grin cry|weep|frown, win lose, build destroy|demolish, create destroy|delete",
    "attack defend, remember forget, fold unfold, tie|fasten untie|unfasten, lock unlock, wrap unwrap",
    "pack unpack, load unload, dress undress, cover uncover, plug unplug, connect disconnect",
    "attach detach, mount unmount|dismount, install uninstall, bury unearth|dig, freeze melt|thaw",
    "heat cool, fill|filling empty|drain|emptying, inflate deflate, stretch shrink",
    "expand shrink|contract, increase|grow decrease|reduce|shrink, speed slow, appear disappear|vanish",
    "follow|chase shun|avoid|flee|lead, approach|near leave|retreat, speak|talk|chat|sing silent|mute",
    "move|swim|run|walk|jump|dance|play immobile|motionless|still|rest|sleep",
    "sleep|lie run|jump|dance|walk|swim, sit run|walk|jump|swim, stand lie|sit|kneel",
    "eat fast|starve|fasting, work rest|idle|sleep, clean|wash|wipe dirty|stain, hide show|reveal|seek",
    "whisper shout|yell|scream, praise blame|criticise, save spend|waste, protect harm|endanger",
    "improve worsen, male female, husband wife, sunny rainy|cloudy|stormy, day night, morning evening",
    "north south, east west, summer winter, all none|no, everybody|everyone nobody, everything nothing",
    "always never|rarely, often rarely|seldom, many|several|lot few, more|greater less|fewer, most least",
    "maximum|max minimum|min, upper lower, major minor, positive negative, visible invisible",
    "possible impossible, legal illegal, polite rude, calm|relaxed|peaceful excited|agitated|angry|wild",
    "careful|cautious careless|reckless, brave|fearless afraid|scared, friendly hostile, gentle violent",
    "tight loose, straight crooked|bent|curly, sharp blunt|dull, raw cooked, fresh stale|rotten",
    "sweet sour|bitter, tame wild, blind sighted, healthy sick|ill, together apart|alone|separately",
    "alone accompanied, married single|divorced, guilty innocent, ripe unripe, ordinary extraordinary",
    "perfect flawed, import export, encode decode, encrypt decrypt, compress decompress",
    "include exclude, inherit override, upload download, subscribe unsubscribe",
    "upgrade|update downgrade, login logout, mute unmute, comment uncomment, serialise deserialise",
    "increment decrement",
    "acik kapali, bos dolu, buyuk kucuk, sicak soguk, hizli yavas, iyi kotu",
    "temiz kirli, yeni eski, uzun kisa, yuksek alcak|dusuk, kolay zor, ucuz pahali, dogru yanlis",
    "ayni farkli, once sonra, ilk son, ust alt, ic dis, sag sol, var yok, ekle cikar|sil|kaldir, ac kapat",
    "basla bitir|dur, baslat durdur, al ver, gir cik, otur kalk, gul agla, sev nefret, artir azalt",
    "hepsi hicbiri, her hic, cok az, uyu uyan, islak kuru, genc yasli|ihtiyar, agir hafif, guclu zayif",
    "guvenli tehlikeli, giyin soyun, yak sondur",
];

/// Sets of which a slot holds one.
#[rustfmt::skip]
pub(super) const CLASSES: &[&str] = &[
    "red green blue yellow black white brown orange purple pink grey gray violet beige",
    "kirmizi yesil mavi sari siyah beyaz kahverengi turuncu mor pembe gri",
    "monday tuesday wednesday thursday friday saturday sunday",
    "pazartesi sali carsamba persembe cuma cumartesi pazar",
    "january february march april may june july august september october november december",
    "ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik",
    "daily weekly monthly yearly hourly nightly quarterly", "gunluk haftalik aylik yillik saatlik",
    "tab space sekme bosluk", "npm yarn pnpm bun", "pip poetry uv pipenv conda", "maven gradle bazel",
    "cmake meson", "postgres mysql mariadb sqlite oracle mssql cockroachdb", "jira linear trello asana",
    "slack teams discord mattermost", "vim neovim emacs vscode zed intellij sublime", "bash zsh fish",
    "jest vitest mocha jasmine", "pytest unittest nose", "webpack vite rollup esbuild parcel turbopack",
    "react vue angular svelte solid", "django flask fastapi", "express fastify koa hono",
    "heroku vercel netlify render fly", "jenkins circleci travis github-actions gitlab-ci buildkite",
    "github gitlab bitbucket", "eslint biome tslint", "black ruff yapf",
    "camelcase snake_case pascalcase kebab-case", "mit apache gpl bsd mpl", "rest graphql grpc",
    "json yaml toml xml", "rebase squash merge", "trunk main master develop", "utc gmt cet pst est",
    "trace debug info warn error", "svn git mercurial", "english turkish german french spanish",
    "ingilizce turkce almanca fransizca", "sentry bugsnag rollbar",
    "terraform pulumi cloudformation", "ubuntu debian alpine fedora", "aws gcp azure",
    "rabbitmq kafka nats sqs",
];

/// Words that name a slot: a thing that has one value at a time.
#[rustfmt::skip]
pub(super) const SLOT_NOUNS: &[&str] = &[
    "port", "name", "branch", "owner", "password", "url", "version", "limit", "timeout", "region",
    "default", "language", "database", "licence", "license", "deadline", "editor", "host", "path",
    "location", "address", "theme", "colour", "color", "framework", "lead", "maintainer", "format", "level",
    "threshold", "interval", "size", "budget", "price", "quota", "retention", "ttl", "registry", "provider",
    "endpoint", "domain", "timezone", "locale", "encoding", "formatter", "linter", "runner", "entrypoint",
    "tool", "command", "file", "engineer", "reviewer", "contact", "author", "username", "email", "birthday",
    "job", "title", "employer", "stack", "orm",
    "target", "toolchain", "msrv", "rate", "width", "height", "date", "day", "time", "schedule", "status",
    "priority", "cloud", "shell", "ci", "key", "backend", "queue", "broker", "bucket", "project", "team",
    "dal", "surum", "adres", "parola", "sifre", "dil", "bolge", "tema", "komut", "arac", "portu", "adi",
    "dali", "sahibi", "sifresi", "parolasi", "adresi", "surumu", "versiyonu", "limiti", "siniri", "bolgesi",
    "dili", "veritabani", "lisansi", "editoru", "yolu", "konumu", "temasi", "rengi", "suresi", "araligi",
    "boyutu", "gunu", "saati", "tarihi", "araci", "komutu",
];

/// Words that say how rather than what, in one of the languages: `at` is a
/// horse and an order in Turkish.
#[rustfmt::skip]
pub(super) const SMALL_ENGLISH: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "there", "here", "i", "me", "my", "we", "us", "our",
    "you", "your", "he", "him", "his", "she", "her", "it", "its", "they", "them", "their", "is", "are",
    "was", "were", "be", "been", "being", "am", "do", "does", "did", "has", "had", "will", "would", "shall",
    "should", "can", "could", "may", "might", "must", "to", "of", "in", "at", "by", "for", "with", "from",
    "about", "into", "onto", "through", "on", "and", "or", "but", "if", "then", "than", "as", "so", "not",
    "no", "nobody", "none", "nothing", "never", "neither", "also", "too", "just", "only", "very", "up",
    "out", "off", "down", "over", "any", "some", "all", "both", "each", "every", "which", "who", "whom",
    "whose", "what", "where", "when", "while", "now", "currently", "today", "always", "already", "still",
    "longer", "anymore", "more", "again", "someone", "somebody", "something", "using", "via", "please",
    "one", "across", "along", "against", "toward", "towards", "between", "during", "upon", "within",
    "avoid", "stop", "instead", "rather", "really", "actually", "nowadays", "since", "because", "away",
    "stopped", "anyone", "anybody", "within", "ones", "another", "other", "around", "it's", "longer",
    "except", "lot", "several", "many", "few", "bunch", "piece",
];

#[rustfmt::skip]
pub(super) const SMALL_TURKISH: &[&str] = &[
    "bir", "bu", "su", "o", "ve", "ile", "de", "da", "icin", "mi", "mu", "ki", "olan", "olarak", "artik",
    "simdi", "ne", "en", "daha", "cok", "gibi", "kadar", "ise", "ama", "ya", "veya", "var", "vardir", "yok",
    "yoktur", "degil", "hic", "asla", "sakin", "biz", "ben", "bizim", "benim", "ayrica", "sadece", "her",
    "uzerinde", "uzerinden", "uzerine", "icinde", "icine", "altinda", "altina", "tarafindan", "yerine",
    "diye", "halen", "hala", "zaten", "aslinda", "sonra", "once", "iken", "hem", "onun", "hepimiz", "the",
    "not",
];
