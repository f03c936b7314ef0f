//! A pipeline as a program: one flat list of operations for each role.

use crate::expression::Expression;
use std::collections::BTreeMap;

/// A pipeline that has been read.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) name: String,
    pub(crate) constants: BTreeMap<String, i64>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) pipes: Vec<Pipe>,
    pub(crate) barriers: Vec<Barrier>,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) roles: Vec<Role>,
    /// every slot of a barrier: its barrier and its stage
    pub(crate) barrier_slots: Vec<(usize, usize)>,
    /// every slot of a buffer: its buffer and its stage
    pub(crate) buffer_slots: Vec<(usize, usize)>,
}

/// A trip count, or a condition that all roles decide alike.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub name: String,
    /// the least value; a loop over it has as many trips at least
    pub least: i64,
    /// asked by `maybe`, which takes a decision each time
    pub condition: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Pipe {
    pub name: String,
    pub stages: i64,
}

#[derive(Clone, Debug)]
pub(crate) struct Barrier {
    pub name: String,
    pub pipe: Option<usize>,
    pub count: i64,
    pub cta: i64,
    /// the slot of stage 0
    pub first: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    pub name: String,
    pub pipe: Option<usize>,
    pub cta: i64,
    pub first: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Role {
    pub name: String,
    pub threads: i64,
    pub cta: i64,
    /// identical copies share a group
    pub group: usize,
    pub code: Vec<Instruction>,
    /// pipes whose position the role uses
    pub pipes: Vec<bool>,
    /// parameters that the role decides by
    pub parameters: Vec<bool>,
}

#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub line: usize,
    pub operation: Operation,
}

/// A barrier or a buffer, and in a ring which stage: that of the role's position less `back`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub of: usize,
    pub pipe: Option<usize>,
    pub back: i64,
}

#[derive(Clone, Debug)]
pub(crate) enum Operation {
    /// a loop begins
    Enter(Expression),
    /// one more trip, or on behind the loop
    Head {
        parameter: Option<usize>,
        exit: usize,
    },
    Jump(usize),
    Maybe {
        parameter: usize,
        exit: usize,
    },
    Next(usize),
    Reset(usize),
    Exit,
    /// for the phase of the position plus `shift`, or for the phase of an expression plus `shift`
    Wait {
        on: Place,
        shift: i64,
        phase: Option<Expression>,
    },
    /// `each` arrivals of `count`
    Arrive {
        on: Place,
        count: i64,
        each: i64,
    },
    Expect {
        on: Place,
        bytes: i64,
        arrives: bool,
    },
    Tma {
        into: Place,
        on: Place,
        bytes: i64,
    },
    Begin {
        of: Place,
        kind: Access,
    },
    End {
        of: Place,
        writes: bool,
    },
    /// an asynchronous group
    Group {
        of: Option<Place>,
        unit: Unit,
    },
    /// until at most so many groups of the unit are in flight
    GroupWait {
        unit: Unit,
        left: usize,
    },
    Sync {
        id: i64,
        threads: i64,
        waits: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// The units whose groups a role waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Mma,
    Store,
    CpAsync,
}

impl Unit {
    pub const fn index(self) -> usize {
        match self {
            Self::Mma => 0,
            Self::Store => 1,
            Self::CpAsync => 2,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Mma => "mma",
            Self::Store => "store",
            Self::CpAsync => "cpasync",
        }
    }

    pub const fn writes(self) -> bool {
        matches!(self, Self::CpAsync)
    }
}

impl Program {
    /// The name in the text.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The parameters that are trip counts, in the order of the text.
    pub fn trip_counts(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().filter(|p| !p.condition).map(|p| p.name.as_str())
    }

    /// The roles, copies apart.
    pub fn roles(&self) -> impl Iterator<Item = &str> {
        self.roles.iter().map(|r| r.name.as_str())
    }

    /// Why the trip counts cannot be left open: something depends on more than on one more trip.
    #[must_use]
    pub fn fixed_only(&self) -> Option<String> {
        for role in &self.roles {
            for Instruction { line, operation } in &role.code {
                match operation {
                    Operation::Enter(count) if self.decided(count).is_none() => {
                        let mut parameter = None;
                        count.names(&mut |n| {
                            // the position of a ring grows with the trips
                            if n.contains('.') || self.parameters.iter().any(|p| p.name == n) {
                                parameter = Some(n.to_owned());
                            }
                        });
                        if let Some(p) = parameter {
                            return Some(format!(
                                "the loop of line {line} has a number of trips that is computed from {p}"
                            ));
                        }
                    }
                    Operation::Wait { phase: Some(_), .. } => {
                        return Some(format!("the wait of line {line} is for a phase that is computed"));
                    }
                    _ => {}
                }
            }
        }
        None
    }

    /// The parameter that a loop counts to, if it is nothing else.
    pub(crate) fn decided(&self, count: &Expression) -> Option<usize> {
        let name = count.name()?;
        self.parameters.iter().position(|p| p.name == name && !p.condition)
    }
}
