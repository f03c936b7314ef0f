//! What the names of a scope are bound to. There are many scopes, and most have few names: once all is read, names lie in the order of
//! their hashes, without a place that is empty.

use std::hash::BuildHasher as _;

use foldhash::HashMap;
use foldhash::fast::FixedState;
use thin_vec::ThinVec;

use super::tree::{Binding, Name};

/// Names, each with all that it is bound to, in the order of the text.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// While more may come: what is kept below lies here then.
    open: Option<Box<HashMap<Name, Vec<Binding>>>>,
    /// By their hashes.
    closed: ThinVec<Entry>,
    /// What they are bound to, one name after the other.
    all: ThinVec<Binding>,
}

#[derive(Debug, Clone)]
struct Entry {
    name: Name,
    hash: u32,
    /// Where what it is bound to ends.
    end: u32,
}

/// The same in all scopes and runs.
fn hash(name: &str) -> u32 {
    let hash = FixedState::default().hash_one(name);
    // Half of it tells the names of a scope apart.
    (hash >> 32) as u32
}

impl Names {
    /// For more names.
    pub fn open(&mut self) -> &mut HashMap<Name, Vec<Binding>> {
        let Self { open, closed, all } = self;
        open.get_or_insert_with(|| {
            let (closed, mut all) = (std::mem::take(closed), std::mem::take(all).into_iter());
            let mut start = 0;
            let each = closed.into_iter().map(|one| {
                let count = one.end.saturating_sub(std::mem::replace(&mut start, one.end));
                (one.name, all.by_ref().take(count as usize).collect())
            });
            Box::new(each.collect())
        })
    }

    /// Binds a name once more.
    pub fn bind(&mut self, name: Name, binding: Binding) {
        self.open().entry(name).or_default().push(binding);
    }

    /// No more names come soon.
    pub fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let mut each: Vec<(u32, Name, Vec<Binding>)> =
            open.into_iter().map(|(name, all)| (hash(&name), name, all)).collect();
        each.sort_unstable_by(|(a, one, _), (b, other, _)| (a, &**one).cmp(&(b, &**other)));
        self.closed = ThinVec::with_capacity(each.len());
        self.all = ThinVec::with_capacity(each.iter().map(|(.., all)| all.len()).sum());
        for (hash, name, all) in each {
            self.all.extend(all);
            self.closed.push(Entry { name, hash, end: u32::try_from(self.all.len()).unwrap_or(u32::MAX) });
        }
    }

    /// A name of those that lie here, by its place.
    fn at(&self, place: usize) -> Option<(&Name, &[Binding])> {
        let one = self.closed.get(place)?;
        let start = place.checked_sub(1).and_then(|before| self.closed.get(before)).map_or(0, |before| before.end);
        Some((&one.name, self.all.get(start as usize..one.end as usize)?))
    }

    /// A name with what it is bound to.
    pub fn get_key_value(&self, name: &str) -> Option<(&Name, &[Binding])> {
        if let Some(open) = &self.open {
            return open.get_key_value(name).map(|(name, all)| (name, all.as_slice()));
        }
        if self.closed.is_empty() {
            return None;
        }
        let hash = hash(name);
        let start = self.closed.partition_point(|one| one.hash < hash);
        let mut same = self.closed.iter().skip(start).take_while(|one| one.hash == hash);
        self.at(start + same.position(|one| one.name == *name)?)
    }

    /// What a name is bound to.
    pub fn get(&self, name: &str) -> Option<&[Binding]> {
        self.get_key_value(name).map(|(_, all)| all)
    }

    /// Whether a name is bound.
    pub fn contains_key(&self, name: &str) -> bool {
        self.get_key_value(name).is_some()
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.open.as_ref().map_or(self.closed.len(), |open| open.len())
    }

    /// All names, with what they are bound to.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &[Binding])> {
        let open = self.open.iter().flat_map(|open| open.iter()).map(|(name, all)| (name, all.as_slice()));
        open.chain((0..self.closed.len()).filter_map(|place| self.at(place)))
    }

    /// All names.
    pub fn keys(&self) -> impl Iterator<Item = &Name> {
        self.iter().map(|(name, _)| name)
    }

    /// What each is bound to.
    pub fn values(&self) -> impl Iterator<Item = &[Binding]> {
        self.iter().map(|(_, all)| all)
    }

    /// All that any is bound to.
    pub fn each_mut(&mut self) -> impl Iterator<Item = &mut Binding> {
        self.open.iter_mut().flat_map(|open| open.values_mut()).flatten().chain(&mut self.all)
    }
}

impl<'n> IntoIterator for &'n Names {
    type Item = (&'n Name, &'n [Binding]);
    type IntoIter = Box<dyn Iterator<Item = Self::Item> + 'n>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Span;
    use crate::python::tree::{Bound, PathId};

    fn binding(at: u32) -> Binding {
        Binding { bound: Bound::Moving, span: Span { start: at, end: at }, from: at, path: PathId(0) }
    }

    /// All names with the places where they are bound, in the order of the names.
    fn told(names: &Names) -> Vec<(String, Vec<u32>)> {
        let mut all: Vec<_> =
            names.into_iter().map(|(name, all)| (name.to_string(), all.iter().map(|one| one.from).collect())).collect();
        all.sort();
        all
    }

    #[test]
    fn names_are_found_open_and_closed() {
        let mut names = Names::default();
        let mut expected: Vec<(String, Vec<u32>)> = Vec::new();
        assert!(names.get("n").is_none());
        for at in 0..300_u32 {
            // Every name of a hundred three times, with others between them; and closed in between.
            let name = format!("n{}", at % 100);
            names.bind(name.as_str().into(), binding(at));
            match expected.iter_mut().find(|(known, _)| *known == name) {
                Some((_, all)) => all.push(at),
                None => expected.push((name, vec![at])),
            }
            if at % 70 == 0 {
                names.close();
            }
        }
        expected.sort();
        for closed in [false, true] {
            if closed {
                names.close();
            }
            assert_eq!(names.open.is_none(), closed);
            assert_eq!((told(&names), names.len()), (expected.clone(), 100));
            for (name, places) in &expected {
                let found = names.get(name).unwrap();
                assert_eq!(found.iter().map(|one| one.from).collect::<Vec<_>>(), *places);
                assert_eq!(names.get_key_value(name).unwrap().0, name.as_str());
            }
            assert!(names.get("n100").is_none() && names.get("").is_none() && !names.contains_key("m"));
            names.each_mut().for_each(|one| one.from += 1);
            expected.iter_mut().flat_map(|(_, all)| all).for_each(|place| *place += 1);
            assert_eq!((names.keys().count(), names.values().flatten().count()), (100, 300));
            assert_eq!(told(&names), expected);
        }
    }
}
