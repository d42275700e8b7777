//! Texts for benches: made, not found, and the same every time.
//!
//! Words follow the uneven frequencies of real language, with the paths, names
//! and numbers that developers write. Nothing here comes from evaluation data.

/// A small deterministic source of choice.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// Whether something happens that happens in this share of all cases.
    pub(crate) fn happens(&mut self, share: f64) -> bool {
        (self.below(1_000_000) as f64) < share * 1e6
    }

    /// Small numbers often, large ones seldom.
    fn uneven(&mut self, limit: u64) -> u64 {
        let first = self.below(limit) + 1;
        self.below(first)
    }
}

const COMMON: [&str; 40] = [
    "the",
    "is",
    "in",
    "for",
    "to",
    "with",
    "and",
    "of",
    "when",
    "we",
    "build",
    "test",
    "server",
    "database",
    "key",
    "config",
    "branch",
    "release",
    "error",
    "cache",
    "token",
    "user",
    "project",
    "file",
    "module",
    "request",
    "deploy",
    "version",
    "port",
    "script",
    "path",
    "queue",
    "index",
    "service",
    "client",
    "staging",
    "production",
    "timeout",
    "retry",
    "schema",
];

const SYLLABLES: [&str; 24] = [
    "ka", "ro", "mi", "ten", "sul", "var", "ben", "dor", "lin", "pex", "tur", "gal", "nem", "os", "fir",
    "qua", "zel", "ham", "ib", "cor", "wes", "yan", "jut", "ple",
];

fn word(dice: &mut Dice) -> String {
    match dice.below(10) {
        0..=4 => COMMON[usize::try_from(dice.uneven(40)).unwrap_or(0)].to_owned(),
        _ => {
            let mut number = dice.uneven(20_000);
            let mut made = String::new();
            loop {
                made.push_str(SYLLABLES[usize::try_from(number % 24).unwrap_or(0)]);
                number /= 24;
                if number == 0 {
                    return made;
                }
            }
        }
    }
}

/// One memory's text, about twenty words.
pub(crate) fn sentence(number: u64) -> String {
    let mut dice = Dice::new(number.wrapping_mul(0x9E37_79B9).wrapping_add(7));
    for _ in 0..4 {
        dice.next();
    }
    remark(&mut dice)
}

/// The same, by whatever comes next.
pub(crate) fn remark(dice: &mut Dice) -> String {
    let mut words: Vec<String> = (0..14 + dice.below(12)).map(|_| word(dice)).collect();
    if dice.below(4) == 0 {
        words.push(format!("src/{}/{}.rs", word(dice), word(dice)));
    }
    words.join(" ")
}

/// A question of three to six words.
pub(crate) fn question(number: u64) -> String {
    let mut dice = Dice::new(number.wrapping_mul(0x517C_C1B7).wrapping_add(99));
    for _ in 0..4 {
        dice.next();
    }
    (0..3 + dice.below(4)).map(|_| word(&mut dice)).collect::<Vec<_>>().join(" ")
}

/// A question that one memory answers: some of its words, in their order.
pub(crate) fn question_about(number: u64) -> String {
    sentence(number).split(' ').skip(2).step_by(3).collect::<Vec<_>>().join(" ")
}

/// A name that nothing else has.
pub(crate) fn name_of(mut number: u64) -> String {
    let mut name = "Zy".to_owned();
    for _ in 0..6 {
        name.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    name
}
