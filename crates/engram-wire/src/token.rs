//! How a token that was sent is compared with the one that is known.

/// Whether what follows `Bearer` in a header is the token. It takes as long for
/// one that is wrong at its beginning as for one that is wrong at its end.
pub fn bears(header: &str, token: &str) -> bool {
    let Some((scheme, sent)) = header.split_once(' ') else { return false };
    // An empty token would let everybody in.
    scheme.eq_ignore_ascii_case("bearer")
        && !token.is_empty()
        && same(sent.trim().as_bytes(), token.as_bytes())
}

fn same(one: &[u8], other: &[u8]) -> bool {
    let differ =
        one.iter().zip(other).fold(0, |differ, (one, other)| std::hint::black_box(differ | (one ^ other)));
    one.len() == other.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_is_the_token() {
        for header in ["Bearer hush", "bearer hush", "BEARER  hush "] {
            assert!(bears(header, "hush"), "{header}");
        }
        for header in
            ["", "hush", "Basic hush", "Bearer", "Bearer ", "Bearer hus", "Bearer hush2", "Bearer Hush"]
        {
            assert!(!bears(header, "hush"), "{header}");
        }
        assert!(!bears("Bearer ", ""), "an empty token lets nobody in");
    }
}
