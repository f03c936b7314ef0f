//! Rust against the Lean definitions. One Lean process answers all of it ([`oracle_answers::lean`]): reading the definitions costs
//! it 75 s of processor time, which five processes would pay five times.

mod differential;
mod foreign;
mod linear;
mod oracle_answers;
mod pipelines;
mod recast;
mod schedules;
mod simplify;
