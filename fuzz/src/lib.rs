//! What the targets check, one function a target: it panics where something is wrong.

mod audit;
mod extracted;
mod model;
mod notation;
mod protocol;
mod schedule;

pub use audit::audit;
pub use extracted::extracted;
pub use model::model;
pub use notation::notation;
pub use protocol::protocol;
pub use schedule::schedule;
