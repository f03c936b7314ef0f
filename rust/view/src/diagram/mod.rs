//! Morphisms as they are drawn: entries in columns, arrows between them.
//!
//! Each entry of a column has an arrow to an equal entry of the next one, or to the basepoint below it. Arrows carry letters in
//! words and colours in pictures, so that one that crosses others is found again.
//!
//! Source: «Categorical Foundations for CuTe Layouts», chapters 3 and 4.

mod brackets;
mod plain;
mod svg;
mod tikz;

use crate::failure::Failure;
use brackets::Brackets;
use razorgirl::category::{NestMorphism, WrittenLayout, layout_compose, mutual_refinement};
use razorgirl::{Error, IntTuple, Shape};
use razorgirl_protocol::{Code, Refusal};

pub use plain::write;
pub use svg::draw as svg;
pub use tikz::draw as tikz;

/// Entries that a column has at most.
const ENTRIES: usize = 64;

/// A tuple as a column.
#[derive(Debug)]
struct Column {
    /// what stands above it
    title: String,
    entries: Vec<u64>,
    brackets: Brackets,
    /// the products of the entries before each: the strides that an arrow to it stands for
    strides: Option<Vec<u64>>,
}

/// Columns from left to right, and the arrows of each to the next.
#[derive(Debug)]
pub struct Diagram {
    caption: String,
    columns: Vec<Column>,
    /// for each column but the last, the place in the next where the arrow of each entry ends; none at the basepoint
    arrows: Vec<Vec<Option<usize>>>,
}

/// Refuses more entries than a column has.
fn fits(entries: usize) -> Result<(), Failure> {
    if entries <= ENTRIES {
        return Ok(());
    }
    Err(Failure::refused(
        Code::TooLarge,
        format!("{entries} entries are too many for a column: at most {ENTRIES} are drawn"),
        ["`razorgirl op standard_representation_nest` prints the morphism".to_owned()],
    ))
}

impl Column {
    fn of(title: &str, tuple: &IntTuple) -> Result<Self, Failure> {
        let entries = tuple.leaves().to_vec();
        fits(entries.len())?;
        Ok(Self { title: format!("{title} = {tuple}"), entries, brackets: Brackets::of(tuple), strides: None })
    }

    fn with_strides(mut self) -> Self {
        let mut product = 1_u64;
        let mut before = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            before.push(product);
            // the product of a codomain is below 2^64
            product = product.saturating_mul(*entry);
        }
        self.strides = Some(before);
        self
    }
}

fn refused(error: Error) -> Failure {
    Failure::from(Refusal::from(error))
}

fn images(f: &NestMorphism) -> Vec<Option<usize>> {
    let place = |value: &u64| usize::try_from(value.checked_sub(1)?).ok();
    f.flat().map().values().iter().map(place).collect()
}

impl Diagram {
    /// The picture of one morphism.
    ///
    /// # Errors
    /// `too_large` above 64 entries in a column.
    pub fn of(f: &NestMorphism) -> Result<Self, Failure> {
        let caption = format!("{}  by  {f}", f.encoded_layout());
        Self::named(caption, f, ["S", "T"])
    }

    fn named(caption: String, f: &NestMorphism, names: [&str; 2]) -> Result<Self, Failure> {
        let [domain, codomain] = names;
        Ok(Self {
            caption,
            columns: vec![Column::of(domain, f.domain())?, Column::of(codomain, f.codomain())?.with_strides()],
            arrows: vec![images(f)],
        })
    }

    /// The picture of a tractable layout: its standard representation.
    ///
    /// # Errors
    /// That of [`NestMorphism::standard_representation`], with the two modes that keep it from being tractable; `too_large` above 64
    /// entries in a column.
    pub fn of_layout(layout: &WrittenLayout) -> Result<Self, Failure> {
        Self::of(&NestMorphism::standard_representation(layout).map_err(refused)?)
    }

    /// The pictures of a composition, B inside A: f of B, g of the coalesced A, and both cut along the mutual refinement of the codomain of
    /// f and the domain of g, where they meet entry by entry.
    ///
    /// # Errors
    /// Those of [`layout_compose`], and `too_large` above 64 entries in a column.
    pub fn of_composition(outer: &WrittenLayout, inner: &WrittenLayout) -> Result<Vec<Self>, Failure> {
        // before the work: what is cut has no fewer entries
        fits(inner.modes().count())?;
        let found = layout_compose(inner, outer).map_err(refused)?;
        let shape = |tuple: &IntTuple| Shape::new(tuple.clone()).map_err(refused);
        let cuts = mutual_refinement(&shape(found.f.codomain())?, &shape(found.g.domain())?).map_err(refused)?;
        let first = found.f.pullback(&cuts.t).map_err(refused)?;
        let second = found.g.pushforward(&cuts.u).map_err(refused)?;
        let begins = (0..cuts.t.extents().leaves().len()).map(Some).collect();
        let square = Self {
            caption: format!("{outer} o {inner} = {}", found.layout),
            columns: vec![
                Column::of("S'", first.domain())?,
                Column::of("T'", first.codomain())?,
                Column::of("U'", second.domain())?,
                Column::of("V'", second.codomain())?.with_strides(),
            ],
            arrows: vec![images(&first), begins, images(&second)],
        };
        Ok(vec![
            Self::named(format!("f: {inner}"), &found.f, ["S", "T"])?,
            Self::named(format!("g: {}", found.g.encoded_layout()), &found.g, ["U", "V"])?,
            square,
        ])
    }
}
