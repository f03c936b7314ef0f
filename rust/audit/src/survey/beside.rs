//! Several things at a time, each with a stack for evaluators. What each of them comes to hangs on itself alone, so that every machine
//! says the same, however many processors it has.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::PoisonError;

use super::STACK;

/// Threads that work at the same time.
const MAX_THREADS: usize = 16;

/// Does all tasks, the first ones first, and each once.
pub fn each<T: Send>(tasks: Vec<T>, work: &(impl Fn(T) + Sync)) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS).min(tasks.len());
    let left = Mutex::new(tasks.into_iter());
    // The guard is gone before the work begins.
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let worker = || {
        while let Some(task) = next() {
            work(task);
        }
    };
    std::thread::scope(|scope| {
        // Where no thread can be had, this one does what they would have done.
        let spawn = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker).ok();
        let others: Vec<_> = (1..threads).filter_map(spawn).collect();
        worker();
        for other in others {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// Cuts some things in parts of about some lengths in proportion, and only where two have different keys.
pub fn parts<T, K: PartialEq>(all: &[T], lengths: &[usize], key: impl Fn(&T) -> K) -> Vec<Range<usize>> {
    let sum: usize = lengths.iter().sum::<usize>().max(1);
    let mut parts = Vec::new();
    let (mut start, mut before) = (0, 0);
    for length in lengths {
        before += length;
        let mut end = (all.len() * before / sum).max(start);
        while let (Some(last), Some(one)) = (end.checked_sub(1).and_then(|last| all.get(last)), all.get(end))
            && key(last) == key(one)
        {
            end += 1;
        }
        if start < end {
            parts.push(start..end);
            start = end;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_done_once() {
        let done = Mutex::new(Vec::new());
        each((0..100).collect(), &|task: usize| done.lock().unwrap().push(task));
        let mut done = done.into_inner().unwrap();
        done.sort_unstable();
        assert_eq!(done, (0..100).collect::<Vec<_>>());
        each(Vec::new(), &|_: usize| panic!("nothing to do"));
    }

    #[test]
    fn what_belongs_together_stays_together() {
        let units = [0, 0, 0, 1, 1, 2, 3, 3];
        assert_eq!(parts(&units, &[1, 1, 1, 1], |unit| *unit), [0..3, 3..5, 5..6, 6..8]);
        assert_eq!(parts(&units, &[4, 3, 1], |unit| *unit), [0..5, 5..8]);
        let whole = |all: &[i32], lengths: &[usize]| {
            let parts = parts(all, lengths, |unit| *unit);
            parts.len() == 1 && parts.first() == Some(&(0..all.len()))
        };
        assert!(whole(&units, &[1]) && whole(&[7; 5], &[1, 1]));
        assert!(parts::<u32, u32>(&[], &[1, 1], |unit| *unit).is_empty());
    }
}
