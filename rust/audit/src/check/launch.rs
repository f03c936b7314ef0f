//! RG024: slices of a tiled copy or MMA for threads that a block cannot have. RG030: a tiled copy or MMA with more threads than its class.
//! RG031: a launch whose block has too few threads for the slices, or too many for the kernel, or more shared memory than there is. RG032: one with
//! threads beyond the slices. RG034: one with more shared memory than the kernel is allowed.

use super::defect::Defect;
use crate::finding::Code;
use crate::survey::{ALLOWED, MOST_ALONG_Z, MOST_SHARED, MOST_THREADS, Started};

/// More threads than the block may have.
pub fn beyond(threads: u64, bound: u64) -> Option<Defect> {
    if threads <= bound {
        return None;
    }
    let notes = vec![
        format!("threadIdx.x is less than {bound}: slices {bound} to {} are never processed", threads - 1),
        "a launch with more threads than __launch_bounds__ fails".to_owned(),
    ];
    let title = format!("this is sliced for {threads} threads, but __launch_bounds__ allows a block at most {bound}");
    Some(Defect { title, notes, ..Defect::default() })
}

/// RG030: more threads than the class says.
pub fn counted(name: &str, threads: u64, count: u64) -> Option<Defect> {
    if threads <= count {
        return None;
    }
    let notes = vec![format!(
        "slices {count} to {} are never processed, if a block has the {count} threads that the class says",
        threads - 1
    )];
    let title = format!("{name} has {threads} threads, and its class has {count}");
    Some(Defect { title, notes, ..Defect::default() })
}

/// RG031: a block that no device takes.
fn refused([x, y, z]: [u64; 3]) -> Option<Defect> {
    let all = x.saturating_mul(y).saturating_mul(z);
    if all <= MOST_THREADS && z <= MOST_ALONG_Z {
        return None;
    }
    let title = if all > MOST_THREADS {
        format!("this block has {all} threads, but every device is limited to {MOST_THREADS}")
    } else {
        format!("this block has {z} threads along z, but every device is limited to {MOST_ALONG_Z}")
    };
    Some(Defect { title, notes: vec!["the launch fails".to_owned()], ..Defect::default() })
}

/// RG031: more dynamic shared memory than a device has. RG034: more than a kernel may have that nothing allows more.
pub fn asked(bytes: u64, least: bool, allowed: bool) -> Option<(Code, Defect)> {
    let asks = if least { "requests at least" } else { "requests" };
    if bytes > MOST_SHARED {
        let title = format!("this launch {asks} {bytes} bytes of shared memory, but a block has at most {MOST_SHARED}");
        return Some((
            Code::BlockThreads,
            Defect { title, notes: vec!["the launch fails".to_owned()], ..Defect::default() },
        ));
    }
    if allowed {
        return None;
    }
    let title = format!(
        "this launch {asks} {bytes} bytes of dynamic shared memory, but the kernel is limited to {ALLOWED} without cudaFuncSetAttribute"
    );
    let bytes = if least { "bytes".to_owned() } else { bytes.to_string() };
    let notes = vec![
        "the launch fails with cudaErrorInvalidValue".to_owned(),
        format!(
            "call cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, {bytes}) before the launch"
        ),
        "no file that names the kernel sets this attribute, nor does the launching file or what it includes".to_owned(),
    ];
    Some((Code::LaunchShared, Defect { title, notes, ..Defect::default() }))
}

/// RG031 and RG032: the block of a launch.
pub fn started(of: &Started, what: &str) -> Option<(Code, Defect)> {
    if let Some(defect) = refused(of.block) {
        return Some((Code::BlockThreads, defect));
    }
    let [x, y, z] = of.block;
    let all = x.checked_mul(y)?.checked_mul(z)?;
    let threads = of.threads;
    let by = if of.rows { "the number of the thread" } else { "threadIdx.x" };
    let (code, title, note) = match x.cmp(&threads) {
        _ if of.bound => {
            if all <= threads {
                return None;
            }
            let title = format!("this block has {all} threads, and __launch_bounds__ allows {threads}");
            (Code::BlockThreads, title, "a launch with more threads than __launch_bounds__ fails".to_owned())
        }
        std::cmp::Ordering::Less => {
            let title = format!("{what} is sliced by {by} for {threads} threads, and this block has {x}");
            (
                Code::BlockThreads,
                title,
                format!("{by} is less than {x}: slices {x} to {} are never processed", threads - 1),
            )
        }
        std::cmp::Ordering::Greater if of.all => {
            let title = format!("{what} is sliced by {by} for {threads} threads, and this block has {x}");
            let note = format!(
                "slices {threads} to {} lie past the end of the tile, and no condition in the kernel excludes those threads",
                x - 1
            );
            (Code::BlockBeyond, title, note)
        }
        _ => return None,
    };
    Some((code, Defect { title, notes: vec![note], ..Defect::default() }))
}
