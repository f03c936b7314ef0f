//! Layouts as morphisms of tuples and nested tuples. Maps count from 1, and 0 is the basepoint.

pub(super) mod fin;
pub(super) mod layouts;
pub(super) mod nest;
pub(super) mod tuple;
