//! Names near a word that is none of them.

/// Characters of a word that are looked at: however long it is, an answer is not.
pub(crate) const SHOWN: usize = 40;

/// At most three of the names, the nearest first: those with a few letters changed, added or left out.
pub(crate) fn near<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let shown: String = word.chars().take(SHOWN).collect();
    // of a short name not all letters
    let most = (shown.len() / 2).min(3);
    let mut near: Vec<(usize, &str)> =
        names.into_iter().map(|name| (strsim::levenshtein(&shown, name), name)).collect();
    near.retain(|(letters, _)| *letters <= most);
    near.sort_unstable();
    near.into_iter().take(3).map(|(_, name)| name).collect()
}
