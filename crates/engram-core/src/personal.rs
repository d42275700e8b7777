//! What becomes of personal data in a text that is to be kept.
//!
//! What is personal the guard finds; this says only what is done about it, and
//! whose word counts. It knows no text.

use crate::kind::Scope;
use crate::words::words;

words! {
    /// What is done about personal data, the more careful the later.
    pub enum Treatment ("treatment of personal data") {
        /// It is kept as it came.
        Off = "off",
        /// Whoever says it is asked; where nobody can be, it is masked.
        Ask = "ask",
        /// It is masked.
        Mask = "mask",
        /// The text is not kept.
        Refuse = "refuse",
    }
}

impl Treatment {
    /// What it comes to where nobody can be asked.
    pub const fn unasked(self) -> Self {
        match self {
            Treatment::Ask => Treatment::Mask,
            other => other,
        }
    }
}

/// How a text of `scope` is treated: as carefully as that scope wants it, and
/// every wider one. What is kept goes up by itself, with the words it was made
/// of, so what a wider scope must not hold may not lie below it either. Nothing
/// goes to the team by itself.
pub fn treatment_in(scope: Scope, wanted: impl Fn(Scope) -> Treatment) -> Treatment {
    let wider = Scope::OWN.iter().filter(|wider| **wider > scope);
    wider.map(|wider| wanted(*wider)).fold(wanted(scope), Treatment::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrower_scope_is_treated_as_carefully_as_the_wider_ones() {
        let wanted = |scope| match scope {
            Scope::Session => Treatment::Off,
            Scope::Project => Treatment::Mask,
            Scope::User => Treatment::Ask,
            Scope::Team => Treatment::Refuse,
        };
        assert_eq!(treatment_in(Scope::Session, wanted), Treatment::Mask);
        assert_eq!(treatment_in(Scope::Project, wanted), Treatment::Mask);
        assert_eq!(treatment_in(Scope::User, wanted), Treatment::Ask);
        assert_eq!(treatment_in(Scope::Team, wanted), Treatment::Refuse);
    }

    #[test]
    fn a_wider_scope_does_not_mind_what_a_narrower_one_refuses() {
        let wanted = |scope| if scope == Scope::Session { Treatment::Refuse } else { Treatment::Off };
        assert_eq!(treatment_in(Scope::User, wanted), Treatment::Off);
        assert_eq!(treatment_in(Scope::Session, wanted), Treatment::Refuse);
    }

    #[test]
    fn only_asking_needs_somebody() {
        let unasked: Vec<Treatment> = Treatment::ALL.iter().map(|treatment| treatment.unasked()).collect();
        assert_eq!(unasked, [Treatment::Off, Treatment::Mask, Treatment::Mask, Treatment::Refuse]);
    }
}
