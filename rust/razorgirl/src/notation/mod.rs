//! CuTe notation, read and written: `((4,2),(2,4)):((2,16),(1,8))`.

mod read;
mod write;

pub(crate) use write::write_nested;
