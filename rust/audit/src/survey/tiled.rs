//! Slices of tiled copies and MMAs, in kernels: by how many threads, and of which tensors.

use razorgirl::{Layout, Swizzle, SwizzledLayout, Tiler};

use super::arms::Block;
use super::copied;
use super::pairs::Access;
use super::shared::{Fact, Looker, Vectors};
use super::sides::other_side_slices;
use crate::ast::{Decl, DeclKind, Expr, ExprId, ScopeId, ScopeKind, Site, Span, Unit};
use crate::eval::{
    Context, DeclRef, Program, Reason, Resolved, Swizzled, Tiled, TiledMma, Value, atom_of_mma, layout_of,
    threads_of_mma, width,
};

/// Declarations that are followed from a tensor to where it is made.
const MAX_STEPS: usize = 8;

/// Functions of more bytes, and files of more expressions, are not searched for what else is done to a variable.
pub(super) const MAX_SEARCHED: usize = 1 << 16;
pub(super) const MAX_EXPRESSIONS: usize = 1 << 17;

/// Members that say how many threads a block of the kernels of a class has.
const COUNTS: [&str; 6] = ["MaxThreadsPerBlock", "NumThreads", "kNThreads", "kNumThreads", "kThreads", "num_threads"];

/// A tiled copy or MMA of a class, and what the class says of its threads.
pub struct Counted<'a> {
    /// The declaration of the tiled copy or MMA.
    pub decl: &'a Decl,
    /// What it is.
    pub tiled: ExprId,
    /// How many threads there are.
    pub count: ExprId,
}

/// The tiled copies and MMAs of classes that say how many threads they have.
pub fn counted<'a>(program: &Program<'a>, index: u32) -> Vec<Counted<'a>> {
    let unit = program.unit(index);
    let name = |decl: &Decl| program.text(Site { unit: index, span: decl.name });
    let counts: Vec<(ScopeId, ExprId)> = unit
        .decls
        .iter()
        .filter(|decl| COUNTS.contains(&name(decl)) && matches!(unit.scope(decl.home).kind, ScopeKind::Class(_)))
        .filter_map(|decl| match decl.kind {
            DeclKind::Variable { init: Some(init), constant: true, .. } => Some((decl.home, init)),
            _ => None,
        })
        .collect();
    let Some(_) = counts.first() else { return Vec::new() };
    let tiled = unit.decls.iter().filter(|decl| name(decl).contains("Tiled") && !decl.templated);
    tiled
        .filter_map(|decl| {
            let tiled = match decl.kind {
                DeclKind::Alias(value) => value,
                DeclKind::Variable { ty, init, .. } => init.or(ty)?,
                _ => return None,
            };
            let mut own = counts.iter().filter(|(home, _)| *home == decl.home);
            // Two counts in one class are of different things.
            let (Some((_, count)), None) = (own.next(), own.next()) else { return None };
            Some(Counted { decl, tiled, count: *count })
        })
        .collect()
}

/// Whether a method gives a thread its part of a tiled copy or MMA.
pub fn slices(name: &str) -> bool {
    matches!(name, "get_slice" | "get_thread_slice")
}

impl<'a> Looker<'_, 'a> {
    pub(super) fn text(&self, context: &Context<'a>, span: Span) -> &'a str {
        self.program.text(Site { unit: context.unit, span })
    }

    pub(super) fn said(&self, context: &Context<'a>, expr: ExprId) -> &'a str {
        self.text(context, self.program.unit(context.unit).span(expr)).trim()
    }

    /// The value of a variable of a class of CuTe's: by what it is made of, or by its type.
    pub(super) fn object(&mut self, expr: ExprId, context: &Context<'a>) -> Resolved<Value<'a>> {
        let value = self.known(expr, context);
        match &value {
            Err(why) if why.reason == Reason::RunTime => {}
            _ => return value,
        }
        let Some((decl, inside)) = self.declared(expr, context)? else { return value };
        match self.type_of(decl) {
            Some(ty) => self.known(ty, &inside),
            None => value,
        }
    }

    /// A slice of a tiled copy or MMA by `threadIdx.x`, in a kernel whose blocks have a bound.
    pub(super) fn launch(&mut self, tiled: ExprId, index: ExprId, context: &Context<'a>) -> Resolved<Option<Fact>> {
        let unit = self.program.unit(context.unit);
        let span = unit.span(index);
        let launch = unit.launches.iter().filter(|launch| launch.function.contains(span));
        let Some(launch) = launch.max_by_key(|launch| launch.function.start) else { return Ok(None) };
        if launch.function.range().len() > MAX_SEARCHED || unit.exprs.len() > MAX_EXPRESSIONS {
            return Ok(None);
        }
        if !self.is_thread(index, launch.function, context) {
            return Ok(None);
        }
        let value = self.object(tiled, context)?;
        let Some(threads) = threads_of(&value) else { return Ok(None) };
        let outside = Context { scope: launch.scope, ..context.clone() };
        let Value::Number(bound) = self.known(launch.bound, &outside)? else { return Ok(None) };
        // No bound is as good as one of 0.
        let Some(bound) = u64::try_from(bound.value).ok().filter(|bound| *bound > 0) else { return Ok(None) };
        // Where a thread takes several slices, each of them may be one of those that no thread of that number is there for.
        let object = self.said(context, tiled);
        if threads > bound {
            let text = self.text(context, launch.function);
            let at = span.start.saturating_sub(launch.function.start) as usize;
            if self.is_dead(unit.span(tiled), context)? {
                return Ok(None);
            }
            if other_side_slices(text, at)
                || self.others(unit, launch.function, object, self.said(context, index), context)
                || self.is_halved(tiled, launch.function, bound, context)
                || !self.is_taken(unit.span(tiled), Block { extents: None, most: bound }, context)
                || self.is_unused(unit.span(tiled), launch.function, context)
            {
                return Ok(None);
            }
        }
        let at = Site { unit: context.unit, span: unit.span(launch.bound) };
        Ok(Some(Fact::Launch { threads, bound, at }))
    }

    /// The threads of a tiled copy or MMA of a class, and how many the class says that it has.
    pub(super) fn counted(&mut self, tiled: ExprId, count: ExprId, context: &Context<'a>) -> Resolved<Option<Fact>> {
        // The copies of an MMA have its threads, and are no finding of their own.
        let value = self.known(tiled, context)?;
        let Some(threads) = threads_of(&value).filter(|_| atom_of_mma(&value).is_none()) else { return Ok(None) };
        let Value::Number(said) = self.known(count, context)? else { return Ok(None) };
        let at = Site { unit: context.unit, span: self.program.unit(context.unit).span(count) };
        Ok(u64::try_from(said.value).ok().filter(|said| *said > 0).map(|count| Fact::Counted { threads, count, at }))
    }

    /// Whether another slice of the same object is taken in a function.
    pub(super) fn others(&self, unit: &Unit, function: Span, object: &str, index: &str, context: &Context<'a>) -> bool {
        unit.exprs.iter().any(|(expr, span)| {
            let Expr::Call(callee, args) = expr else { return false };
            let (Expr::Member(of, method), [only]) = (unit.expr(*callee), args.as_slice()) else { return false };
            function.contains(*span)
                && slices(self.text(context, method.name))
                && self.said(context, *of) == object
                && self.said(context, *only) != index
        })
    }

    /// Whether an expression is `threadIdx.x`, or a variable that has that value and no other.
    pub(super) fn is_thread(&mut self, index: ExprId, function: Span, context: &Context<'a>) -> bool {
        let said = self.said(context, index);
        if index_of_thread(said) {
            return true;
        }
        let Ok(Some((decl, inside))) = self.declared(index, context) else { return false };
        if self.is_passed_thread(decl, context) {
            return true;
        }
        let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind else { return false };
        let inside = Context { unit: decl.unit, ..inside };
        index_of_thread(self.said(&inside, init)) && self.keeps(decl, function, context)
    }

    /// Whether a variable of the function around that is the number of a thread, or a pointer, has one value there.
    pub(super) fn keeps(&mut self, decl: DeclRef, function: Span, context: &Context<'a>) -> bool {
        let site = Site { unit: context.unit, span: function };
        let code = self.evaluator.code_of(site);
        self.program.keeps_index(&code, site, decl)
    }

    /// Whether an expression is the number of the thread in a block of rows of so many, or a variable that has that value and no other.
    pub(super) fn counts_rows(&mut self, index: ExprId, function: Span, row: u64, context: &Context<'a>) -> bool {
        let said = self.said(context, index);
        if index_in_rows(said, row) {
            return true;
        }
        let Ok(Some((decl, inside))) = self.declared(index, context) else { return false };
        let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind else { return false };
        let inside = Context { unit: decl.unit, ..inside };
        index_in_rows(self.said(&inside, init), row) && self.keeps(decl, function, context)
    }

    /// A tensor of constants that a slice of a tiled copy with vectors partitions.
    pub(super) fn vectors(
        &mut self,
        slice: ExprId,
        tensor: ExprId,
        partition: ExprId,
        context: &Context<'a>,
    ) -> Resolved<Option<Vectors>> {
        let Some((tiled, inside)) = self.sliced(slice, context)? else { return Ok(None) };
        let Some(copy) = Tiled::of(&self.object(tiled, &inside)?) else { return Ok(None) };
        let moved = match copied(&copy.atom) {
            Some((Access::Vector(vector), bits)) => Some((vector, bits, false)),
            Some((Access::Ldmatrix | Access::Stmatrix, _)) => None,
            None => promised(&copy.atom).map(|(vector, bits)| (vector, bits, true)),
        };
        let Some((vector, bits, most)) = moved else { return Ok(None) };
        let shared = self.is_shared(tensor, context, 0);
        let steps = self.slice_steps(tensor, context);
        let Some(tensor) = self.memory(tensor, context, 0)? else { return Ok(None) };
        let copied = self.copied(slice, partition, context);
        Ok(Some(Vectors {
            tensor,
            copy: copy.layout,
            tile: copy.tile,
            vector,
            bits,
            most,
            shared,
            copied,
            splits: false,
            steps,
        }))
    }

    /// Whether a tensor is made of a pointer to shared memory, straight or as a part of one that is.
    fn is_shared(&mut self, tensor: ExprId, context: &Context<'a>, steps: usize) -> bool {
        if steps > MAX_STEPS {
            return false;
        }
        let unit = self.program.unit(context.unit);
        let name = |looker: &Self, callee: ExprId| match unit.expr(callee) {
            Expr::Path(path) => path.segments.last().map_or("", |part| looker.text(context, part.name)),
            _ => "",
        };
        if let Expr::Call(callee, args) = unit.expr(tensor) {
            return match (name(self, *callee), args.as_slice()) {
                ("make_tensor", [pointer, ..]) => match unit.expr(*pointer) {
                    Expr::Call(of, _) => name(self, *of) == "make_smem_ptr",
                    _ => false,
                },
                ("local_tile" | "flat_divide" | "zipped_divide" | "tiled_divide" | "group_modes", [of, ..]) => {
                    self.is_shared(*of, context, steps + 1)
                }
                // `tensor(_, _, stage)`
                (_, _) => self.is_shared(*callee, context, steps + 1),
            };
        }
        let Ok(Some((decl, inside))) = self.declared(tensor, context) else { return false };
        match self.program.decl(decl).kind {
            DeclKind::Variable { init: Some(init), .. } => self.is_shared(init, &inside, steps + 1),
            _ => false,
        }
    }

    /// A tensor of constants that a slice of `make_tiled_copy_A(atom, mma)` partitions, or of B or C, whose atom is an `ldmatrix`.
    pub(super) fn matrices(&mut self, slice: ExprId, tensor: ExprId, context: &Context<'a>) -> Resolved<Option<Fact>> {
        let Some((tiled, inside)) = self.sliced(slice, context)? else { return Ok(None) };
        // `CopyA copy;` for `using CopyA = decltype(make_tiled_copy_A(atom, mma));`
        if let Some(atom) = self.object(tiled, &inside).ok().as_ref().and_then(atom_of_mma) {
            return self.read_by(atom, tensor, context);
        }
        let (tiled, inside) = match self.declared(tiled, &inside)? {
            Some((decl, inside)) => {
                let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind else {
                    // A parameter.
                    let Some(atom) = self.given_atom(decl, &inside) else { return Ok(None) };
                    return self.read_by(&atom, tensor, context);
                };
                (init, inside)
            }
            None => (tiled, inside),
        };
        let unit = self.program.unit(inside.unit);
        let Expr::Call(callee, args) = unit.expr(tiled) else { return Ok(None) };
        let (Expr::Path(path), [atom, _]) = (unit.expr(*callee), args.as_slice()) else { return Ok(None) };
        let name = path.segments.last().map_or("", |part| self.text(&inside, part.name));
        if !matches!(name, "make_tiled_copy_A" | "make_tiled_copy_B" | "make_tiled_copy_C") {
            return Ok(None);
        }
        let atom = self.object(*atom, &inside)?;
        self.read_by(&atom, tensor, context)
    }

    /// A tensor of constants that an atom reads by `ldmatrix`.
    fn read_by(&mut self, atom: &Value<'a>, tensor: ExprId, context: &Context<'a>) -> Resolved<Option<Fact>> {
        let Some((access @ Access::Ldmatrix, bits)) = copied(atom) else { return Ok(None) };
        Ok(self.memory(tensor, context, 0)?.map(|layout| Fact::Accessed { layout, access, bits, copied: false }))
    }

    /// The tiled copy of `tiled.get_slice(…)`, or of a variable that is made so.
    pub(super) fn sliced(&mut self, slice: ExprId, context: &Context<'a>) -> Resolved<Option<(ExprId, Context<'a>)>> {
        let unit = self.program.unit(context.unit);
        if let Expr::Call(callee, args) = unit.expr(slice) {
            return Ok(match (unit.expr(*callee), args.as_slice()) {
                (Expr::Member(of, method), [_]) if slices(self.text(context, method.name)) => {
                    Some((*of, context.clone()))
                }
                _ => None,
            });
        }
        let Some((decl, inside)) = self.declared(slice, context)? else { return Ok(None) };
        let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind else { return Ok(None) };
        match self.program.unit(inside.unit).expr(init) {
            Expr::Call(..) => self.sliced(init, &inside),
            _ => Ok(None),
        }
    }

    /// The size of a mode of what a slice partitions, `size<3>(tAsA)`, where it is one that the tile of the copy leaves alone.
    pub(super) fn partitioned_mode(&mut self, part: Span, mode: usize, context: &Context<'a>) -> Option<u64> {
        let (decl, inside) = self.local(part, context)?;
        let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind else { return None };
        let unit = self.program.unit(inside.unit);
        let Expr::Call(callee, args) = unit.expr(init) else { return None };
        let (Expr::Member(slice, method), [tensor]) = (unit.expr(*callee), args.as_slice()) else { return None };
        if !matches!(self.text(&inside, method.name), "partition_S" | "partition_D") {
            return None;
        }
        let (tiled, around) = self.sliced(*slice, &inside).ok()??;
        let tile = Tiled::of(&self.object(tiled, &around).ok()?)?.tile.len();
        // One mode is what a thread has of a tile, then come those of the tensor.
        let mode = mode.checked_sub(1).filter(|mode| tile > 0 && *mode >= tile)?;
        let tensor = self.memory(*tensor, &inside, 0).ok()??;
        tensor.layout().mode(mode).map(|mode| mode.size())
    }

    /// Where the elements of a tensor lie: `make_tensor(pointer, layout)` and `local_tile` of it, also by their names.
    pub(super) fn memory(
        &mut self,
        tensor: ExprId,
        context: &Context<'a>,
        steps: usize,
    ) -> Resolved<Option<SwizzledLayout>> {
        if steps > MAX_STEPS {
            return Ok(None);
        }
        match self.known(tensor, context) {
            Ok(value) => {
                if let Some(layout) = layout_of(&value) {
                    return Ok(in_memory(layout));
                }
            }
            Err(why) if why.reason == Reason::Dependent => return Err(why),
            Err(_) => {}
        }
        let unit = self.program.unit(context.unit);
        let Expr::Call(callee, args) = unit.expr(tensor) else {
            let Some((decl, inside)) = self.declared(tensor, context)? else { return Ok(None) };
            let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind else { return Ok(None) };
            return match self.program.unit(inside.unit).expr(init) {
                Expr::Call(..) => self.memory(init, &inside, steps + 1),
                _ => Ok(None),
            };
        };
        let Expr::Path(path) = unit.expr(*callee) else { return Ok(None) };
        let name = path.segments.last().map_or("", |part| self.text(context, part.name));
        match (name, args.as_slice()) {
            ("make_tensor", [_, layout]) => self.stored(*layout, context),
            ("local_tile", [tensor, tiler, _]) => {
                let Some(whole) = self.memory(*tensor, context, steps + 1)? else { return Ok(None) };
                let tiler = extents(&self.known(*tiler, context)?);
                // Where a swizzled tile begins changes what the swizzle does to it.
                let tiler = tiler.filter(|_| whole.swizzle().bits() == 0 && whole.offset() == 0);
                Ok(tiler.and_then(|tiler| {
                    let tile = whole.layout().zipped_divide(&tiler).ok()?.mode(0)?;
                    SwizzledLayout::new(Swizzle::new(0, 0, 0), 0, tile).ok()
                }))
            }
            _ => Ok(None),
        }
    }
}

/// A layout with or without a swizzle.
pub(super) fn in_memory(value: &Value<'_>) -> Option<SwizzledLayout> {
    match value {
        Value::Layout(layout) => Layout::new(&layout.shape.tuple, &layout.stride.tuple)
            .and_then(|layout| SwizzledLayout::new(Swizzle::new(0, 0, 0), 0, layout))
            .ok(),
        other => Swizzled::of(other).and_then(|swizzled| swizzled.core()),
    }
}

/// Extents of a tile that are numbers.
pub(super) fn extents_of(value: &Value<'_>) -> Option<Vec<u64>> {
    let Value::Tuple(modes) = value else { return None };
    let extent = |mode: &Value<'_>| match mode {
        Value::Number(number) => u64::try_from(number.value).ok().filter(|extent| *extent > 0),
        _ => None,
    };
    modes.items.iter().map(extent).collect()
}

/// Extents of a tile as a tiler.
fn extents(value: &Value<'_>) -> Option<Tiler> {
    let Value::Tuple(modes) = value else { return None };
    let modes = modes.items.iter().map(|mode| match mode {
        Value::Number(number) => u64::try_from(number.value).ok().and_then(|extent| Tiler::integer(extent).ok()),
        _ => None,
    });
    modes.collect::<Option<Vec<Tiler>>>().map(Tiler::Modes)
}

/// The bits to which an atom takes all addresses to be aligned, and the bits of an element: `Copy_Atom<AutoVectorizingCopy, half_t>`.
/// `DefaultCopy` was such an atom as long as it was a class of its own (CUTLASS up to 3.3).
pub(super) fn promised(atom: &Value<'_>) -> Option<(u64, u64)> {
    let Value::Named(named) = atom else { return None };
    let [operation, element] = named.args.as_deref().filter(|_| named.name() == "Copy_Atom")? else { return None };
    let Value::Named(operation) = operation else { return None };
    let bits = match (operation.name(), operation.args.as_deref()) {
        ("AutoVectorizingCopyWithAssumedAlignment", Some([Value::Number(bits)])) => u64::try_from(bits.value).ok()?,
        ("AutoVectorizingCopy", None) if operation.class.is_none() => 128,
        ("DefaultCopy", None) if operation.class.is_some() => 128,
        _ => return None,
    };
    Some((bits, width(element)?))
}

/// CUTLASS's function that gives the index of a thread.
const THREAD_FUNCTION: &str = "RematerializeThreadIdxX()";

/// Types that `threadIdx.x` is cast to, all of which have room for it.
pub(super) const INDICES: [&str; 10] =
    ["int", "unsigned", "unsigned int", "uint", "size_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "long"];

/// Whether a text is `threadIdx.x + threadIdx.y * blockDim.x`, in whatever order, of a block of rows of so many threads.
fn index_in_rows(text: &str, row: u64) -> bool {
    let Some((a, b)) = text.split_once('+') else { return false };
    let is_row = |text: &str| text.trim() == "blockDim.x" || text.trim().parse() == Ok(row);
    let counts = |text: &str| {
        let text = text.trim();
        let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
        inside.split_once('*').is_some_and(|(a, b)| {
            let column = |text: &str| text.trim() == "threadIdx.y";
            (column(a) && is_row(b)) || (column(b) && is_row(a))
        })
    };
    (index_of_thread(a) && counts(b)) || (index_of_thread(b) && counts(a))
}

/// Whether a text is `threadIdx.x`, perhaps in parentheses or cast to another integer.
pub(super) fn index_of_thread(text: &str) -> bool {
    let mut text = text.trim();
    for _ in 0..MAX_STEPS {
        let function = text.strip_suffix(THREAD_FUNCTION);
        let names =
            |before: &str| before.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b':');
        if text == "threadIdx.x"
            || function.is_some_and(|before| before.is_empty() || (names(before) && before.ends_with("::")))
        {
            return true;
        }
        let inner = |text: &str, open: char, close: char| -> Option<usize> {
            let inside = text.strip_prefix(open)?;
            let end = inside.find(close)?;
            (!inside.get(..end)?.contains(open)).then_some(end + 1)
        };
        // `{threadIdx.x}`, `(threadIdx.x)`; `(int)threadIdx.x`.
        if let Some(inside) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            text = inside.trim();
            continue;
        }
        if let Some(end) = inner(text, '(', ')') {
            let (cast, rest) = (text.get(1..end).unwrap_or_default().trim(), text.get(end + 1..).unwrap_or_default());
            if rest.trim().is_empty() {
                text = cast;
            } else if INDICES.contains(&cast.trim_start_matches("std::")) {
                text = rest.trim();
            } else {
                return false;
            }
            continue;
        }
        // `int(threadIdx.x)`, `static_cast<int>(threadIdx.x)`.
        let Some((ty, rest)) = text.split_once(['(', '{']) else { return false };
        let Some(inside) = rest.strip_suffix([')', '}']) else { return false };
        if !is_cast(ty) {
            return false;
        }
        text = inside.trim();
    }
    false
}

/// Whether what is called is a type of integers, or a cast to one.
pub(super) fn is_cast(ty: &str) -> bool {
    let ty = ty.trim();
    let cast = ty.strip_prefix("static_cast").and_then(|ty| ty.trim().strip_prefix('<')?.strip_suffix('>'));
    let ty = cast.unwrap_or(ty).trim().trim_start_matches("std::");
    INDICES.contains(&ty.strip_prefix("const ").unwrap_or(ty))
}

/// How many threads a tiled copy or MMA has.
pub(super) fn threads_of(value: &Value<'_>) -> Option<u64> {
    let threads = TiledMma::of(value).and_then(|mma| mma.size());
    threads.or_else(|| Tiled::of(value).and_then(|copy| copy.size())).or_else(|| threads_of_mma(value))
}

#[cfg(test)]
mod tests {
    use super::{index_in_rows, index_of_thread};

    #[test]
    fn indices_of_threads() {
        for text in [
            "threadIdx.x",
            "(threadIdx.x)",
            "int(threadIdx.x)",
            "static_cast<int>(threadIdx.x)",
            "static_cast<std::uint32_t>( threadIdx.x )",
            "(int)threadIdx.x",
            "(int)(threadIdx.x)",
            "{threadIdx.x}",
            "uint32_t{threadIdx.x}",
            "cutlass::gemm::threadblock::RematerializeThreadIdxX()",
        ] {
            assert!(index_of_thread(text), "{text}");
        }
        for text in [
            "threadIdx.y",
            "threadIdx.x + 1",
            "(threadIdx.x) + (1)",
            "int(threadIdx.x) / 2",
            "int(threadIdx.x - 128)",
            "uint8_t(threadIdx.x)",
            "f(threadIdx.x)",
            "static_cast<char>(threadIdx.x)",
            "",
        ] {
            assert!(!index_of_thread(text), "{text}");
        }
    }

    #[test]
    fn numbers_in_rows() {
        for text in [
            "threadIdx.x + threadIdx.y * blockDim.x",
            "threadIdx.y * blockDim.x + threadIdx.x",
            "(blockDim.x * threadIdx.y) + threadIdx.x",
            "threadIdx.x + 32 * threadIdx.y",
        ] {
            assert!(index_in_rows(text, 32), "{text}");
        }
        for text in [
            "threadIdx.x + 16 * threadIdx.y",
            "threadIdx.x + threadIdx.y * blockDim.y",
            "threadIdx.x + threadIdx.y",
            "threadIdx.y * blockDim.x + threadIdx.x + 1",
            "threadIdx.x",
            "1 + threadIdx.y * blockDim.x",
        ] {
            assert!(!index_in_rows(text, 32), "{text}");
        }
    }
}
