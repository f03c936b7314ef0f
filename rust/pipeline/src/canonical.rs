//! One state for all states that go on alike.
//!
//! Positions of a ring matter modulo its stages, and phases by their parity and by their distance from a position: so a shift
//! of everything by two rounds of the ring changes no step. Decisions that every role has passed are forgotten, and roles
//! with the same program are put in order.

use crate::machine::Machine;
use crate::program::Operation;
use crate::state::{GONE, NOTHING, OLD, State};

impl Machine<'_> {
    pub(crate) fn canonical(&self, mut state: State, relative: bool, symmetry: &[Vec<usize>]) -> State {
        self.forget_decisions(&mut state);
        if relative {
            for pipe in 0..self.program.pipes.len() {
                self.shift(&mut state, pipe);
            }
        }
        for group in symmetry {
            let mut roles: Vec<_> = group.iter().map(|&r| state.roles[r].clone()).collect();
            roles.sort();
            for (&r, role) in group.iter().zip(roles) {
                state.roles[r] = role;
            }
        }
        state
    }

    fn forget_decisions(&self, state: &mut State) {
        for parameter in 0..self.program.parameters.len() {
            let length = state.tapes[parameter].len();
            if length == 0 {
                continue;
            }
            let least = (self.program.roles.iter().zip(&state.roles))
                .filter(|(role, s)| role.parameters[parameter] && s.decided[parameter] != GONE)
                .map(|(_, s)| s.decided[parameter])
                .min()
                .unwrap_or(length);
            if least > 0 {
                state.tapes[parameter].drain(..least);
                for role in &mut state.roles {
                    let at = &mut role.decided[parameter];
                    if *at != GONE {
                        *at = at.saturating_sub(least);
                    }
                }
            }
        }
    }

    fn shift(&self, state: &mut State, pipe: usize) {
        let p = self.program;
        let stages = p.pipes[pipe].stages;
        let live =
            |r: usize, at: usize| p.roles[r].pipes[pipe] && !matches!(p.roles[r].code[at].operation, Operation::Exit);
        let least = state.roles.iter().enumerate().filter(|(r, s)| live(*r, s.at)).map(|(_, s)| s.counts[pipe]).min();
        // nobody asks for the position of a role that has exited or has no use for it
        for (r, role) in state.roles.iter_mut().enumerate() {
            if !live(r, role.at) {
                role.counts[pipe] = 0;
            }
        }
        let round = 2 * stages;
        let base = least.unwrap_or(0).div_euclid(round) * round;
        if base == 0 {
            return;
        }
        let lower = |tile: i64| match tile {
            NOTHING | OLD => tile,
            n if n - base < -round => OLD,
            n => n - base,
        };
        let ring = |slot: usize| p.buffers[p.buffer_slots[slot].0].pipe == Some(pipe);
        for (r, role) in state.roles.iter_mut().enumerate() {
            if live(r, role.at) {
                role.counts[pipe] -= base;
            }
            for queue in &mut role.groups {
                for (slot, tile) in queue {
                    if slot.is_some_and(ring) {
                        *tile = lower(*tile);
                    }
                }
            }
        }
        for (barrier, &(b, _)) in state.barriers.iter_mut().zip(&p.barrier_slots) {
            if p.barriers[b].pipe == Some(pipe) {
                barrier.phase -= base / stages;
            }
        }
        for (slot, buffer) in state.buffers.iter_mut().enumerate() {
            if ring(slot) {
                buffer.tile = lower(buffer.tile);
            }
        }
        for flight in &mut state.flight {
            if ring(flight.buffer) {
                flight.tile = lower(flight.tile);
            }
        }
        state.flight.sort_unstable();
    }
}
