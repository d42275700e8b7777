//! What the log of recalls says of searching itself: which arm finds what is
//! then used, and what is shown without ever being used (S0 7.2, 7.3).

use super::{Insight, InsightType};
use crate::learn::{LearnedKey, Noise, Rate};
use jiff::Timestamp;

/// Which arm puts what is used before the rest, where that is more than chance.
pub fn patterns(rates: &[(LearnedKey, Vec<Rate>)], at: Timestamp) -> Vec<Insight> {
    let mut found = Vec::new();
    for (key, rates) in rates {
        let sort = key.query_type.map_or("all", |sort| sort.as_str());
        let beside = if key.with_model { " beside a model" } else { "" };
        for Rate { word, rate, votes, .. } in rates.iter().filter(|it| it.sure && it.rate.get() > 0.5) {
            let percent = rate.get() * 100.0;
            let description =
                format!("{word} is right in {percent:.0} % of {votes} recalls of type {sort}{beside}");
            let subject = format!("{word} {sort}{beside}");
            let pattern = InsightType::RetrievalPattern;
            found.push(Insight::seen(pattern, subject, description, Vec::new(), at));
        }
    }
    found
}

/// What was shown often and hardly ever used, if anything was.
pub fn noise_told(noise: &[Noise], at: Timestamp) -> Option<Insight> {
    let most = noise.iter().map(|noise| noise.shown).max()?;
    let description =
        format!("{} memories were shown up to {most} times in 14 days and hardly ever used", noise.len());
    let evidence = noise.iter().map(|noise| noise.memory.to_string()).collect();
    Some(Insight::seen(InsightType::RetrievalPattern, "noise".to_owned(), description, evidence, at))
}
