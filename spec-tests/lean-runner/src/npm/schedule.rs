//! Jobs that depend on each other, a few at a time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::Result;

/// How a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It did what it should.
    Done,
    /// It did not; jobs that depend on it are not started.
    Failed,
    /// Not started, because of this one.
    Skipped(usize),
}

#[derive(Debug)]
struct State {
    waiting: Vec<usize>,
    outcomes: Vec<Option<Outcome>>,
    broken: Option<anyhow::Error>,
}

/// Runs `job(i)` for each `i`, after all of `needs[i]`, at most `at_once` at a time; `job` says whether it succeeded.
/// Earlier ones are started first. `needs` must have no cycle.
///
/// # Errors
/// The first error of a job; nothing is started after it.
pub fn run(needs: &[Vec<usize>], at_once: usize, job: impl Fn(usize) -> Result<bool> + Sync) -> Result<Vec<Outcome>> {
    let state = State { waiting: (0..needs.len()).collect(), outcomes: vec![None; needs.len()], broken: None };
    let (state, changed) = (Mutex::new(state), Condvar::new());
    thread::scope(|scope| {
        for _ in 0..at_once.min(needs.len()) {
            scope.spawn(|| {
                while let Some(i) = next(needs, &state, &changed) {
                    let result = job(i);
                    let mut state = lock(&state);
                    match result {
                        Ok(good) => state.outcomes[i] = Some(if good { Outcome::Done } else { Outcome::Failed }),
                        Err(error) => state.broken = Some(error),
                    }
                    changed.notify_all();
                }
            });
        }
    });
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    match state.broken {
        Some(error) => Err(error),
        None => Ok(state.outcomes.into_iter().map(|outcome| outcome.unwrap_or(Outcome::Failed)).collect()),
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The next job to start; waits until there is one. `None` when all have been started.
fn next(needs: &[Vec<usize>], state: &Mutex<State>, changed: &Condvar) -> Option<usize> {
    let mut state = lock(state);
    loop {
        if state.broken.is_some() || state.waiting.is_empty() {
            return None;
        }
        let ready = |&i: &usize| needs[i].iter().all(|&need| state.outcomes[need].is_some());
        let Some(place) = state.waiting.iter().position(ready) else {
            state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let i = state.waiting.remove(place);
        let failed = |need: &&usize| state.outcomes[**need] != Some(Outcome::Done);
        match needs[i].iter().find(failed).copied() {
            None => return Some(i),
            Some(need) => {
                state.outcomes[i] = Some(Outcome::Skipped(need));
                changed.notify_all();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::sleep;
    use std::time::Duration;

    use anyhow::bail;

    use super::*;

    #[test]
    fn order_failures_and_bound() {
        let needs = [vec![], vec![0], vec![], vec![2], vec![3], vec![1, 0], vec![]];
        let (order, running, most) = (Mutex::new(Vec::new()), AtomicUsize::new(0), AtomicUsize::new(0));
        let outcomes = run(&needs, 2, |i| {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            sleep(Duration::from_millis(5));
            order.lock().unwrap().push(i);
            running.fetch_sub(1, Ordering::SeqCst);
            Ok(i != 2)
        });
        let order = order.into_inner().unwrap();
        let at = |i| order.iter().position(|j| *j == i).unwrap();
        assert!(at(0) < at(1) && at(1) < at(5));
        assert_eq!(most.into_inner(), 2);
        let expected = [Outcome::Done, Outcome::Done, Outcome::Failed, Outcome::Skipped(2), Outcome::Skipped(3)];
        assert_eq!(outcomes.unwrap()[..5], expected);
    }

    #[test]
    fn an_error_stops() {
        let ran = AtomicUsize::new(0);
        let needs = [vec![], vec![0], vec![1]];
        let result = run(&needs, 2, |_| {
            ran.fetch_add(1, Ordering::SeqCst);
            bail!("no node")
        });
        assert_eq!((result.unwrap_err().to_string().as_str(), ran.into_inner()), ("no node", 1));
    }
}
