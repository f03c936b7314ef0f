//! Several things at a time, each with a stack for evaluators. What each of them comes to hangs on itself alone, so that every machine
//! says the same, however many processors it has.

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

/// Does one thing while another is done.
pub fn with<T: Send>(one: &(impl Fn() -> T + Sync), other: impl FnOnce()) -> T {
    std::thread::scope(|scope| {
        let beside = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, one);
        other();
        match beside.map(std::thread::ScopedJoinHandle::join) {
            Ok(done) => done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // Where no thread can be had, it is done behind the other.
            Err(_) => one(),
        }
    })
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
        let other = Mutex::new(0);
        assert_eq!(with(&|| 1, || *other.lock().unwrap() = 2), 1);
        assert_eq!(other.into_inner().unwrap(), 2);
    }
}
