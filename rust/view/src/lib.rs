//! Layouts, operations, accesses of shared memory, tensor maps and schedules as text, tables and pictures.
//!
//! The command and the Python module print and draw what this crate makes.

pub mod banks;
pub mod coordinates;
pub mod diagram;
pub mod explain;
pub mod failure;
pub mod notation;
pub mod plain;
pub mod schedule;
pub mod svg;
pub mod swizzled;
pub mod table;
pub mod thread_value;
pub mod tikz;
pub mod tma;
