//! A pipeline in the form that Lean's `Razorgirl.Pipeline.Program` has.

use crate::program::{Access, Operation, Place, Program, Unit};
use std::fmt::Write;

impl Program {
    /// The pipeline as nested lists of numbers, which Lean's oracle reads as a `Razorgirl.Pipeline.Program`: stages, the least number
    /// of trips, barriers, the number of buffers, and the operations of each role.
    ///
    /// # Errors
    /// What the pipeline has that this Lean definition does not model: several rings, CTAs or parameters, named barriers, loops that
    /// do not run K trips, `cp.async` and bulk stores, phases that are computed.
    pub fn for_lean(&self) -> Result<String, String> {
        let [pipe] = self.pipes.as_slice() else {
            return Err(format!("{} rings", self.pipes.len()));
        };
        let [parameter] = self.parameters.as_slice() else {
            return Err(format!("{} parameters", self.parameters.len()));
        };
        if parameter.condition {
            return Err("a condition".to_owned());
        }
        let ctas = [self.barriers.iter().map(|b| b.cta).max(), self.buffers.iter().map(|b| b.cta).max()];
        if ctas.into_iter().flatten().chain(self.roles.iter().map(|r| r.cta)).any(|cta| cta != 0) {
            return Err("several CTAs".to_owned());
        }
        let barriers: Vec<String> = (self.barrier_slots.iter())
            .map(|&(b, _)| format!("[{},{}]", u8::from(self.barriers[b].pipe.is_some()), self.barriers[b].count))
            .collect();
        let roles = self.roles.iter().map(|role| self.role(&role.code)).collect::<Result<Vec<_>, _>>()?;
        Ok(format!(
            "[{},{},[{}],{},[{}]]",
            pipe.stages,
            parameter.least,
            barriers.join(","),
            self.buffer_slots.len(),
            roles.join(",")
        ))
    }

    /// The operations of a role. Lean enters no loops: the trips that are left stand in the state from the start.
    fn role(&self, code: &[crate::program::Instruction]) -> Result<String, String> {
        let kept = |to: usize| to - code[..to].iter().filter(|i| matches!(i.operation, Operation::Enter(_))).count();
        let mut out = vec![];
        let mut loops = 0;
        for instruction in code {
            let line = instruction.line;
            let numbers = match &instruction.operation {
                Operation::Enter(count) if self.decided(count).is_some() && loops == 0 => {
                    loops += 1;
                    continue;
                }
                Operation::Enter(_) => return Err(format!("the loop of line {line}")),
                Operation::Head { exit, .. } => format!("12,{}", kept(*exit)),
                Operation::Jump(to) => format!("13,{}", kept(*to)),
                Operation::Next(_) => "11".to_owned(),
                Operation::Exit => break,
                Operation::Wait { on, shift, phase } => {
                    let base = match phase {
                        Some(_) if on.pipe.is_some() => return Err(format!("the phase of line {line}")),
                        Some(e) => e.value(&|_| None).ok_or_else(|| format!("the phase of line {line}"))?,
                        None => 0,
                    };
                    format!("0,{},{}", self.barrier_place(*on), (base + shift).rem_euclid(2))
                }
                Operation::Arrive { on, count: 1, each } => format!("1,{},{each}", self.barrier_place(*on)),
                Operation::Expect { on, bytes, arrives } => {
                    format!("{},{},{bytes}", if *arrives { 3 } else { 2 }, self.barrier_place(*on))
                }
                Operation::Tma { into, on, bytes } => {
                    format!("4,{},{},{bytes}", self.buffer_place(*into), self.barrier_place(*on))
                }
                Operation::Begin { of, kind } => {
                    format!("{},{}", if *kind == Access::Read { 5 } else { 7 }, self.buffer_place(*of))
                }
                Operation::End { of, writes } => format!("{},{}", if *writes { 8 } else { 6 }, self.buffer_place(*of)),
                Operation::Group { of: Some(of), unit: Unit::Mma } => format!("9,{}", self.buffer_place(*of)),
                Operation::GroupWait { unit: Unit::Mma, left } => format!("10,{left}"),
                Operation::Arrive { .. }
                | Operation::Group { .. }
                | Operation::GroupWait { .. }
                | Operation::Maybe { .. }
                | Operation::Reset(_)
                | Operation::Sync { .. } => return Err(format!("the operation of line {line}")),
            };
            out.push(numbers);
        }
        let mut text = String::new();
        for (i, numbers) in out.iter().enumerate() {
            let _ = write!(text, "{}[{numbers}]", if i > 0 { "," } else { "" });
        }
        Ok(format!("[{text}]"))
    }

    fn barrier_place(&self, place: Place) -> String {
        numbers(self.barriers[place.of].first, place)
    }

    fn buffer_place(&self, place: Place) -> String {
        numbers(self.buffers[place.of].first, place)
    }
}

fn numbers(first: usize, place: Place) -> String {
    format!("{first},{},{}", u8::from(place.pipe.is_some()), place.back)
}

#[cfg(test)]
mod tests {
    use crate::parse;

    #[test]
    fn a_ring_in_numbers() {
        let text = "pipeline ring\nparam K from 1\npipe p stages 2\nbarrier full[p] count 1\nbarrier empty[p] count 1\nbuffer A[p]\n\
                    role producer\n  loop K\n    wait empty[p] flipped\n    arrive_expect full[p] 16\n    tma A[p] full[p] 16\n    next p\n\
                    role consumer\n  loop K\n    wait full[p]\n    read A[p]\n    arrive empty[p]\n    next p\n";
        let numbers = "[2,1,[[1,1],[1,1],[1,1],[1,1]],2,[\
                       [[12,6],[0,2,1,0,1],[3,0,1,0,16],[4,0,1,0,0,1,0,16],[11],[13,0]],\
                       [[12,7],[0,0,1,0,0],[5,0,1,0],[6,0,1,0],[1,2,1,0,1],[11],[13,0]]]]";
        assert_eq!(parse(text).unwrap().for_lean().unwrap(), numbers);
    }

    #[test]
    fn what_lean_does_not_model_is_named() {
        let text = "pipeline named\nparam K\npipe p stages 1\nrole a\n  loop K\n    sync 1 32\n    next p\n";
        assert_eq!(parse(text).unwrap().for_lean().unwrap_err(), "the operation of line 6");
    }
}
