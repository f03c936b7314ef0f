//! spec-tests
fn main() {}
