//! Reads the extracted Rust back as the trees that Lean prints.
//!
//! This is what has to be trusted of the printing: which Rust form means which node of the language
//! (`lean/Razorgirl/Extract/Lang.lean` says what each node means). A form that is not listed here is refused.
//!
//! | Rust | node |
//! |---|---|
//! | `x`, `(x)` | the variable of that name that was declared last; parentheses mean nothing |
//! | `7`, `true` | `lit`, or `lit_i64` where an `i64` is wanted; `bool` |
//! | `List::new()`, `Mode { extent: x, stride: y }`, `(x, y)` | `nil`, `mode`, `pair` |
//! | `x.extent`, `x.stride`, `x.0`, `x.1`, `!x` | `extent`, `stride`, `fst`, `snd`, `not` |
//! | `x == y`, `!=`, `<`, `<=`, `&&`, `\|\|` | `eq`, `ne`, `lt`, `le`, `and`, `or` |
//! | `add(x, y)?` and so on, `len(&x)`, `mul_is(x, y, z)` | the primitive of that name |
//! | `f(x, &y)?` | `call` of the function `f` that stands above |
//! | `List::from(&x[..])`, `List::from(x)` | `x`: lists are values, and this copies one |
//! | `let x: T = e; …` | `let`, over the rest of the block |
//! | `x = e;`, `x.push(e);` | `set`, `push` |
//! | `if c { … } else { … }` | `if`; without `else`, `skip` stands there |
//! | `for &x in xs.iter() { … }`, `for x in 0..m { … }` | `for`, `range` |
//! | `return Ok(e);` and at the end `Ok(e)` | `return` |
//! | `return Err(Fault::Refuse("c"));` and at the end `Err(…)` | `refuse` |
//! | `a; b` | `seq`; an empty block is `skip` |
//!
//! Attributes are refused wherever they stand but for `///` and `#[inline(always)]` before a function, and so is `;` behind an `if`.

use std::collections::HashMap;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprCall, FnArg, Item, ItemFn, Lit, Member, Pat, ReturnType, Stmt, Type, UnOp};

/// The types of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ty {
    U64,
    I64,
    Bool,
    Mode,
    Pair(Box<Ty>, Box<Ty>),
    List(Box<Ty>),
}

impl Ty {
    fn tree(&self) -> Value {
        match self {
            Self::U64 => json!(["u64"]),
            Self::I64 => json!(["i64"]),
            Self::Bool => json!(["bool"]),
            Self::Mode => json!(["mode"]),
            Self::Pair(a, b) => json!(["pair", a.tree(), b.tree()]),
            Self::List(a) => json!(["list", a.tree()]),
        }
    }

    /// The type of a value, or of a parameter, where lists are slices.
    fn read(ty: &Type) -> Result<Self> {
        match ty {
            Type::Tuple(tuple) if tuple.elems.len() == 2 => {
                Ok(Self::Pair(Box::new(Self::read(&tuple.elems[0])?), Box::new(Self::read(&tuple.elems[1])?)))
            }
            Type::Reference(reference) if reference.mutability.is_none() => match &*reference.elem {
                Type::Slice(slice) => Ok(Self::List(Box::new(Self::read(&slice.elem)?))),
                _ => bail!("a reference to something other than a slice"),
            },
            Type::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => {
                let segment = &path.path.segments[0];
                match (segment.ident.to_string().as_str(), &segment.arguments) {
                    ("u64", syn::PathArguments::None) => Ok(Self::U64),
                    ("i64", syn::PathArguments::None) => Ok(Self::I64),
                    ("bool", syn::PathArguments::None) => Ok(Self::Bool),
                    ("Mode", syn::PathArguments::None) => Ok(Self::Mode),
                    ("List", syn::PathArguments::AngleBracketed(inner)) => match inner.args.first() {
                        Some(syn::GenericArgument::Type(ty)) if inner.args.len() == 1 => {
                            Ok(Self::List(Box::new(Self::read(ty)?)))
                        }
                        _ => bail!("a list of something other than a type"),
                    },
                    (other, _) => bail!("the type {other}"),
                }
            }
            _ => bail!("a type of another form"),
        }
    }
}

/// A function that has been read.
#[derive(Clone, Debug)]
struct Function {
    params: Vec<(String, Ty)>,
    result: Ty,
    tree: Value,
}

impl Function {
    fn params_tree(&self) -> Value {
        self.params.iter().map(|(name, ty)| json!([name, ty.tree()])).collect()
    }
}

/// The names that the reader gives a meaning: the primitives, and the two ways in which a function ends.
const TAKEN: [&str; 14] = [
    "add", "sub", "mul", "div", "rem", "add_i64", "sub_i64", "mul_i64", "div_i64", "get", "len", "mul_is", "Ok", "Err",
];

/// The functions of a generated file in order: name, and tree with parameters and result, as Lean prints them.
///
/// # Errors
/// Something in it is of no form that is listed above; the line is named.
pub fn functions(text: &str, header: &str) -> Result<Vec<(String, Value)>> {
    let file = syn::parse_file(text)?;
    let expected = syn::parse_file(header)?;
    ensure!(file.attrs == expected.attrs, "the attributes at the head are not those of a generated file");
    let (uses, items) = file.items.split_at(expected.items.len().min(file.items.len()));
    ensure!(uses == expected.items, "the imports are not those of a generated file");
    let mut known = HashMap::new();
    let mut all = Vec::new();
    for item in items {
        let Item::Fn(item) = item else { bail!("line {}: not a function", item.span().start().line) };
        let name = item.sig.ident.to_string();
        // It would stand before the imported one of that name.
        ensure!(!TAKEN.contains(&name.as_str()), "{name} means something else in these functions");
        let function = function(item, &known).with_context(|| format!("function {name}"))?;
        all.push((name.clone(), json!([function.params_tree(), function.result.tree(), function.tree.clone()])));
        ensure!(known.insert(name.clone(), function).is_none(), "{name} stands there twice");
    }
    Ok(all)
}

fn function(item: &ItemFn, known: &HashMap<String, Function>) -> Result<Function> {
    let sig = &item.sig;
    let plain = sig.constness.is_none()
        && sig.asyncness.is_none()
        && sig.unsafety.is_none()
        && sig.abi.is_none()
        && sig.variadic.is_none()
        && sig.generics.params.is_empty()
        && sig.generics.where_clause.is_none();
    ensure!(plain && matches!(item.vis, syn::Visibility::Public(_)), "not a plain public function");
    let mut doc = Vec::new();
    for attr in &item.attrs {
        match &attr.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                Expr::Lit(syn::ExprLit { lit: Lit::Str(line), .. }) => doc.push(line.value().trim().to_string()),
                _ => bail!("a doc comment of another form"),
            },
            syn::Meta::List(list) if list.path.is_ident("inline") && list.tokens.to_string() == "always" => {}
            _ => bail!("line {}: an attribute", attr.span().start().line),
        }
    }
    // `#[cfg(…)]` can take anything away that this reads.
    let mut inner = Attributes::default();
    inner.visit_signature(sig);
    inner.visit_block(&item.block);
    if let Some(line) = inner.line {
        bail!("line {line}: an attribute");
    }
    let mut params = Vec::new();
    for input in &sig.inputs {
        let FnArg::Typed(input) = input else { bail!("a receiver") };
        let Pat::Ident(ident) = &*input.pat else { bail!("a parameter of another form") };
        ensure!(
            ident.by_ref.is_none() && ident.mutability.is_none() && ident.subpat.is_none(),
            "a parameter is mutable"
        );
        params.push((ident.ident.to_string(), Ty::read(&input.ty)?));
    }
    let ReturnType::Type(_, result) = &sig.output else { bail!("no result") };
    let result = result_type(result)?;
    // The first parameter is the latest variable.
    let mut scope: Vec<(String, Ty)> = params.clone();
    scope.reverse();
    let mut reader = Reader { known, scope, result: result.clone() };
    let body = reader.block(&item.block)?;
    let first = doc.first().cloned().unwrap_or_default();
    let tree = json!(["fn", sig.ident.to_string(), first, body]);
    Ok(Function { params, result, tree })
}

/// Where the first attribute stands.
#[derive(Default)]
struct Attributes {
    line: Option<usize>,
}

impl Visit<'_> for Attributes {
    fn visit_attribute(&mut self, attribute: &syn::Attribute) {
        self.line.get_or_insert(attribute.span().start().line);
        visit::visit_attribute(self, attribute);
    }
}

/// `T` of `Result<T, Fault>`.
fn result_type(ty: &Type) -> Result<Ty> {
    if let Type::Path(path) = ty
        && path.path.segments.len() == 1
        && path.path.segments[0].ident == "Result"
        && let syn::PathArguments::AngleBracketed(inner) = &path.path.segments[0].arguments
        && let (Some(syn::GenericArgument::Type(value)), Some(syn::GenericArgument::Type(Type::Path(fault))), 2) =
            (inner.args.first(), inner.args.last(), inner.args.len())
        && fault.path.is_ident("Fault")
    {
        return Ty::read(value);
    }
    bail!("the result is not `Result<…, Fault>`")
}

struct Reader<'a> {
    known: &'a HashMap<String, Function>,
    /// The variables, the latest last.
    scope: Vec<(String, Ty)>,
    result: Ty,
}

/// `head` in front of the entries of `rest`.
fn cons(head: Value, rest: Value) -> Value {
    let mut all = vec![head];
    match rest {
        Value::Array(rest) => all.extend(rest),
        other => all.push(other),
    }
    Value::Array(all)
}

impl Reader<'_> {
    fn block(&mut self, block: &Block) -> Result<Value> {
        let outer = self.scope.len();
        let tree = self.statements(&block.stmts);
        self.scope.truncate(outer);
        tree
    }

    fn statements(&mut self, stmts: &[Stmt]) -> Result<Value> {
        let Some((first, rest)) = stmts.split_first() else { return Ok(json!(["skip"])) };
        let line = first.span().start().line;
        if let Stmt::Local(local) = first {
            let at = || format!("line {line}");
            let Pat::Type(typed) = &local.pat else { bail!("line {line}: `let` without a type") };
            let Pat::Ident(ident) = &*typed.pat else { bail!("line {line}: `let` of a pattern") };
            ensure!(ident.by_ref.is_none() && ident.subpat.is_none(), "line {line}: `let`");
            let ty = Ty::read(&typed.ty).with_context(at)?;
            let init = local.init.as_ref().filter(|init| init.diverge.is_none());
            let value = self.expr(&init.with_context(at)?.expr, Some(&ty)).with_context(at)?;
            ensure!(value.1 == ty, "line {line}: the value is of another type");
            self.scope.push((ident.ident.to_string(), ty.clone()));
            let body = self.statements(rest)?;
            return Ok(json!(["let", cons(ident.ident.to_string().into(), ty.tree()), value.0, body]));
        }
        let Stmt::Expr(expr, semi) = first else { bail!("line {line}: neither a statement nor an expression") };
        let tree = self.statement(expr, semi.is_some()).with_context(|| format!("line {line}"))?;
        if rest.is_empty() { Ok(tree) } else { Ok(json!(["seq", tree, self.statements(rest)?])) }
    }

    fn statement(&mut self, expr: &Expr, semi: bool) -> Result<Value> {
        match expr {
            Expr::Assign(assign) => {
                let (index, ty) = self.variable(&assign.left)?;
                let value = self.typed(&assign.right, &ty)?;
                Ok(json!(["set", index, ty.tree(), value]))
            }
            Expr::MethodCall(call) if call.method == "push" && call.args.len() == 1 && call.turbofish.is_none() => {
                let (index, ty) = self.variable(&call.receiver)?;
                let Ty::List(item) = ty else { bail!("`push` to something other than a list") };
                let value = self.typed(&call.args[0], &item)?;
                Ok(json!(["push", index, item.tree(), value]))
            }
            // With `;` behind it, what its last expressions say would be dropped.
            Expr::If(branch) if !semi => {
                let condition = self.typed(&branch.cond, &Ty::Bool)?;
                let then = self.block(&branch.then_branch)?;
                let otherwise = match &branch.else_branch {
                    None => json!(["skip"]),
                    Some((_, other)) => match &**other {
                        Expr::Block(block) if block.label.is_none() => self.block(&block.block)?,
                        other => self.statement(other, false)?,
                    },
                };
                Ok(json!(["if", condition, then, otherwise]))
            }
            Expr::ForLoop(each) if each.label.is_none() => self.each(each),
            Expr::Block(block) if !semi && block.label.is_none() => self.block(&block.block),
            Expr::Return(ret) => self.outcome(ret.expr.as_deref().context("`return` without a value")?),
            Expr::Call(_) if !semi => self.outcome(expr),
            _ => bail!("a statement of another form"),
        }
    }

    fn each(&mut self, each: &syn::ExprForLoop) -> Result<Value> {
        let outer = self.scope.len();
        let tree = match (&*each.pat, &*each.expr) {
            (Pat::Reference(pat), Expr::MethodCall(call))
                if pat.mutability.is_none() && call.method == "iter" && call.args.is_empty() =>
            {
                let name = plain_ident(&pat.pat)?;
                let (list, ty) = self.expr(&call.receiver, None)?;
                let Ty::List(item) = ty else { bail!("`for` over something other than a list") };
                self.scope.push((name.clone(), (*item).clone()));
                let body = self.block(&each.body)?;
                json!(["for", cons(name.into(), item.tree()), list, body])
            }
            (pat, Expr::Range(range)) if matches!(range.limits, syn::RangeLimits::HalfOpen(_)) => {
                let name = plain_ident(pat)?;
                let start = range.start.as_deref().context("a range without a start")?;
                ensure!(self.typed(start, &Ty::U64)? == json!(["lit", 0]), "a range that does not start at 0");
                let end = self.typed(range.end.as_deref().context("a range without an end")?, &Ty::U64)?;
                self.scope.push((name.clone(), Ty::U64));
                let body = self.block(&each.body)?;
                json!(["range", name, end, body])
            }
            _ => bail!("a loop of another form"),
        };
        self.scope.truncate(outer);
        Ok(tree)
    }

    /// `Ok(e)` or `Err(Fault::Refuse("code"))`.
    fn outcome(&self, expr: &Expr) -> Result<Value> {
        let Expr::Call(call) = expr else { bail!("neither `Ok` nor `Err`") };
        ensure!(call.args.len() == 1, "neither `Ok` nor `Err`");
        match path(&call.func).as_deref() {
            Some("Ok") => Ok(json!(["return", self.typed(&call.args[0], &self.result)?])),
            Some("Err") => match &call.args[0] {
                Expr::Call(refuse)
                    if path(&refuse.func).as_deref() == Some("Fault::Refuse") && refuse.args.len() == 1 =>
                {
                    match &refuse.args[0] {
                        Expr::Lit(syn::ExprLit { lit: Lit::Str(code), .. }) => Ok(json!(["refuse", code.value()])),
                        _ => bail!("a refusal without a code"),
                    }
                }
                _ => bail!("a fault that is no refusal"),
            },
            _ => bail!("neither `Ok` nor `Err`"),
        }
    }

    /// Place and type of a variable.
    fn variable(&self, expr: &Expr) -> Result<(usize, Ty)> {
        let name = path(expr).context("not a variable")?;
        let found = self.scope.iter().rev().enumerate().find(|(_, (other, _))| *other == name);
        found.map(|(index, (_, ty))| (index, ty.clone())).with_context(|| format!("no variable {name}"))
    }

    /// An expression of a type that is known.
    fn typed(&self, expr: &Expr, want: &Ty) -> Result<Value> {
        let (tree, ty) = self.expr(expr, Some(want))?;
        ensure!(ty == *want, "{ty:?} where {want:?} is wanted");
        Ok(tree)
    }

    fn expr(&self, expr: &Expr, want: Option<&Ty>) -> Result<(Value, Ty)> {
        match expr {
            Expr::Paren(paren) => self.expr(&paren.expr, want),
            Expr::Path(_) => self.variable(expr).map(|(index, ty)| (json!(["var", index]), ty)),
            Expr::Lit(syn::ExprLit { lit: Lit::Int(int), .. }) => {
                let n: u64 = int.base10_parse()?;
                match int.suffix() {
                    "" if want == Some(&Ty::I64) => Ok((json!(["lit_i64", n]), Ty::I64)),
                    "" | "u64" => Ok((json!(["lit", n]), Ty::U64)),
                    other => bail!("a literal with suffix {other}"),
                }
            }
            Expr::Lit(syn::ExprLit { lit: Lit::Bool(b), .. }) => Ok((json!(["bool", u8::from(b.value)]), Ty::Bool)),
            Expr::Field(field) => {
                let (base, ty) = self.expr(&field.base, None)?;
                let (name, result) = match (&field.member, &ty) {
                    (Member::Named(name), Ty::Mode) if name == "extent" || name == "stride" => {
                        (name.to_string(), Ty::U64)
                    }
                    (Member::Unnamed(index), Ty::Pair(a, _)) if index.index == 0 => ("fst".into(), (**a).clone()),
                    (Member::Unnamed(index), Ty::Pair(_, b)) if index.index == 1 => ("snd".into(), (**b).clone()),
                    _ => bail!("a field of another kind"),
                };
                Ok((json!(["op1", name, ty.tree(), base]), result))
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                let x = self.typed(&unary.expr, &Ty::Bool)?;
                Ok((json!(["op1", "not", Ty::Bool.tree(), x]), Ty::Bool))
            }
            Expr::Binary(binary) => {
                let (x, ty) = self.expr(&binary.left, None)?;
                let y = self.typed(&binary.right, &ty)?;
                let name = match binary.op {
                    BinOp::And(_) if ty == Ty::Bool => return Ok((json!(["and", x, y]), Ty::Bool)),
                    BinOp::Or(_) if ty == Ty::Bool => return Ok((json!(["or", x, y]), Ty::Bool)),
                    BinOp::Eq(_) => "eq",
                    BinOp::Ne(_) => "ne",
                    BinOp::Lt(_) => "lt",
                    BinOp::Le(_) => "le",
                    _ => bail!("an operator of another kind"),
                };
                ensure!(matches!(ty, Ty::U64 | Ty::I64), "a comparison of something other than numbers");
                Ok((op2(name, &ty, &ty, x, y), Ty::Bool))
            }
            Expr::Struct(mode) if mode.path.is_ident("Mode") && mode.rest.is_none() && mode.fields.len() == 2 => {
                let field = |place: usize, name: &str| {
                    let field = &mode.fields[place];
                    ensure!(matches!(&field.member, Member::Named(n) if n == name), "fields in another order");
                    self.typed(&field.expr, &Ty::U64)
                };
                Ok((op2("mode", &Ty::U64, &Ty::U64, field(0, "extent")?, field(1, "stride")?), Ty::Mode))
            }
            Expr::Tuple(tuple) if tuple.elems.len() == 2 => {
                let (wa, wb) = match want {
                    Some(Ty::Pair(a, b)) => (Some(&**a), Some(&**b)),
                    _ => (None, None),
                };
                let (x, a) = self.expr(&tuple.elems[0], wa)?;
                let (y, b) = self.expr(&tuple.elems[1], wb)?;
                Ok((op2("pair", &a, &b, x, y), Ty::Pair(Box::new(a), Box::new(b))))
            }
            Expr::Try(tried) => match &*tried.expr {
                Expr::Call(call) => self.fallible(call),
                _ => bail!("`?` behind something other than a call"),
            },
            Expr::Call(call) => self.infallible(call, want),
            _ => bail!("an expression of another form"),
        }
    }

    /// A call that ends in `?`: a checked primitive, or a function that stands above.
    fn fallible(&self, call: &ExprCall) -> Result<(Value, Ty)> {
        let name = path(&call.func).context("a call of something other than a name")?;
        let args: Vec<&Expr> = call.args.iter().collect();
        let (ty, node) = match name.as_str() {
            "add" | "sub" | "mul" | "div" | "rem" => (Ty::U64, name.as_str()),
            "add_i64" => (Ty::I64, "add"),
            "sub_i64" => (Ty::I64, "sub"),
            "mul_i64" => (Ty::I64, "mul"),
            "div_i64" => (Ty::I64, "div"),
            "get" => {
                let [list, place] = args[..] else { bail!("`get` of {} arguments", args.len()) };
                let (list, ty) = self.expr(borrowed(list)?, None)?;
                let Ty::List(item) = &ty else { bail!("`get` from something other than a list") };
                let place = self.typed(place, &Ty::U64)?;
                return Ok((op2("get", &ty, &Ty::U64, list, place), (**item).clone()));
            }
            _ => {
                let function = self.known.get(&name).with_context(|| format!("no function {name} above"))?;
                ensure!(args.len() == function.params.len(), "{name} of {} arguments", args.len());
                let mut values = Vec::new();
                for (arg, (_, ty)) in args.iter().zip(&function.params) {
                    let arg = if matches!(ty, Ty::List(_)) { borrowed(arg)? } else { arg };
                    values.push(self.typed(arg, ty)?);
                }
                let tree = json!(["call", function.params_tree(), function.tree, values]);
                return Ok((tree, function.result.clone()));
            }
        };
        let [x, y] = args[..] else { bail!("{name} of {} arguments", args.len()) };
        Ok((op2(node, &ty, &ty, self.typed(x, &ty)?, self.typed(y, &ty)?), ty))
    }

    /// A call without `?`.
    fn infallible(&self, call: &ExprCall, want: Option<&Ty>) -> Result<(Value, Ty)> {
        let args: Vec<&Expr> = call.args.iter().collect();
        match (path(&call.func).as_deref(), &args[..]) {
            (Some("List::new"), []) => match want {
                Some(ty @ Ty::List(_)) => Ok((json!(["nil"]), ty.clone())),
                _ => bail!("an empty list where no list is wanted"),
            },
            (Some("List::from"), [arg]) => {
                let list = match arg {
                    Expr::Reference(reference) if reference.mutability.is_none() => match &*reference.expr {
                        Expr::Index(index) if is_full_range(&index.index) => &*index.expr,
                        _ => bail!("a copy of something other than a whole list"),
                    },
                    other => other,
                };
                let (index, ty) = self.variable(list)?;
                ensure!(matches!(ty, Ty::List(_)), "a copy of something other than a list");
                Ok((json!(["var", index]), ty))
            }
            (Some("len"), [arg]) => {
                let (list, ty) = self.expr(borrowed(arg)?, None)?;
                ensure!(matches!(ty, Ty::List(_)), "`len` of something other than a list");
                Ok((json!(["op1", "len", ty.tree(), list]), Ty::U64))
            }
            (Some("mul_is"), [x, y, z]) => {
                let of = |arg| self.typed(arg, &Ty::U64);
                Ok((json!(["mul_is", of(x)?, of(y)?, of(z)?]), Ty::Bool))
            }
            _ => bail!("a call without `?` of another form"),
        }
    }
}

fn op2(name: &str, a: &Ty, b: &Ty, x: Value, y: Value) -> Value {
    json!(["op2", name, cons(a.tree(), b.tree()), cons(x, y)])
}

/// The expression behind `&`.
fn borrowed(expr: &Expr) -> Result<&Expr> {
    match expr {
        Expr::Reference(reference) if reference.mutability.is_none() => Ok(&reference.expr),
        _ => bail!("a list that is not passed by reference"),
    }
}

fn is_full_range(expr: &Expr) -> bool {
    matches!(expr, Expr::Range(range) if range.start.is_none() && range.end.is_none())
}

/// A path without arguments as text.
fn path(expr: &Expr) -> Option<String> {
    let Expr::Path(path) = expr else { return None };
    let plain = path.qself.is_none() && path.path.segments.iter().all(|segment| segment.arguments.is_none());
    let names = path.path.segments.iter().map(|segment| segment.ident.to_string());
    (plain && path.path.leading_colon.is_none()).then(|| names.collect::<Vec<_>>().join("::"))
}

fn plain_ident(pat: &Pat) -> Result<String> {
    match pat {
        Pat::Ident(ident) if ident.by_ref.is_none() && ident.mutability.is_none() && ident.subpat.is_none() => {
            Ok(ident.ident.to_string())
        }
        _ => bail!("a loop variable of another form"),
    }
}
