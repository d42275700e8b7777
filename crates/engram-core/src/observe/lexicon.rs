//! Words with a mood, English and Turkish, and how strong it is.
//!
//! The valences run from -4 to 4, as in the lexicons of this trade, and were
//! set for developers: what programs do (kill, abort, fail, crash, panic,
//! fatal, error, dead, broken, drop, reject, force) is in no row, because a
//! sentence about a program is not in a mood. Words are folded as in
//! `ask::speech`; a star stands for any ending.

use super::emotion::Feeling;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What a word says about the mood of whoever wrote it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tone {
    /// From -4 to 4.
    pub(super) valence: f64,
    pub(super) feeling: Option<Feeling>,
}

/// The tone of a folded word, if it has one. The longest stem decides.
pub(super) fn tone_of(word: &str) -> Option<Tone> {
    if let Some(tone) = TONES.whole.get(word) {
        return Some(*tone);
    }
    let ends = word.char_indices().map(|(at, mark)| at + mark.len_utf8());
    ends.rev().filter(|end| *end >= SHORTEST_STEM).find_map(|end| TONES.stems.get(&word[..end]).copied())
}

const SHORTEST_STEM: usize = 3;

struct Tones {
    whole: HashMap<&'static str, Tone>,
    stems: HashMap<&'static str, Tone>,
}

static TONES: LazyLock<Tones> = LazyLock::new(|| {
    let mut tones = Tones { whole: HashMap::new(), stems: HashMap::new() };
    for (valence, feeling, words) in ENGLISH.iter().chain(TURKISH) {
        let tone = Tone { valence: *valence, feeling: *feeling };
        for word in words.split_whitespace() {
            match word.strip_suffix('*') {
                Some(stem) => tones.stems.insert(stem, tone),
                None => tones.whole.insert(word, tone),
            };
        }
    }
    tones
});

type Row = (f64, Option<Feeling>, &'static str);

use Feeling::*;

const ENGLISH: &[Row] = &[
    // Glad.
    (3.4, Some(Joy), "love loved loves lovely adore adored adores ecstatic thrilled overjoyed euphoric"),
    (
        3.1,
        Some(Joy),
        "amazing awesome fantastic brilliant wonderful excellent incredible phenomenal \
         outstanding superb marvelous marvellous magnificent spectacular delighted delightful \
         perfect perfectly best stellar flawless",
    ),
    (
        2.6,
        Some(Joy),
        "great happy happily happier happiest beautiful beautifully gorgeous excited exciting joy \
         joyful celebrate celebrated celebrating hooray yay yippee woohoo woot thrilling blessed \
         impressive impressed genius elegant magical terrific splendid",
    ),
    (
        2.0,
        Some(Joy),
        "good glad enjoy enjoyed enjoying enjoys enjoyable fun nice nicely pleased pleasant \
         pleasantly cool sweet delicious win winning wins proud proudly grateful thankful \
         appreciate appreciated appreciates appreciation congrats congratulations kudos bravo \
         cheers better favourite favorite admire admired respect lucky fortunate charming cute \
         friendly generous graceful heartwarming inspired inspiring laugh laughed laughing lol \
         haha hehe smile smiled smiling satisfying satisfied satisfaction triumph victory welcome \
         yes yeah praise praised rewarding refreshing neat slick sleek solid superior valuable \
         vibrant worthwhile worthy",
    ),
    (
        1.4,
        Some(Joy),
        "thanks thank thx fine okay relieved relief calm calming comfortable comfy confident \
         hopeful hope hopefully hoping optimistic promising helpful kindly smooth smoothly pretty \
         tidy interesting curious keen eager likes liked liking works clever easy easily peaceful \
         playful polite positive quick relaxed safe sane sensible simple sincere supportive \
         sympathetic trustworthy useful warm well willing",
    ),
    // Not glad: anger.
    (
        -3.2,
        Some(Anger),
        "hate hated hates hating furious enraged outraged outrageous rage raging infuriating \
         infuriated livid despise despised loathe loathed detest detested",
    ),
    (
        -3.0,
        Some(Anger),
        "fuck fucking fucked fucks wtf bullshit asshole bastard bitch motherfucker goddamn damnit",
    ),
    (
        -2.3,
        Some(Anger),
        "angry angrily anger mad pissed stupid idiot idiotic moron moronic dumb ridiculous absurd \
         insane unacceptable shit shitty crap crappy damn hell bloody sucks suck sucked sucking \
         screwed hostile insulting insult insulted offensive offended rude obnoxious arrogant \
         incompetent pathetic worthless useless betrayed cheated lied lying liar",
    ),
    (
        -1.8,
        Some(Anger),
        "annoying annoyed annoys annoy annoyingly frustrating frustrated frustration frustrates \
         irritating irritated irritates irritate aggravating bothersome bother bothers complain \
         complained complaining complaint grr argh ugh ffs fed sick tired resent resented unfair \
         bitter blame blamed nagging stubborn sloppy careless lazy messy nonsense rubbish garbage \
         joke cursed maddening exasperated exasperating impatient jealous",
    ),
    // Fear.
    (
        -2.6,
        Some(Fear),
        "terrified terrifying terror horrified horrifying nightmare nightmarish dread dreaded \
         petrified",
    ),
    (
        -1.9,
        Some(Fear),
        "afraid scared scary scare scares fear fears feared fearful frightened frightening \
         anxious anxiety worried worry worries worrying worrisome nervous nervously panicking \
         panicky alarmed alarming stressed stressful stress stressing paranoid uneasy spooky \
         creepy threatened threatening overwhelmed overwhelming desperate desperately tense \
         dreadful intimidating intimidated insecure doomed concerned hesitant shaky timid",
    ),
    // Sadness.
    (
        -2.6,
        Some(Sadness),
        "devastated devastating heartbroken heartbreaking miserable misery depressed depressing \
         depression hopeless grief grieving tragic tragedy agony suffering",
    ),
    (
        -1.8,
        Some(Sadness),
        "sad sadly sadness unhappy cry cried crying tears upset upsetting disappointed \
         disappointing disappointment disappoints hurt hurts hurting lonely gloomy regret regrets \
         regretted regretful sorrow unfortunate unfortunately sorry apologize apologise ashamed \
         shame shameful guilty guilt embarrassed embarrassing lost exhausted exhausting burned \
         burnt drained demotivated discouraged discouraging defeated helpless homesick pity \
         pitiful melancholy mourn painful pain pains ache suffer suffered suffers weary worn",
    ),
    // Disgust.
    (
        -2.6,
        Some(Disgust),
        "disgusting disgusted disgust disgusts gross grossed revolting repulsive vile nasty \
         hideous horrible horribly awful awfully terrible terribly atrocious abysmal appalling \
         appalled yuck eww ew puke sickening",
    ),
    (
        -1.7,
        Some(Disgust),
        "ugly uglier ugliest smelly stinks stink stinking bad badly worse worst poor poorly lousy \
         mediocre hacky janky kludgy clunky bloated convoluted unreadable hate-read cringe cringy \
         cheesy tasteless unpleasant bogus lame boring bored tedious dull dreary painstaking \
         clumsy sluggish miserably unusable unbearable intolerable",
    ),
    // Surprise, of either sort.
    (
        0.6,
        Some(Surprise),
        "wow surprised surprising surprisingly surprise surprises astonished astonishing stunned \
         stunning omg whoa woah unbelievable unbelievably unexpected unexpectedly shocked \
         shocking speechless baffled baffling bewildered mindblowing wild crazy",
    ),
    // Plain dislike, without one of the six.
    (
        -1.4,
        None,
        "dislike disliked dislikes confusing confused confuses difficult trouble troubles \
         troubling unclear doubt doubtful doubts skeptical sceptical unhelpful wasted wasting \
         waste mess regrettable inferior weak weird strange suspicious mistake mistakes wrong \
         struggle struggled struggling struggles hard unwanted unreliable unstable pointless \
         meaningless silly foolish awkward lacking dreaming negative reluctant reluctantly meh \
         shaken stuck",
    ),
];

const TURKISH: &[Row] = &[
    (
        3.2,
        Some(Joy),
        "bayildim bayiliyorum bayilirim asigim mukemmel* muhtesem* harika* sahane* efsane* enfes* \
         kusursuz*",
    ),
    (
        2.6,
        Some(Joy),
        "seviyorum severim sevdim seviyoruz sevindim sevinc* mutlu mutluyum mutluyuz mutluluk* \
         super supermis nefis heyecanliyim heyecanli cosku* gurur* keyifli keyif* bravo helal \
         aferin tebrik* kutlarim kutluyorum yasasin",
    ),
    (
        1.9,
        Some(Joy),
        "guzel guzelmis guzeldi guzelce iyi iyiymis iyidir begendim begeniyorum begenirim memnun* \
         tesekkur* tesekkurler sagol sagolun eyvallah sagolasin minnettar* hos hosuma zevkli \
         eglenceli basarili basardik basardim rahatladim rahat sevimli tatli umutlu umut* umarim \
         insallah temiz zekice dahice akillica kolay saglam ellerine eline eglendim gulumse* \
         guldum sansli",
    ),
    (
        -3.1,
        Some(Anger),
        "nefret* igrenc* lanet* kahretsin kahrolsun cildir* delirdim delirecegim delirtti \
         delirtiyor siktir* amk aq mk orospu* serefsiz* gerizekali* salak* aptal* ahmak* mal*ca \
         rezalet* kepazelik*",
    ),
    (
        -2.2,
        Some(Anger),
        "sinir sinirli sinirlendim sinirleniyorum sinirimi kizgin* kizdim kiziyorum kizdirdi \
         ofke* bikti* biktim biktik usandim usandik biktirdi yeter* sacma* sacmalik* sacmaliyor \
         dalga* saygisiz* rahatsiz* sabrim* cekilmez cekilmiyor dayanilmaz dayanamiyorum illallah \
         berbat* bezdim bezdirdi gicik*",
    ),
    (
        -2.0,
        Some(Fear),
        "kork* korkunc* endise* kaygi* tedirgin* panikledim panikliyorum telas* stres* stresli \
         gergin* urktum urkutucu* dehset* kabus* caresiz*",
    ),
    (
        -1.9,
        Some(Sadness),
        "uzgun* uzul* uzuldum uzucu* uzuyor maalesef malesef keske mutsuz* hayal-kirikligi \
         kirildim kirgin* aglad* agliyorum aglayacagim pisman* yorgun* yoruldum yorucu* bitkin* \
         umutsuz* huzun* aci acikli yalniz utan* ozur tukendim moralim* moralsiz*",
    ),
    (
        -2.2,
        Some(Disgust),
        "tiksin* mide* midem kotu kotuydu kotulesti kotumus felaket* cirkin* rezil* pis leş les \
         bok* boktan sevmiyorum sevmem sevmedim begenmedim begenmiyorum",
    ),
    (
        0.6,
        Some(Surprise),
        "sasirdim sasirtici* saskin* inanamiyorum inanilmaz* vay hayret* sok* sok beklemiyordum \
         aman",
    ),
    (
        -1.4,
        None,
        "zor zorlandim zorlaniyorum sikinti* sikici* sikildim sikiliyorum karisik kafam zahmetli \
         anlamsiz* gereksiz* bosuna yavaskan zaman-kaybi istemiyorum istemem yanlis hata-ettim \
         kararsiz* guvensiz* supheli* tuhaf garip",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lexicon_has_several_hundred_words_and_each_once() {
        for (table, least) in [(ENGLISH, 400), (TURKISH, 180)] {
            let mut words: Vec<&str> = table.iter().flat_map(|row| row.2.split_whitespace()).collect();
            words.sort_unstable();
            let with_copies = words.len();
            words.dedup();
            assert!(words.len() >= least, "{}", words.len());
            assert!(with_copies - words.len() <= 2, "{with_copies} {}", words.len());
        }
    }

    #[test]
    fn what_programs_do_is_no_mood() {
        for word in "kill killed fatal error errors master slave abort aborted dead panic panics crash crashed fail failed \
            failure failing bug exception drop reject rejected force conflict broken break invalid illegal terminate execute \
            destroy attack dump hang lock poison orphan zombie child critical severe warning alert trap dirty exit issue \
            problem hata hatasi oldur durdur patladi coktu bozuk sorun"
            .split_whitespace()
        {
            assert_eq!(tone_of(word), None, "{word}");
        }
    }

    #[test]
    fn turkish_endings_make_no_difference() {
        for word in
            ["harika", "harikaymis", "nefret", "nefretlik", "korkuyorum", "korktum", "uzuldum", "igrencti"]
        {
            assert!(tone_of(word).is_some(), "{word}");
        }
    }
}
