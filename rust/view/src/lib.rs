//! What a layout, an operation or an access of shared memory looks like: in words, as a table, as a picture.
//!
//! The command and the Python module show the same: each writes or draws what is made here.

pub mod banks;
pub mod coordinates;
pub mod diagram;
pub mod explain;
pub mod failure;
pub mod notation;
pub mod plain;
pub mod svg;
pub mod swizzled;
pub mod table;
pub mod thread_value;
pub mod tikz;
