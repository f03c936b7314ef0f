//! A state of all roles, barriers, buffers and asynchronous units.

/// A buffer that holds no tile yet.
pub(crate) const NOTHING: i64 = i64::MIN;
/// A buffer that holds a tile from more than two rounds of the ring before.
pub(crate) const OLD: i64 = i64::MIN + 1;
/// The position of an exited role in the decisions.
pub(crate) const GONE: usize = usize::MAX;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RoleState {
    pub at: usize,
    /// the position in each pipe
    pub counts: Vec<i64>,
    /// trips left of the loops that the role is in; none where decisions say it
    pub loops: Vec<Option<i64>>,
    /// groups in flight of each unit: the buffer's slot and the tile
    pub groups: [Vec<(Option<usize>, i64)>; 3],
    /// decisions taken, of each parameter
    pub decided: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BarrierState {
    pub phase: i64,
    pub pending: i64,
    pub tx: i64,
    /// a wait has passed on the phase before
    pub seen: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BufferState {
    pub tile: i64,
    pub writers: u32,
    pub readers: u32,
}

/// A TMA load on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Flight {
    pub buffer: usize,
    pub barrier: usize,
    pub bytes: i64,
    pub tile: i64,
}

/// A named barrier in use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Named {
    pub id: i64,
    pub threads: i64,
    pub arrived: i64,
    /// roles that wait there
    pub waiting: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub roles: Vec<RoleState>,
    pub barriers: Vec<BarrierState>,
    pub buffers: Vec<BufferState>,
    /// sorted
    pub flight: Vec<Flight>,
    /// sorted by number
    pub named: Vec<Named>,
    /// decisions that some role has taken and others may still ask for
    pub tapes: Vec<Vec<bool>>,
}
