//! Compositions and divisions in code: what is put into what.

use razorgirl::{Layout, Mode};

use super::shared::{Fact, Looker};
use crate::ast::ExprId;
use crate::eval::{Context, Reason, Resolved, Value, layout_of, with_rest};

impl<'a> Looker<'_, 'a> {
    /// `composition(outer, inner)`, of a layout or of a tensor.
    pub(super) fn composition(
        &mut self,
        outer: ExprId,
        inner: ExprId,
        context: &Context<'a>,
    ) -> Resolved<Option<Fact>> {
        let inner = match self.known(inner, context)? {
            Value::Tuple(modes) => return self.by_mode(outer, &modes.items, context, |_, tile| Some(tile)),
            inner => whole(&inner),
        };
        let Some(layout) = inner else { return Ok(None) };
        match self.layout(outer, context) {
            Ok(Some(outer)) => return Ok(Some(Fact::Composition(vec![(outer, layout)]))),
            Err(why) if why.reason == Reason::Dependent => return Err(why),
            _ => {}
        }
        let Some(tensor) = self.memory(outer, context, 0)? else { return Ok(None) };
        let of = tensor.layout().clone();
        // What reaches past the end of a tensor is another matter than what lies within it elsewhere.
        let within = layout.cosize() <= of.size() && tensor.swizzle().bits() == 0;
        Ok(Some(if within { Fact::Composition(vec![(of, layout)]) } else { Fact::Reaches { layout, tensor: of } }))
    }

    /// `logical_divide(outer, tiler)` and its kin, of a layout or of a tensor.
    pub(super) fn division(&mut self, outer: ExprId, tiler: ExprId, context: &Context<'a>) -> Resolved<Option<Fact>> {
        let divided = |outer: &Layout, tile: Layout| with_rest(outer, &tile);
        let tiler = match self.known(tiler, context)? {
            Value::Tuple(modes) => return self.by_mode(outer, &modes.items, context, divided),
            tiler => whole(&tiler),
        };
        let (Some(tiler), Some(outer)) = (tiler, self.plain(outer, context)?) else { return Ok(None) };
        Ok(divided(&outer, tiler).map(|inner| Fact::Composition(vec![(outer, inner)])))
    }

    /// A tiler with a tile for each mode: each is put into its mode.
    fn by_mode(
        &mut self,
        outer: ExprId,
        tiler: &[Value<'a>],
        context: &Context<'a>,
        inner: impl Fn(&Layout, Layout) -> Option<Layout>,
    ) -> Resolved<Option<Fact>> {
        let Some(outer) = self.plain(outer, context)? else { return Ok(None) };
        if tiler.len() > outer.rank() {
            return Ok(None);
        }
        let pairs = tiler.iter().enumerate().filter_map(|(mode, tile)| {
            let of = outer.mode(mode)?;
            let inner = inner(&of, whole(tile)?)?;
            Some((of, inner))
        });
        let pairs: Vec<(Layout, Layout)> = pairs.collect();
        Ok(Some(pairs).filter(|pairs| !pairs.is_empty()).map(Fact::Composition))
    }

    /// A layout, or that of a tensor without a swizzle.
    fn plain(&mut self, outer: ExprId, context: &Context<'a>) -> Resolved<Option<Layout>> {
        match self.layout(outer, context) {
            Ok(Some(outer)) => return Ok(Some(outer)),
            Err(why) if why.reason == Reason::Dependent => return Err(why),
            _ => {}
        }
        let tensor = self.memory(outer, context, 0)?;
        let tensor = tensor.filter(|tensor| tensor.swizzle().bits() == 0 && tensor.offset() == 0);
        Ok(tensor.map(|tensor| tensor.layout().clone()))
    }

    /// The layout of a tensor of a shape and a stride, or as much as is known of it where some of that is known at run time only.
    pub(super) fn laid(&mut self, call: ExprId, context: &Context<'a>) -> Resolved<Option<Layout>> {
        match self.known(call, context) {
            Ok(value) => Ok(match layout_of(&value) {
                Some(Value::Layout(layout)) => Layout::new(&layout.shape.tuple, &layout.stride.tuple).ok(),
                // Layouts with a name are judged where that stands.
                _ => None,
            }),
            Err(why) if why.reason == Reason::RunTime => self.evaluator.known_modes(call, context),
            Err(why) => Err(why),
        }
    }
}

/// A tile: a layout, or so many elements, one behind the other.
fn whole(tile: &Value<'_>) -> Option<Layout> {
    match tile {
        Value::Layout(tile) => Layout::new(&tile.shape.tuple, &tile.stride.tuple).ok(),
        Value::Number(number) => {
            let extent = u64::try_from(number.value).ok().filter(|extent| *extent > 1)?;
            Layout::from_modes([Mode::new(extent, 1)]).ok()
        }
        _ => None,
    }
}
