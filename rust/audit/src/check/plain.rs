//! Layouts that are not part of an `MMA_Traits`: asked about RG001 and RG002.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use razorgirl::{Injectivity, Layout};

use super::constant::{congruent, place};
use super::cover::Budget;
use super::incongruent;
use super::nesting;
use super::overlap::{self, broadcasts_aside};
use super::verdicts::{Plain, Verdicts};
use crate::ast::{Expr, ExprId, Site};
use crate::eval::{Constant, DeclRef, Program};
use crate::finding::{Code, Finding};
use crate::survey::{Role, Survey};

/// `make_tensor(pointer, shape, stride)` of which the text alone says that shape and stride nest differently.
fn tensors(program: &Program<'_>, verdicts: &mut Verdicts) {
    for (unit, of) in (0_u32..).zip(program.units()) {
        let calls = of
            .exprs
            .iter()
            .zip(0_u32..)
            .filter(|((expr, _), _)| matches!(expr, Expr::Call(_, args) if args.len() == 3));
        let mut seen = BTreeSet::new();
        for ((_, span), id) in calls {
            if let Some((shape, stride)) = nesting::mismatch(program, unit, ExprId(id))
                && seen.insert(*span)
            {
                verdicts.find(incongruent::of_nesting(place(program, Site { unit, span: *span }), &shape, &stride));
            }
        }
    }
}

/// A layout and what is known of its use.
struct Seen<'s> {
    constant: &'s Constant,
    role: Role,
    member: Option<DeclRef>,
    /// For which values of template parameters it is that, if it stands in a template.
    holds: Option<&'s str>,
    /// Whether these values are only listed, and no instantiation is known that has them together.
    tried: bool,
    /// Whether they are guesses.
    guessed: bool,
}

/// Checks every resolved layout that no other check looks at; how values are known that stand together, in words.
pub fn check(program: &Program<'_>, survey: &Survey, how: &str, verdicts: &mut Verdicts) {
    let matrices = survey.mma.iter().filter_map(|traits| traits.value.as_ref().ok());
    // `Layout<…>` and `cute::Layout<…>` are one place: where it ends.
    let end = |site: Site| (site.unit, site.span.end);
    let elsewhere: BTreeSet<(u32, u32)> =
        matrices.flat_map(|mma| mma.operands.iter().map(|member| end(member.layout.site))).collect();
    let mut at: BTreeMap<(u32, u32), Vec<Seen<'_>>> = BTreeMap::new();
    for found in &survey.layouts {
        let (role, member) = (found.role, found.member);
        for case in &found.cases {
            let (constant, holds, tried) = (&case.layout, Some(case.holds.as_str()), case.tried);
            at.entry(end(constant.site)).or_default().push(Seen {
                constant,
                role,
                member,
                holds,
                tried,
                guessed: found.guessed,
            });
        }
        if let Ok(constant) = &found.layout
            && found.cases.is_empty()
        {
            at.entry(end(constant.site)).or_default().push(Seen {
                constant,
                role,
                member,
                holds: None,
                tried: false,
                guessed: false,
            });
        }
    }
    for found in &survey.layouts {
        let nests = found.open(program).and_then(|expr| nesting::mismatch(program, found.site.unit, expr));
        if let Some((shape, stride)) = nests {
            verdicts.find(incongruent::of_nesting(place(program, found.site), &shape, &stride));
        }
    }
    let mut budget = Budget::default();
    for found in &survey.layouts {
        // Whatever its other modes are.
        let known = found.known.as_ref().filter(|_| found.role == Role::Plain);
        if let Some(defect) = known.and_then(|known| overlap::defect(known, &mut budget)) {
            verdicts.find(defect.finding(Code::Overlap, place(program, found.site)));
        }
    }
    tensors(program, verdicts);
    for (_, constant) in &survey.instances {
        let seen = Seen { constant, role: Role::Plain, member: None, holds: None, tried: false, guessed: false };
        at.entry(end(constant.site)).or_default().push(seen);
    }
    let mut judge = Judge { program, budget: Budget::default(), known: HashMap::new() };
    for (site, all) in at {
        if elsewhere.contains(&site) {
            continue;
        }
        // One definition can give many layouts; the first that is wrong stands for all. Values that are only listed may never
        // stand together: such layouts are wrong where all of them are.
        let (tried, known): (Vec<&Seen<'_>>, Vec<&Seen<'_>>) = all.iter().partition(|seen| seen.tried);
        let mut look = |seen: &&Seen<'_>| judge.look(seen, &mut verdicts.plain);
        let wrong = known.iter().find_map(|seen| Some((*seen, look(seen)?))).or_else(|| {
            let mut wrong: Vec<Option<Finding>> = tried.iter().map(look).collect();
            let all = wrong.iter().all(Option::is_some) && !tried.iter().any(|seen| seen.guessed);
            tried.first().copied().zip(wrong.first_mut()?.take().filter(|_| all))
        });
        if let Some((seen, mut finding)) = wrong {
            if let Some(holds) = seen.holds.filter(|holds| !holds.is_empty()) {
                finding.notes.push(if seen.tried {
                    let count = tried.len();
                    format!("for {holds}, and all of the {count} sets of values that the code lists")
                } else {
                    format!("for {holds}, {how}")
                });
                // The numbers are computed from parameters, and other values need another change.
                finding.fix = None;
            }
            verdicts.find(finding);
        }
    }
}

struct Judge<'p> {
    program: &'p Program<'p>,
    budget: Budget,
    /// The same layout is written again and again.
    known: HashMap<Layout, Option<Injectivity>>,
}

impl Judge<'_> {
    fn look(&mut self, seen: &Seen<'_>, plain: &mut Plain) -> Option<Finding> {
        let constant = seen.constant;
        if !constant.shape.tuple.congruent(&constant.stride.tuple) {
            return Some(incongruent::of_layout(self.program, constant));
        }
        let Ok(layout) = congruent(constant) else {
            plain.untold += 1;
            return None;
        };
        plain.broadcasts += usize::from(layout.modes().iter().any(|mode| mode.extent() > 1 && mode.stride() == 0));
        let kept = broadcasts_aside(&layout);
        let budget = &mut self.budget;
        let verdict = *self.known.entry(kept).or_insert_with_key(|kept| overlap::injectivity(kept, budget));
        match verdict {
            Some(Injectivity::Injective) => {
                plain.injective += 1;
                None
            }
            None => {
                plain.untold += 1;
                None
            }
            // Scale factors and tensor memory have address spaces of their own.
            Some(_) if !matches!(seen.role, Role::Plain | Role::Copy) || !constant.explicit => None,
            // The sum of the coordinates is a rotation of a template's many devices or stages, not a place in memory.
            Some(_) if seen.holds.is_some() && layout.modes().iter().all(|mode| mode.stride() <= 1) => None,
            Some(verdict) => {
                Some(overlap::finding(self.program, constant, &layout, verdict, subject(self.program, seen)))
            }
        }
    }
}

/// The member of a `Copy_Traits` that a layout defines.
fn subject(program: &Program<'_>, seen: &Seen<'_>) -> Option<String> {
    let member = seen.member.filter(|_| seen.role == Role::Copy)?;
    let class = program.class_around(member)?;
    Some(format!("{} of {}", program.name(member), super::constant::class_name(program, class)))
}
