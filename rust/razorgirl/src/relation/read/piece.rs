//! One piece of a relation, and its pairs.

use super::condition::{self, Comparison, Disjunction, Sign};
use super::expression::{Names, is_name, sum};
use super::text::Text;
use crate::error::{Error, ErrorKind, Result};
use crate::int::expr::{Expr, Kind};
use crate::relation::{MAX_PAIRS, Tuple, too_many};
use alloc::{borrow::ToOwned, string::String, vec::Vec};

/// An input tuple, an output tuple, and when they are related.
pub(super) struct Piece {
    names: Vec<String>,
    input: Vec<Expr>,
    image: Vec<Expr>,
    disjunction: Disjunction,
}

pub(super) fn read(text: &mut Text) -> Result<Piece> {
    let (mut names, mut equal) = (Names::default(), Vec::new());
    let input = tuple(text, &mut names, &mut equal)?;
    text.expect("->")?;
    let image = tuple(text, &mut names, &mut equal)?;
    let mut disjunction = vec![Vec::new()];
    if text.take(":") {
        disjunction = condition::read(text, &names, true)?;
    }
    for way in &mut disjunction {
        way.extend(equal.iter().cloned());
    }
    Ok(Piece { names: names.0, input, image, disjunction })
}

/// `[c, 2*c, d = 3]`: a new name is a variable.
fn tuple(text: &mut Text, names: &mut Names, equal: &mut Vec<Comparison>) -> Result<Vec<Expr>> {
    text.expect("[")?;
    let mut entries = Vec::new();
    if text.take("]") {
        return Ok(entries);
    }
    loop {
        let at = text.position();
        let new = text.word().filter(|word| is_name(word) && names.find(word).is_none());
        if let Some(name) = new {
            text.take_word(name);
            let variable = u32::try_from(names.0.len()).map_err(|_| too_many())?;
            names.0.push(name.to_owned());
            if text.take("=") {
                let value = sum(text, names)?;
                let difference =
                    Expr::product(Expr::Const(-1), value).and_then(|minus| Expr::sum(Expr::Var(variable), minus));
                equal
                    .push(Comparison { value: difference.map_err(|error| error.with_position(at))?, sign: Sign::Zero });
            }
            entries.push(Expr::Var(variable));
        } else {
            entries.push(sum(text, names)?);
        }
        if !text.take(",") {
            text.expect("]")?;
            return Ok(entries);
        }
    }
}

/// A comparison, by how it bounds the variable that is chosen last of those it mentions.
struct Bound<'a> {
    comparison: &'a Comparison,
    /// How often the variable counts; none where it stands in a quotient or a remainder.
    times: Option<i128>,
}

/// A variable, and what is asked once it is chosen.
struct Level<'a> {
    variable: usize,
    bounds: Vec<Bound<'a>>,
}

impl Piece {
    /// Adds its pairs, of which some may be there.
    pub(super) fn list(&self, pairs: &mut Vec<(Tuple, Tuple)>, work: &mut u64) -> Result<()> {
        for way in &self.disjunction {
            let (constant, rest): (Vec<_>, Vec<_>) =
                way.iter().partition(|comparison| variables(&comparison.value) == 0);
            let mut values = vec![0; self.names.len()];
            let mut holds = true;
            for comparison in constant {
                holds = holds && is_satisfied(comparison, &values, work)?;
            }
            if holds {
                let levels = self.levels(&rest)?;
                self.choose(&levels, &mut values, pairs, work)?;
            }
        }
        Ok(())
    }

    /// The variables in an order in which each has bounds from those before it.
    fn levels<'a>(&self, way: &[&'a Comparison]) -> Result<Vec<Level<'a>>> {
        if self.names.len() > 128 {
            return Err(Error::new(
                ErrorKind::TooLarge,
                format!("{} entries without a value in one piece", self.names.len()),
            )
            .with_help("give at most 128 entries that are names"));
        }
        let masks: Vec<u128> = way.iter().map(|comparison| variables(&comparison.value)).collect();
        let (mut known, mut levels) = (0_u128, Vec::new());
        while levels.len() < self.names.len() {
            let next = (0..self.names.len()).find_map(|variable| {
                let own = 1_u128 << variable;
                if known & own != 0 {
                    return None;
                }
                let bounds: Vec<Bound> = way
                    .iter()
                    .zip(&masks)
                    .filter(|(_, mask)| *mask & own != 0 && *mask & !(known | own) == 0)
                    .map(|(comparison, _)| Bound { comparison, times: times(&comparison.value, variable) })
                    .collect();
                let has = |wanted: &dyn Fn(i128, Sign) -> bool| {
                    bounds.iter().any(|bound| bound.times.is_some_and(|times| wanted(times, bound.comparison.sign)))
                };
                let exact = has(&|times, sign| times != 0 && sign == Sign::Zero);
                let below = has(&|times, sign| times > 0 && sign == Sign::NonNegative);
                let above = has(&|times, sign| times < 0 && sign == Sign::NonNegative);
                (exact || below && above).then_some(Level { variable, bounds })
            });
            let Some(level) = next else {
                let free = (0..self.names.len()).find(|variable| known >> variable & 1 == 0);
                let name = free.and_then(|variable| self.names.get(variable)).map_or("", String::as_str);
                let message = format!("nothing bounds {name:.40} from below and from above");
                return Err(
                    Error::new(ErrorKind::TooLarge, message).with_help(format!("write … : 0 <= {name:.40} < 8"))
                );
            };
            known |= 1 << level.variable;
            levels.push(level);
        }
        Ok(levels)
    }

    /// Every choice of the variables from the first of these levels on. Recursion: no deeper than there are variables.
    fn choose(
        &self,
        levels: &[Level],
        values: &mut [i128],
        pairs: &mut Vec<(Tuple, Tuple)>,
        work: &mut u64,
    ) -> Result<()> {
        let Some((level, deeper)) = levels.split_first() else {
            let mut at =
                |entries: &[Expr]| entries.iter().map(|entry| value(entry, values, work)).collect::<Result<_>>();
            let pair = (at(&self.input)?, at(&self.image)?);
            if pairs.len() > MAX_PAIRS {
                return Err(too_many());
            }
            pairs.push(pair);
            return Ok(());
        };
        let (mut least, mut most) = (i128::MIN, i128::MAX);
        set(values, level.variable, 0);
        for bound in &level.bounds {
            let Some(times) = bound.times.filter(|times| *times != 0) else { continue };
            let rest = value(&bound.comparison.value, values, work)?;
            // times * x + rest >= 0, or = 0
            let overflow = || {
                Error::new(ErrorKind::Overflow, "a bound does not fit into 128 bits").with_help("use smaller numbers")
            };
            let from = rest.checked_neg().ok_or_else(overflow)?;
            let (down, whole) = (from.checked_div_euclid(times), from.checked_rem_euclid(times));
            let (down, whole) = (down.ok_or_else(overflow)?, whole == Some(0));
            match bound.comparison.sign {
                Sign::Zero if whole => (least, most) = (least.max(down), most.min(down)),
                Sign::Zero => return Ok(()),
                // The Euclidean quotient by a positive number is rounded down, by a negative one up.
                Sign::NonNegative if times > 0 => least = least.max(if whole { down } else { down + 1 }),
                Sign::NonNegative => most = most.min(if whole { down } else { down - 1 }),
                Sign::NotZero => {}
            }
        }
        let mut x = least;
        while x <= most {
            set(values, level.variable, x);
            let mut holds = true;
            // The others have been made bounds.
            let unused =
                |bound: &&Bound| bound.times.is_none_or(|times| times == 0) || bound.comparison.sign == Sign::NotZero;
            for bound in level.bounds.iter().filter(unused) {
                holds = holds && is_satisfied(bound.comparison, values, work)?;
            }
            if holds {
                self.choose(deeper, values, pairs, work)?;
            }
            spend(work, 1)?;
            let Some(next) = x.checked_add(1) else { break };
            x = next;
        }
        Ok(())
    }
}

fn set(values: &mut [i128], variable: usize, value: i128) {
    if let Some(place) = values.get_mut(variable) {
        *place = value;
    }
}

/// Which variables occur, a bit for each; the last bit stands for all from the 128th on.
fn variables(expr: &Expr) -> u128 {
    match expr {
        Expr::Var(x) => 1 << (*x).min(127),
        Expr::Const(_) => 0,
        Expr::Add(pair) | Expr::Mul(pair) | Expr::Div(pair) | Expr::Mod(pair) => {
            variables(pair.left()) | variables(pair.right())
        }
    }
}

/// How often a variable counts, whatever the others are; none where it stands in a quotient or a remainder, or the number is huge.
fn times(expr: &Expr, variable: usize) -> Option<i128> {
    match expr {
        Expr::Var(x) => Some(i128::from(usize::try_from(*x) == Ok(variable))),
        Expr::Const(_) => Some(0),
        Expr::Add(pair) => times(pair.left(), variable)?.checked_add(times(pair.right(), variable)?),
        Expr::Mul(pair) => match (pair.left(), pair.right()) {
            (Expr::Const(n), other) | (other, Expr::Const(n)) => times(other, variable)?.checked_mul(*n),
            _ => None,
        },
        Expr::Div(pair) | Expr::Mod(pair) => (variables(pair.left()) >> variable & 1 == 0).then_some(0),
    }
}

fn is_satisfied(comparison: &Comparison, values: &[i128], work: &mut u64) -> Result<bool> {
    let value = value(&comparison.value, values, work)?;
    Ok(match comparison.sign {
        Sign::NonNegative => value >= 0,
        Sign::Zero => value == 0,
        Sign::NotZero => value != 0,
    })
}

fn value(expr: &Expr, values: &[i128], work: &mut u64) -> Result<i128> {
    spend(work, expr.nodes() as u64)?;
    expr.eval(Kind::Euclid, values)
}

fn spend(work: &mut u64, nodes: u64) -> Result<()> {
    match work.checked_sub(nodes) {
        Some(rest) => {
            *work = rest;
            Ok(())
        }
        None => Err(Error::new(
            ErrorKind::TooLarge,
            "listing the points of the relation takes too much work: over 2^26 nodes of expressions",
        )
        .with_help("give narrower bounds")),
    }
}
