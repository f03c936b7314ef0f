//! Which files are checked together, by one Lean process.
//!
//! A process costs seconds before it reads anything, and its code is cold: files joined cost a third of what they cost
//! one by one. Groups are formed from the imports alone: what a group imports lies in groups that are finished before it
//! starts. Two processes run at once, so groups are formed as these two would run: whoever is free takes, from the files
//! that can be checked by then, those that most of the rest waits for.

use std::collections::{BTreeMap, BTreeSet};

use super::text::{self, Keep};
use super::tree::LeanFile;

/// What a process costs before it reads anything, in bytes of code that it could check instead.
const START: u64 = 16 << 10;

/// A group is closed when it holds so much code: larger ones gain nothing more, and the last one to end is waited for.
const FULL: u64 = 128 << 10;

/// Rather than a smaller group, the end of another one is waited for.
const SMALL: u64 = 32 << 10;

/// Sizes are rounded up to this, so that an edit rarely makes other groups.
const GRAIN: u64 = 1 << 10;

/// Forms groups of `files`, which stand in import order. Each group is in the order in which it is to be joined, and
/// imports nothing of a later group.
pub fn form<'a>(files: &[&'a LeanFile], at_once: usize) -> Vec<Vec<&'a LeanFile>> {
    Grouping::new(files).run(at_once)
}

struct Grouping<'a, 'b> {
    files: &'b [&'a LeanFile],
    /// For each file, the files that it imports.
    needs: Vec<Vec<usize>>,
    cost: Vec<u64>,
    /// Cost of the longest chain of imports that begins with this file: what has to wait for it.
    ahead: Vec<u64>,
    taken: Vec<bool>,
    done: Vec<bool>,
}

impl<'a, 'b> Grouping<'a, 'b> {
    fn new(files: &'b [&'a LeanFile]) -> Self {
        let place: BTreeMap<&str, usize> = files.iter().enumerate().map(|(i, f)| (f.module.as_str(), i)).collect();
        let needs: Vec<Vec<usize>> =
            files.iter().map(|f| f.imports.iter().filter_map(|i| place.get(i.as_str()).copied()).collect()).collect();
        let cost: Vec<u64> = files.iter().map(|f| cost(f)).collect();
        let mut ahead = cost.clone();
        for (i, needed) in needs.iter().enumerate().rev() {
            for &need in needed {
                ahead[need] = ahead[need].max(cost[need] + ahead[i]);
            }
        }
        let none = vec![false; files.len()];
        Self { files, needs, cost, ahead, taken: none.clone(), done: none }
    }

    fn run(mut self, at_once: usize) -> Vec<Vec<&'a LeanFile>> {
        let mut groups = Vec::<Vec<usize>>::new();
        let (mut now, mut running) = (0, BTreeSet::<(u64, usize)>::new());
        while self.taken.iter().any(|taken| !taken) || !running.is_empty() {
            if running.len() < at_once.max(1) {
                let (group, size) = self.fill();
                // With nothing running something can always be taken: the first file that is left needs nothing else.
                if !group.is_empty() && (size >= SMALL || running.is_empty()) {
                    for &i in &group {
                        self.taken[i] = true;
                    }
                    running.insert((now + START + size, groups.len()));
                    groups.push(group);
                    continue;
                }
            }
            let Some((end, ended)) = running.pop_first() else { break };
            now = end;
            for &i in &groups[ended] {
                self.done[i] = true;
            }
        }
        groups.iter().map(|group| group.iter().map(|&i| self.files[i]).collect()).collect()
    }

    /// The next group, of files whose imports are done or in it.
    fn fill(&self) -> (Vec<usize>, u64) {
        let (mut group, mut size) = (Vec::new(), 0);
        let mut inside = vec![false; self.files.len()];
        loop {
            let ready = |&i: &usize| {
                !self.taken[i] && !inside[i] && self.needs[i].iter().all(|&need| self.done[need] || inside[need])
            };
            let fits = |&i: &usize| group.is_empty() || size + self.cost[i] <= FULL;
            let best =
                (0..self.files.len()).filter(ready).filter(fits).max_by_key(|&i| (self.ahead[i], usize::MAX - i));
            let Some(best) = best else { return (group, size) };
            inside[best] = true;
            size += self.cost[best];
            group.push(best);
        }
    }
}

/// Bytes of code, without comments and blanks.
fn cost(file: &LeanFile) -> u64 {
    if file.header_lines.is_none() {
        return 0;
    }
    let code = text::blank_comments(&file.text, Keep::CodeAndStrings);
    let bytes: usize = code.split_whitespace().map(|word| word.len() + 1).sum();
    (bytes as u64).div_ceil(GRAIN) * GRAIN
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(module: &str, imports: &[&str], bytes: u64) -> LeanFile {
        LeanFile {
            module: module.to_string(),
            path: format!("{module}.lean"),
            text: "x".repeat(usize::try_from(bytes).unwrap()),
            imports: imports.iter().map(|i| (*i).to_string()).collect(),
            header_lines: Some(0),
        }
    }

    /// Every file once, and nothing imports a later group, or a later file of its own.
    fn check(files: &[LeanFile], at_once: usize) -> Vec<Vec<String>> {
        let order: Vec<&LeanFile> = files.iter().collect();
        let groups = form(&order, at_once);
        let mut seen = BTreeSet::new();
        for group in &groups {
            for file in group {
                let ours = |import: &&String| files.iter().any(|f| &f.module == *import);
                assert!(file.imports.iter().filter(ours).all(|i| seen.contains(i.as_str())), "{}", file.module);
                assert!(seen.insert(file.module.as_str()));
            }
        }
        assert_eq!(seen.len(), files.len());
        groups.iter().map(|g| g.iter().map(|f| f.module.clone()).collect()).collect()
    }

    #[test]
    fn small_libraries_are_one_group() {
        let files = [file("A", &[], 10), file("B", &["A", "Init"], 10), file("C", &["B"], 10)];
        assert_eq!(check(&files, 2), [["A", "B", "C"]]);
        assert_eq!(check(&[], 2), Vec::<Vec<String>>::new());
    }

    #[test]
    fn two_chains_are_checked_side_by_side() {
        let n = 100 << 10;
        let files = [file("A", &[], n), file("P", &[], n), file("B", &["A"], n), file("Q", &["P"], n)];
        assert_eq!(check(&files, 2), [["A"], ["P"], ["B"], ["Q"]]);
    }

    #[test]
    fn a_file_larger_than_a_group_stands_alone_and_a_chain_is_not_cut_small() {
        let files = [file("A", &[], 500 << 10), file("B", &["A"], 1 << 10), file("C", &["B"], 1 << 10)];
        assert_eq!(check(&files, 2), [vec!["A"], vec!["B", "C"]]);
    }

    #[test]
    fn random_imports_never_run_back() {
        let mut state = 1_u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for _ in 0..200 {
            let mut files: Vec<LeanFile> = Vec::new();
            for i in 0..below(60) {
                let names: Vec<String> = (0..below(4).min(i)).map(|_| format!("M{}", below(i))).collect();
                let imports: Vec<&str> = names.iter().map(String::as_str).collect();
                files.push(file(&format!("M{i}"), &imports, below(60 << 10)));
            }
            let at_once = usize::try_from(below(3)).unwrap();
            let groups = check(&files, at_once);
            let size = |g: &Vec<String>| files.iter().filter(|f| g.contains(&f.module)).map(cost).sum::<u64>();
            assert!(groups.iter().all(|g| g.len() == 1 || size(g) <= FULL));
        }
    }
}
