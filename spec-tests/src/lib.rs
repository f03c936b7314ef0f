//! spec-tests
