//! RG024: slices of a tiled copy or MMA for threads that a block cannot have. RG030: a tiled copy or MMA with more threads than its class.

use super::defect::Defect;

/// More threads than the block may have.
pub fn beyond(threads: u64, bound: u64) -> Option<Defect> {
    if threads <= bound {
        return None;
    }
    let notes = vec![
        format!("threadIdx.x is below {bound}, and nobody takes the slices {bound} to {}", threads - 1),
        "a launch with more threads than __launch_bounds__ fails".to_owned(),
    ];
    let title = format!("this is sliced for {threads} threads, and a block has at most {bound}");
    Some(Defect { title, notes, ..Defect::default() })
}

/// RG030: more threads than the class says.
pub fn counted(name: &str, threads: u64, count: u64) -> Option<Defect> {
    if threads <= count {
        return None;
    }
    let notes = vec![format!(
        "nobody takes the slices {count} to {}, where the class's threads are all there are",
        threads - 1
    )];
    let title = format!("{name} has {threads} threads, and its class has {count}");
    Some(Defect { title, notes, ..Defect::default() })
}
