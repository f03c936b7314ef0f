//! From a name to what it names.

use std::rc::Rc;

use super::{Context, Evaluator, objects, traits};
use crate::ast::{Decl, DeclId, DeclKind, Expr, ExprId, Path, ScopeKind, Segment, Site, Span};
use crate::eval::program::{DeclRef, GLOBAL, Namespace};
use crate::eval::reason::{Reason, Resolved, Unresolved};
use crate::eval::specialize::same;
use crate::eval::value::{Bindings, Named, Value};
use crate::eval::{algebra, builtin};

/// Declarations of a member, and the bindings they are seen with.
type Members<'a> = (Vec<DeclRef>, Bindings<'a>);

/// Where a name was found.
enum Found<'a> {
    Param(Value<'a>),
    /// Declarations, the bindings they are seen with, and whether they lie in a namespace.
    Decls(Rc<[DeclRef]>, Bindings<'a>, bool),
    Nothing,
}

/// What a name stands for after some of its segments.
enum Reached<'a> {
    Namespace(Namespace),
    Value(Value<'a>),
    /// Its parts, where the one that is declared nowhere stands, and template arguments so far.
    Unknown(Vec<&'a str>, Site, Option<Vec<Value<'a>>>),
}

impl<'a> Evaluator<'a> {
    pub(super) fn eval_path(&mut self, path: &'a Path, site: Site, context: &Context<'a>) -> Resolved<Value<'a>> {
        self.eval_segments(path, path.segments.len(), site, context)
    }

    /// What the first segments of a path name.
    pub(super) fn eval_segments(
        &mut self,
        path: &'a Path,
        count: usize,
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        let mut reached =
            if path.absolute { Reached::Namespace(GLOBAL) } else { Reached::Unknown(Vec::new(), site, None) };
        for (index, segment) in path.segments.iter().take(count).enumerate() {
            let name = self.program.text(Self::site(context, segment.name));
            let last = index + 1 == count;
            let first = index == 0 && !path.absolute;
            reached = match reached {
                Reached::Unknown(before, ..) if first && before.is_empty() => {
                    self.first(name, segment, last, site, context)?
                }
                Reached::Unknown(mut before, missing, args) => {
                    let of = before.last().copied().zip(args.as_deref());
                    if let Some(value) = of.and_then(|(of, args)| traits::member(of, name, args, site)) {
                        reached = Reached::Value(value?);
                        continue;
                    }
                    let known = before.last().zip(args.as_deref()).and_then(|(of, args)| traits::known(of, args, site));
                    if let Some(known) = known {
                        reached = Reached::Value(self.member_path(&known?, name, Some(segment), site, context)?);
                        continue;
                    }
                    if let Some(args) = args.as_ref().filter(|_| objects::names_tiled(&before)) {
                        let of = Named::unknown(before.clone(), Some(args.clone()), site)?;
                        if let Some(value) = self.tiled_member(&of, name, site, context) {
                            reached = Reached::Value(value?);
                            continue;
                        }
                    }
                    before.push(name);
                    let more = segment.args.as_deref().map(|args| self.arguments(args, context));
                    let span = Span { end: segment.name.end, ..missing.span };
                    Reached::Unknown(before, Site { span, ..missing }, more.or(args))
                }
                Reached::Namespace(namespace) => self.in_namespace(namespace, name, segment, last, site, context)?,
                Reached::Value(value) => {
                    Reached::Value(self.member_path(&value, name, Some(segment), site, context)?)
                }
            };
        }
        match reached {
            Reached::Value(value) => Ok(value),
            Reached::Namespace(_) => Err(Unresolved { reason: Reason::UnknownName, site }),
            Reached::Unknown(names, missing, args) => {
                if let (Some(layout), None) = (traits::fragment(&names), &args) {
                    return algebra::constant(layout, site);
                }
                let known = args.as_deref().and_then(|args| traits::known(names.last()?, args, site));
                known.unwrap_or_else(|| Named::unknown(names, args, missing))
            }
        }
    }

    fn first(
        &mut self,
        name: &'a str,
        segment: &'a Segment,
        last: bool,
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Reached<'a>> {
        let builtin = builtin::is_builtin(name);
        match self.lookup(name, context, builtin, segment.name.start, site)? {
            Found::Param(value) => return Ok(Reached::Value(value)),
            Found::Decls(decls, env, in_namespace) => {
                let ours =
                    |decl: &DeclRef| self.renames_cute(*decl, name) || (in_namespace && self.lies_in_cute(*decl));
                let cute = decls.iter().all(ours);
                if cute
                    && in_namespace
                    && let Some(known) = self.own(name, segment, site, context)
                {
                    return known;
                }
                if !(builtin && cute) {
                    return self.reach(&decls, &env, segment, site, context);
                }
            }
            Found::Nothing => {}
        }
        if builtin {
            return self.cute(name, segment, site, context).map(Reached::Value);
        }
        if !last {
            let mut from = Some(self.program.home(context.unit, context.scope));
            while let Some(namespace) = from {
                if let Some(inner) = self.program.inner(namespace, name, context.unit) {
                    return Ok(Reached::Namespace(inner));
                }
                from = self.program.outer(namespace);
            }
        }
        Ok(self.unknown(vec![name], segment, context))
    }

    /// A template of CuTe's that is known by its name, for these arguments.
    fn own(
        &mut self,
        name: &'a str,
        segment: &'a Segment,
        site: Site,
        context: &Context<'a>,
    ) -> Option<Resolved<Reached<'a>>> {
        let args = segment.args.as_deref().filter(|_| traits::is_own(name))?;
        let args = self.arguments(args, context);
        // Of a class of somebody's own, its own file says how large it is.
        if name.starts_with("sizeof_b") && args.iter().any(|arg| traits::bits_of(arg, site).is_err()) {
            return None;
        }
        let known = traits::known(name, &args, site);
        Some(known.unwrap_or_else(|| Named::unknown(vec!["cute", name], Some(args), site)).map(Reached::Value))
    }

    fn in_namespace(
        &mut self,
        namespace: Namespace,
        name: &'a str,
        segment: &'a Segment,
        last: bool,
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Reached<'a>> {
        if builtin::is_builtin(name) && self.program.path_of(namespace) == ["cute"] {
            return self.cute(name, segment, site, context).map(Reached::Value);
        }
        let decls = self.within(namespace, name, context.unit);
        if matches!(self.program.path_of(namespace), ["cute" | "cutlass"])
            && let Some(known) = self.own(name, segment, site, context)
        {
            return known;
        }
        if !decls.is_empty() {
            return self.reach(&decls, &None, segment, site, context);
        }
        match self.program.inner(namespace, name, context.unit) {
            Some(inner) if !last => Ok(Reached::Namespace(inner)),
            _ => {
                let mut path = self.program.path_of(namespace).to_vec();
                path.push(name);
                Ok(self.unknown(path, segment, context))
            }
        }
    }

    fn reach(
        &mut self,
        decls: &[DeclRef],
        env: &Bindings<'a>,
        segment: &'a Segment,
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Reached<'a>> {
        if let [only] = decls
            && let DeclKind::Renames(path) = &self.program.decl(*only).kind
        {
            let home = self.program.home(only.unit, self.program.decl(*only).inside);
            if let Some(namespace) = self.program.namespace(only.unit, path, home) {
                return Ok(Reached::Namespace(namespace));
            }
        }
        let args = segment.args.as_deref().map(|args| self.arguments(args, context));
        let value = self.declared(decls, args.as_deref(), env, site)?;
        // `using cute::Shape;` names the template, and the arguments come after the name that it gives.
        if let Value::Named(named) = &value
            && let (None, None, Some(args)) = (named.class, &named.args, &args)
            && decls.iter().all(|decl| matches!(self.program.decl(*decl).kind, DeclKind::Renames(_)))
        {
            if let ["cute", name] = named.path.as_slice()
                && builtin::is_builtin(name)
            {
                return self.cute(name, segment, site, context).map(Reached::Value);
            }
            let known = traits::known(named.name(), args, site);
            let unknown = || Named::unknown(named.path.clone(), Some(args.clone()), site);
            return known.unwrap_or_else(unknown).map(Reached::Value);
        }
        Ok(Reached::Value(value))
    }

    fn unknown(&mut self, path: Vec<&'a str>, segment: &'a Segment, context: &Context<'a>) -> Reached<'a> {
        let args = segment.args.as_deref().map(|args| self.arguments(args, context));
        Reached::Unknown(path, Self::site(context, segment.name), args)
    }

    /// Whether a declaration is `using cute::X;` for a name of CuTe's.
    fn renames_cute(&self, decl: DeclRef, name: &str) -> bool {
        let DeclKind::Renames(path) = &self.program.decl(decl).kind else { return false };
        let text = |segment: &Segment| self.program.text(Site { unit: decl.unit, span: segment.name });
        match path.segments.as_slice() {
            // The namespace of a number is blanked before the grammar sees it.
            [only] => text(only) == name,
            [space, last] => text(space) == "cute" && text(last) == name,
            _ => false,
        }
    }

    fn lies_in_cute(&self, decl: DeclRef) -> bool {
        let home = self.program.home(decl.unit, self.program.decl(decl).inside);
        self.program.path_of(home).first() == Some(&"cute")
    }

    /// Unqualified lookup, inside out.
    fn lookup(
        &mut self,
        name: &'a str,
        context: &Context<'a>,
        builtin: bool,
        before: u32,
        site: Site,
    ) -> Resolved<Found<'a>> {
        let unit = self.program.unit(context.unit);
        let mut at = Some(context.scope);
        while let Some(id) = at {
            let scope = unit.scope(id);
            match &scope.kind {
                ScopeKind::Template(params) => {
                    let index = params.iter().position(|param| {
                        let own = self.program.text(Self::site(context, param.name));
                        !name.is_empty() && (own == name || self.program.implied_name(own) == Some(name))
                    });
                    if let Some(index) = index {
                        let mut frame = context.env.as_ref();
                        while let Some(known) = frame {
                            if known.key == (context.unit, id)
                                && let Some(value) = known.values.get(index)
                            {
                                return Ok(Found::Param(value.clone().or_named(name)));
                            }
                            frame = known.outer.as_ref();
                        }
                        let site = params.get(index).map_or_else(Default::default, |param| param.name);
                        return Ok(Found::Param(Value::Param(name, Self::site(context, site))));
                    }
                }
                ScopeKind::Block => {
                    if let Some(value) = self.argument(context, id, name) {
                        return Ok(Found::Param(value));
                    }
                    let earlier = self.program.local(context.unit, id, name).iter().rev();
                    // `using X = X<4>;` names the X outside.
                    let seen = |decl: &Decl| match decl.kind {
                        DeclKind::Alias(_) => decl.span.end <= before,
                        _ => decl.name.start < before,
                    };
                    let last = earlier.copied().find(|decl| seen(unit.decl(*decl)));
                    if let Some(last) = last {
                        let of = |id| DeclRef { unit: context.unit, id };
                        let decls = match self.program.on_other_sides(context.unit, id, name, last, before) {
                            [] => Rc::from([of(last)]),
                            others => others.iter().copied().chain([last]).map(of).collect(),
                        };
                        return Ok(Found::Decls(decls, context.env.clone(), false));
                    }
                    if let Some(found) = self.used(&scope.using, context, name, builtin) {
                        return Ok(found);
                    }
                }
                ScopeKind::Class(class) => {
                    let own = self.program.local(context.unit, id, name);
                    let itself = |id: &DeclId| {
                        let decl = unit.decl(*id);
                        let alias = matches!(decl.kind, DeclKind::Alias(_));
                        alias && decl.span.start <= before && before < decl.span.end
                    };
                    if !own.is_empty() && !own.iter().any(itself) {
                        let decls = own.iter().map(|id| DeclRef { unit: context.unit, id: *id }).collect();
                        return Ok(Found::Decls(decls, context.env.clone(), false));
                    }
                    let class = DeclRef { unit: context.unit, id: *class };
                    if !builtin && let Some((decls, env)) = self.found_in_bases(class, name, site)? {
                        return Ok(Found::Decls(decls.into(), env, false));
                    }
                }
                ScopeKind::File | ScopeKind::Namespace(_) => break,
            }
            at = scope.parent;
        }
        let decls = match at {
            Some(scope) => self.in_namespaces(name, self.program.home(context.unit, scope), context.unit, builtin),
            None => Rc::default(),
        };
        if !decls.is_empty() {
            return Ok(Found::Decls(decls, None, true));
        }
        Ok(Found::Nothing)
    }

    /// What a namespace, or one that it uses, declares under a name.
    pub(super) fn within(&mut self, namespace: Namespace, name: &'a str, unit: u32) -> Rc<[DeclRef]> {
        let program = self.program;
        let known = self.within.entry((name, namespace, unit));
        known.or_insert_with(|| program.in_namespace(namespace, name, unit).into()).clone()
    }

    /// What a namespace, or else one around it, declares under a name. Names are asked for again and again.
    fn in_namespaces(&mut self, name: &'a str, home: Namespace, unit: u32, builtin: bool) -> Rc<[DeclRef]> {
        if let Some(known) = self.spaces.get(&(name, home, unit)) {
            return known.clone();
        }
        let mut found: Rc<[DeclRef]> = Rc::default();
        let mut from = Some(home);
        while let Some(namespace) = from {
            // In cute nobody else declares CuTe's own names, and where a namespace uses cute, it means those.
            let is_cute = |space| self.program.path_of(space).first() == Some(&"cute");
            let decls = if builtin && is_cute(namespace) {
                Rc::default()
            } else if builtin && self.program.used_in(namespace).any(is_cute) {
                self.program.directly_in(namespace, name, unit).into()
            } else {
                self.within(namespace, name, unit)
            };
            if !decls.is_empty() {
                found = decls;
                break;
            }
            from = self.program.outer(namespace);
        }
        self.spaces.insert((name, home, unit), found.clone());
        found
    }

    /// The size of a type that is declared several times, where it is the same each time.
    pub(super) fn size_of_each(
        &mut self,
        of: ExprId,
        why: Unresolved,
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        let Expr::Path(path) = self.program.unit(context.unit).expr(of) else { return Err(why) };
        let before = path.segments.len().saturating_sub(1);
        let Some(last) = path.segments.last().filter(|last| last.args.is_none()) else { return Err(why) };
        let name = self.program.text(Self::site(context, last.name));
        let found = if before == 0 {
            Some(self.variables(name, context, last.name.start, site)?)
        } else {
            match self.eval_segments(path, before, site, context)? {
                Value::Named(named) => match named.class {
                    Some(class) => self.find_member(class, &named.env, name, site)?,
                    None => None,
                },
                _ => None,
            }
        };
        let Some((decls, env)) = found else { return Err(why) };
        let mut size: Option<Value<'a>> = None;
        for decl in decls.iter().take(super::MAX_CANDIDATES) {
            let of = self.program.decl(*decl);
            let DeclKind::Alias(ty) = of.kind else { return Err(why) };
            if of.templated || decls.len() > super::MAX_CANDIDATES {
                return Err(why);
            }
            let inside = Context { unit: decl.unit, scope: of.inside, env: env.clone() };
            let one = match self.eval(ty, &inside) {
                Err(Unresolved { reason: Reason::Ambiguous, .. }) => {
                    self.deeper(site, |evaluator| evaluator.size_of_each(ty, why, site, &inside))?
                }
                ty => traits::bytes(&ty?, site)?,
            };
            if size.as_ref().is_some_and(|size| !same(size, &one)) {
                return Err(why);
            }
            size = Some(one);
        }
        size.ok_or(why)
    }

    /// The declarations of a plain name, and the bindings that they are seen with.
    pub(super) fn variables(
        &mut self,
        name: &'a str,
        context: &Context<'a>,
        before: u32,
        site: Site,
    ) -> Resolved<Members<'a>> {
        match self.lookup(name, context, false, before, site)? {
            Found::Decls(decls, env, _) => Ok((decls.to_vec(), env)),
            _ => Ok((Vec::new(), None)),
        }
    }

    fn used(&mut self, using: &[Path], context: &Context<'a>, name: &'a str, builtin: bool) -> Option<Found<'a>> {
        if builtin {
            return None;
        }
        let home = self.program.home(context.unit, context.scope);
        using.iter().find_map(|path| {
            let namespace = self.program.namespace(context.unit, path, home)?;
            let decls = self.within(namespace, name, context.unit);
            (!decls.is_empty()).then_some(Found::Decls(decls, None, true))
        })
    }

    /// A member of a value.
    pub(super) fn member_path(
        &mut self,
        of: &Value<'a>,
        name: &'a str,
        segment: Option<&'a Segment>,
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        if let Value::Named(named) = of {
            if let Some(value) = self.tiled_member(of, name, site, context) {
                return value;
            }
            if let Some(class) = named.class {
                return match self.find_member(class, &named.env, name, site)? {
                    Some((decls, env)) => {
                        let args = segment.and_then(|segment| segment.args.as_deref());
                        let args = args.map(|args| self.arguments(args, context));
                        self.declared(&decls, args.as_deref(), &env, site)
                    }
                    None => self.inherited(class, &named.env, name, site),
                };
            }
            let args = named.args.as_deref().unwrap_or_default();
            if let Some(value) =
                builtin::member_of_unknown(named, name, site).or_else(|| traits::member(named.name(), name, args, site))
            {
                return value;
            }
            let mut path = named.path.clone();
            path.push(name);
            return Named::member(path, named.hangs, site);
        }
        builtin::member_of(of, name, site)
    }

    /// `value` of a class that derives from a number: `struct Width : Int<68> {};`.
    fn inherited(&mut self, class: DeclRef, env: &Bindings<'a>, name: &str, site: Site) -> Resolved<Value<'a>> {
        let unknown = Unresolved { reason: Reason::UnknownMember, site };
        match self.bases(class, env).as_slice() {
            [of @ Value::Number(_)] if name == "value" => builtin::member_of(of, name, site),
            _ => Err(unknown),
        }
    }

    /// The value of a member of a class of which no template parameter is known, and where the member is declared.
    ///
    /// # Errors
    /// The member's own reason, or [`Reason::UnknownMember`] when there is none.
    pub fn member(&mut self, class: DeclRef, name: &'a str) -> Resolved<(Value<'a>, Site)> {
        self.begin();
        let site = Site { unit: class.unit, span: self.program.decl(class).name };
        let Some((decls, env)) = self.find_member(class, &None, name, site)? else {
            return Err(Unresolved { reason: Reason::UnknownMember, site });
        };
        let site = decls.first().map_or(site, |decl| Site { unit: decl.unit, span: self.program.decl(*decl).span });
        Ok((self.declared(&decls, None, &env, site)?, site))
    }

    /// The declaration of a member, and the class it stands in: this one or a base.
    ///
    /// # Errors
    /// A base could not be told.
    pub fn defining(&mut self, class: DeclRef, name: &'a str) -> Resolved<Option<(DeclRef, DeclRef)>> {
        self.begin();
        let site = Site { unit: class.unit, span: self.program.decl(class).name };
        let found = self.find_member(class, &None, name, site)?;
        Ok(found
            .and_then(|(decls, _)| decls.first().copied())
            .map(|decl| (decl, self.program.class_around(decl).unwrap_or(class))))
    }

    /// Declarations of a member in a class or the bases of it, with the bindings that hold there.
    fn find_member(
        &mut self,
        class: DeclRef,
        env: &Bindings<'a>,
        name: &'a str,
        site: Site,
    ) -> Resolved<Option<Members<'a>>> {
        let DeclKind::Class { members, .. } = &self.program.decl(class).kind else { return Ok(None) };
        let own = self.program.local(class.unit, *members, name);
        if !own.is_empty() {
            return Ok(Some((own.iter().map(|id| DeclRef { unit: class.unit, id: *id }).collect(), env.clone())));
        }
        for base in self.bases(class, env) {
            if let Some(found) = self.member_of_base(class, &base, name, site)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn member_of_base(
        &mut self,
        class: DeclRef,
        base: &Value<'a>,
        name: &'a str,
        site: Site,
    ) -> Resolved<Option<Members<'a>>> {
        let Value::Named(base) = base else { return Ok(None) };
        match base.class {
            Some(found) if found != class => {
                self.deeper(site, |evaluator| evaluator.find_member(found, &base.env, name, site))
            }
            _ => Ok(None),
        }
    }

    /// What unqualified lookup finds in the bases of a class that it is inside of. As in C++, bases that hang on a template
    /// parameter are passed by. A base that no file declares may have any name, though one of `std` has no layouts.
    fn found_in_bases(&mut self, class: DeclRef, name: &'a str, site: Site) -> Resolved<Option<Members<'a>>> {
        for base in self.open_bases(class).iter() {
            match base {
                _ if base.is_dependent() => {}
                // CUTLASS's `aligned_struct` has no members either.
                Value::Named(named)
                    if named.class.is_none()
                        && named.path.first() != Some(&"std")
                        && !matches!(
                            named.path.as_slice(),
                            ["aligned_struct"] | ["cute" | "cutlass", "aligned_struct"]
                        ) =>
                {
                    return Err(Unresolved { reason: Reason::UnknownName, site: named.site });
                }
                _ => {
                    if let Some(found) = self.member_of_base(class, base, name, site)? {
                        return Ok(Some(found));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The base classes of a class whose template parameters have no values. Every name in the class asks for them.
    fn open_bases(&mut self, class: DeclRef) -> Rc<[Value<'a>]> {
        if let Some(known) = self.bases.get(&class).filter(|_| !self.pattern) {
            return known.clone();
        }
        let circles = self.circles;
        let bases: Rc<[Value<'a>]> = self.bases(class, &None).into();
        // What was cut short says something about who asked.
        if !self.spent && circles == self.circles && !self.pattern {
            self.bases.insert(class, bases.clone());
        }
        bases
    }

    /// The base classes of a class, those that could not be told as they are.
    pub fn bases(&mut self, class: DeclRef, env: &Bindings<'a>) -> Vec<Value<'a>> {
        let decl = self.program.decl(class);
        let DeclKind::Class { bases, .. } = &decl.kind else { return Vec::new() };
        if bases.is_empty() {
            return Vec::new();
        }
        let context = Context { unit: class.unit, scope: decl.inside, env: env.clone() };
        self.arguments(bases, &context)
    }
}
