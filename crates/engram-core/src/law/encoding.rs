//! How four channels and a boost become the importance of a new memory.
//!
//! Only the sum is here. What the channels are read from is `weigh`'s part.

use crate::unit::{Boost, Channel, Importance};

/// What makes a new memory matter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Channels {
    /// How new it is beside what is kept.
    pub novelty: Channel,
    /// How urgent or critical: errors, deadlines, strong words.
    pub arousal: Channel,
    /// How useful such things prove.
    pub reward: Channel,
    /// How much it is what the conversation is about.
    pub attention: Channel,
}

impl Channels {
    /// Each channel by its name, with its share of the importance.
    pub(super) const fn shares(&self) -> [(&'static str, Channel, f64); 4] {
        [
            ("novelty", self.novelty, 0.25),
            ("arousal", self.arousal, 0.30),
            ("reward", self.reward, 0.25),
            ("attention", self.attention, 0.20),
        ]
    }
}

/// How much a new memory matters: the shares of its channels, times the boost.
///
/// From wholly known to wholly new, the novelty adds a quarter times the boost,
/// which is what S4 means by a lift of up to .3.
pub fn encoding_importance(channels: &Channels, boost: Boost) -> Importance {
    let sum: f64 = channels.shares().iter().map(|(_, channel, share)| channel.get() * share).sum();
    Importance::clamped(sum * boost.get())
}

/// So many things does the middle one of the messages say that are kept.
const ORDINARY_DENSITY: f64 = 4.0;

/// The boost of a text that says so many things: .7 for none, one for an
/// ordinary four, toward 1.3 for ever more. Where nobody counted, it is one.
///
/// S3 gives the range of the boost and not what moves it. Density is the one
/// thing that capture knows of a text and no channel reads. It levels off,
/// because what is long is not for that reason important.
pub fn boost_of(density: Option<u32>) -> Boost {
    let Some(density) = density else { return Boost::clamped(1.0) };
    let said = f64::from(density);
    Boost::clamped(0.7 + 0.6 * said / (said + ORDINARY_DENSITY))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn importance(channels: [f64; 4], boost: f64) -> f64 {
        let [novelty, arousal, reward, attention] = channels.map(|value| Channel::new(value).unwrap());
        let channels = Channels { novelty, arousal, reward, attention };
        encoding_importance(&channels, Boost::new(boost).unwrap()).get()
    }

    #[test]
    fn the_shares_of_the_third_seed() {
        for (channels, boost, expected) in [
            ([1.0, 0.0, 0.0, 0.0], 1.0, 0.25),
            ([0.0, 1.0, 0.0, 0.0], 1.0, 0.30),
            ([0.0, 0.0, 1.0, 0.0], 1.0, 0.25),
            ([0.0, 0.0, 0.0, 1.0], 1.0, 0.20),
            ([1.0, 1.0, 1.0, 1.0], 1.0, 1.0),
            ([1.0, 1.0, 1.0, 1.0], 0.7, 0.7),
            ([1.0, 1.0, 1.0, 1.0], 1.3, 1.0),
            ([0.8, 0.2, 0.5, 0.6], 1.1, 0.5555),
        ] {
            let found = importance(channels, boost);
            assert!((found - expected).abs() < 1e-12, "{channels:?} x {boost}: {found}");
        }
    }

    #[test]
    fn a_text_that_says_more_is_boosted_and_an_ordinary_one_is_not() {
        for (density, expected) in [
            (None, 1.0),
            (Some(0), 0.7),
            (Some(2), 0.9),
            (Some(4), 1.0),
            (Some(8), 1.1),
            (Some(u32::MAX), 1.3),
        ] {
            let found = boost_of(density).get();
            assert!((found - expected).abs() < 1e-8, "{density:?}: {found}");
        }
    }

    proptest! {
        #[test]
        fn no_channel_and_no_boost_ever_lowers_the_importance(
            channels in prop::array::uniform4(0.0..=1.0),
            which in 0_usize..4,
            more in 0.0..=1.0,
            boost in 0.7..=1.3,
        ) {
            let before = importance(channels, boost);
            prop_assert!((0.0..=1.0).contains(&before));
            let mut raised = channels;
            raised[which] = f64::max(raised[which], more);
            prop_assert!(importance(raised, boost) >= before - 1e-12);
            prop_assert!(importance(channels, 1.3) >= before - 1e-12);
        }
    }
}
