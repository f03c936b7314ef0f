//! Tuple and Nest: layouts as morphisms that can be drawn.
//!
//! A [`TupleMorphism`] f : S → T sends each entry of the domain S to an equal entry of the codomain T, or to the basepoint, and
//! two entries never to the same entry of T. It encodes a layout `L_f` of shape S: the stride of an entry is the product of the entries of T before
//! its image, and 0 where that is the basepoint. A layout that some morphism encodes is tractable; composing morphisms
//! composes their layouts.
//!
//! ```
//! use razorgirl::category::{TupleMorphism, WrittenLayout};
//!
//! let layout: WrittenLayout = "(6,6):(6,1)".parse()?;
//! let f = TupleMorphism::standard_representation(&layout)?;
//! assert_eq!(f.to_string(), "(6,6)->(6,6) by (2,1)");
//! assert_eq!(f.encoded_layout(), layout);
//! # Ok::<(), razorgirl::Error>(())
//! ```
//!
//! Entries and indices are counted from 1 in maps, and 0 is the basepoint, as in the paper. Layouts are
//! [`WrittenLayout`]s here: the stride of a mode of extent 1 distinguishes morphisms.
//!
//! Source: «Categorical Foundations for CuTe Layouts» (Carlisle and others, arXiv 2601.05972), chapters 2 to 4.
//! Where that text is wrong, the documentation of the item gives the corrected statement.

mod fin;
mod nest;
mod refinement;
mod tractable;
mod tuple;
mod tuple_operations;
mod weak_composite;
mod written;

#[cfg(test)]
mod tests;

pub use fin::FinMap;
pub use nest::NestMorphism;
pub use refinement::{MutualRefinement, Relative, mutual_refinement, relative};
pub use tractable::Obstruction;
pub use tuple::TupleMorphism;
pub use weak_composite::{Composed, layout_compose, weak_composite};
pub use written::WrittenLayout;
