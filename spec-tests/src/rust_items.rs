//! The public items of the Rust library, by every path that a user can write, read from its sources.
//!
//! Modules, `pub use` (of names, of lists, of everything) and inherent `impl` blocks are followed. What a macro expands to
//! is not seen.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use syn::spanned::Spanned;

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A function or method.
    Function,
    /// A struct, enum, union, trait or type alias.
    Type,
    /// A constant, a variant of an enum.
    Other,
}

/// One item, however many paths lead to it.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// Its doc comment.
    pub doc: String,
    /// The file that declares it.
    pub file: PathBuf,
    /// Line after which a line can be added to its doc comment, from 1; 0 for none.
    pub doc_end: usize,
    /// The paths by which it can be named, shortest first.
    pub paths: Vec<String>,
}

#[derive(Default)]
struct Module {
    parent: Option<usize>,
    children: BTreeMap<String, (bool, usize)>,
    items: BTreeMap<String, (bool, usize)>,
    uses: Vec<Use>,
}

struct Use {
    public: bool,
    path: Vec<String>,
    /// `None` for everything.
    name: Option<String>,
}

#[derive(Clone, Copy, PartialEq)]
enum Entity {
    Module(usize),
    Item(usize),
}

#[derive(Default)]
struct Reader {
    modules: Vec<Module>,
    items: Vec<Item>,
    members: HashMap<usize, Vec<(String, usize)>>,
    /// Type, module, method: attached when all modules are read.
    methods: Vec<(String, usize, String, usize)>,
}

/// The public items of the crate whose root file is `lib`, called `name`.
///
/// # Errors
/// A source file cannot be read, or is no Rust.
pub fn public_items(lib: &Path, name: &str) -> Result<Vec<Item>> {
    let mut reader = Reader::default();
    let dir = lib.parent().unwrap_or(lib).to_path_buf();
    reader.module(lib, &dir, None)?;
    for (owner, module, method, item) in std::mem::take(&mut reader.methods) {
        if let Some(Entity::Item(owner)) = reader.find(module, &owner, false, 0) {
            reader.members.entry(owner).or_default().push((method, item));
        }
    }
    reader.walk(0, name, &mut Vec::new());
    for item in &mut reader.items {
        item.paths.sort_by_key(|path| (path.matches("::").count(), path.clone()));
        item.paths.dedup();
    }
    reader.items.retain(|item| !item.paths.is_empty());
    Ok(reader.items)
}

impl Reader {
    /// Reads the module in `file`, whose child modules lie in `dir`.
    fn module(&mut self, file: &Path, dir: &Path, parent: Option<usize>) -> Result<usize> {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let parsed = syn::parse_file(&text).with_context(|| format!("{} is no Rust", file.display()))?;
        self.contents(&parsed.items, file, dir, parent)
    }

    fn contents(&mut self, items: &[syn::Item], file: &Path, dir: &Path, parent: Option<usize>) -> Result<usize> {
        let this = self.modules.len();
        self.modules.push(Module { parent, ..Module::default() });
        for item in items {
            match item {
                syn::Item::Mod(module) if !is_test(&module.attrs) => {
                    let name = module.ident.to_string();
                    let below = dir.join(&name);
                    let child = if let Some((_, items)) = &module.content {
                        self.contents(items, file, &below, Some(this))?
                    } else {
                        let flat = dir.join(format!("{name}.rs"));
                        let path = if flat.exists() { flat } else { below.join("mod.rs") };
                        self.module(&path, &below, Some(this))?
                    };
                    self.modules[this].children.insert(name, (is_public(&module.vis), child));
                }
                syn::Item::Use(item) => {
                    let public = is_public(&item.vis);
                    uses(&item.tree, &mut Vec::new(), public, &mut self.modules[this].uses);
                }
                syn::Item::Fn(f) => self.item(this, &f.sig.ident, &f.vis, &f.attrs, f.span(), Kind::Function, file),
                syn::Item::Struct(s) => self.item(this, &s.ident, &s.vis, &s.attrs, s.span(), Kind::Type, file),
                syn::Item::Union(s) => self.item(this, &s.ident, &s.vis, &s.attrs, s.span(), Kind::Type, file),
                syn::Item::Type(s) => self.item(this, &s.ident, &s.vis, &s.attrs, s.span(), Kind::Type, file),
                syn::Item::Const(s) => self.item(this, &s.ident, &s.vis, &s.attrs, s.span(), Kind::Other, file),
                syn::Item::Enum(e) => {
                    self.item(this, &e.ident, &e.vis, &e.attrs, e.span(), Kind::Type, file);
                    let owner = self.items.len() - 1;
                    for variant in &e.variants {
                        let item = self.push(&variant.attrs, variant.span(), Kind::Other, file);
                        self.members.entry(owner).or_default().push((variant.ident.to_string(), item));
                    }
                }
                syn::Item::Trait(t) => {
                    self.item(this, &t.ident, &t.vis, &t.attrs, t.span(), Kind::Type, file);
                    let owner = self.items.len() - 1;
                    for member in &t.items {
                        if let syn::TraitItem::Fn(f) = member {
                            let item = self.push(&f.attrs, f.span(), Kind::Function, file);
                            self.members.entry(owner).or_default().push((f.sig.ident.to_string(), item));
                        }
                    }
                }
                syn::Item::Impl(block) if block.trait_.is_none() => {
                    let syn::Type::Path(path) = &*block.self_ty else { continue };
                    let Some(owner) = path.path.segments.last() else { continue };
                    for member in &block.items {
                        let (name, item) = match member {
                            syn::ImplItem::Fn(f) if is_public(&f.vis) => {
                                (&f.sig.ident, self.push(&f.attrs, f.span(), Kind::Function, file))
                            }
                            syn::ImplItem::Const(c) if is_public(&c.vis) => {
                                (&c.ident, self.push(&c.attrs, c.span(), Kind::Other, file))
                            }
                            _ => continue,
                        };
                        self.methods.push((owner.ident.to_string(), this, name.to_string(), item));
                    }
                }
                _ => {}
            }
        }
        Ok(this)
    }

    fn push(&mut self, attrs: &[syn::Attribute], span: proc_macro2::Span, kind: Kind, file: &Path) -> usize {
        let docs: Vec<(String, usize)> = attrs.iter().filter_map(doc_line).collect();
        self.items.push(Item {
            kind,
            doc: docs.iter().map(|(line, _)| line.trim()).collect::<Vec<_>>().join("\n"),
            file: file.to_path_buf(),
            doc_end: docs.last().map_or_else(|| span.start().line.saturating_sub(1), |(_, line)| *line),
            paths: Vec::new(),
        });
        self.items.len() - 1
    }

    #[allow(clippy::too_many_arguments)]
    fn item(
        &mut self,
        module: usize,
        name: &syn::Ident,
        vis: &syn::Visibility,
        attrs: &[syn::Attribute],
        span: proc_macro2::Span,
        kind: Kind,
        file: &Path,
    ) {
        let item = self.push(attrs, span, kind, file);
        self.modules[module].items.insert(name.to_string(), (is_public(vis), item));
    }

    /// What `name` means in a module; with `public`, to those outside.
    fn find(&self, module: usize, name: &str, public: bool, depth: usize) -> Option<Entity> {
        // `use` may run in circles.
        if depth > 16 {
            return None;
        }
        let here = &self.modules[module];
        let visible = |is_public: bool| is_public || !public;
        if let Some((is_public, item)) = here.items.get(name).filter(|(p, _)| visible(*p)) {
            let _ = is_public;
            return Some(Entity::Item(*item));
        }
        if let Some((_, child)) = here.children.get(name).filter(|(p, _)| visible(*p)) {
            return Some(Entity::Module(*child));
        }
        let named = here.uses.iter().filter(|u| visible(u.public) && u.name.as_deref() == Some(name));
        let whole = here.uses.iter().filter(|u| visible(u.public) && u.name.is_none());
        named.clone().find_map(|u| self.follow(module, &u.path, depth + 1)).or_else(|| {
            whole
                .filter_map(|u| self.follow(module, &u.path, depth + 1))
                .find_map(|e| if let Entity::Module(m) = e { self.find(m, name, true, depth + 1) } else { None })
        })
    }

    /// What a path of a `use` in `module` leads to.
    fn follow(&self, module: usize, path: &[String], depth: usize) -> Option<Entity> {
        let mut at = Entity::Module(module);
        for (n, part) in path.iter().enumerate() {
            let Entity::Module(m) = at else { return None };
            at = match part.as_str() {
                "crate" => Entity::Module(0),
                "self" => at,
                "super" => Entity::Module(self.modules[m].parent?),
                _ if n == 0 => {
                    // Not through the `use` that is being followed.
                    let own = &self.modules[m];
                    let item = own.items.get(part).map(|(_, i)| Entity::Item(*i));
                    item.or_else(|| own.children.get(part).map(|(_, c)| Entity::Module(*c)))?
                }
                _ => self.find(m, part, false, depth + 1)?,
            };
        }
        Some(at)
    }

    /// The names that a module shows to those outside.
    fn exported(&self, module: usize, depth: usize) -> BTreeSet<String> {
        let here = &self.modules[module];
        let own =
            here.items.iter().chain(&here.children).filter(|(_, (public, _))| *public).map(|(name, _)| name.clone());
        let mut names: BTreeSet<String> = own.collect();
        for shown in here.uses.iter().filter(|u| u.public && depth < 8) {
            match &shown.name {
                Some(name) => {
                    names.insert(name.clone());
                }
                None => {
                    if let Some(Entity::Module(m)) = self.follow(module, &shown.path, 0) {
                        names.extend(self.exported(m, depth + 1));
                    }
                }
            }
        }
        names
    }

    fn walk(&mut self, module: usize, path: &str, above: &mut Vec<usize>) {
        if above.contains(&module) {
            return;
        }
        above.push(module);
        for name in self.exported(module, 0) {
            let full = format!("{path}::{name}");
            match self.find(module, &name, true, 0) {
                Some(Entity::Module(child)) => self.walk(child, &full, above),
                Some(Entity::Item(item)) => {
                    for (member, id) in self.members.get(&item).cloned().unwrap_or_default() {
                        self.items[id].paths.push(format!("{full}::{member}"));
                    }
                    self.items[item].paths.push(full);
                }
                None => {}
            }
        }
        above.pop();
    }
}

fn is_public(vis: &syn::Visibility) -> bool {
    matches!(vis, syn::Visibility::Public(_))
}

fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| a.path().is_ident("cfg") && a.parse_args::<syn::Ident>().is_ok_and(|i| i == "test"))
}

fn doc_line(attr: &syn::Attribute) -> Option<(String, usize)> {
    let syn::Meta::NameValue(meta) = &attr.meta else { return None };
    let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &meta.value else { return None };
    attr.path().is_ident("doc").then(|| (text.value(), attr.span().end().line))
}

fn uses(tree: &syn::UseTree, path: &mut Vec<String>, public: bool, found: &mut Vec<Use>) {
    match tree {
        syn::UseTree::Path(step) => {
            path.push(step.ident.to_string());
            uses(&step.tree, path, public, found);
            path.pop();
        }
        syn::UseTree::Group(group) => group.items.iter().for_each(|tree| uses(tree, path, public, found)),
        syn::UseTree::Glob(_) => found.push(Use { public, path: path.clone(), name: None }),
        syn::UseTree::Name(leaf) => {
            let name = leaf.ident.to_string();
            let path = path.iter().cloned().chain([name.clone()]).collect();
            found.push(Use { public, path, name: Some(name) });
        }
        syn::UseTree::Rename(leaf) => {
            let path = path.iter().cloned().chain([leaf.ident.to_string()]).collect();
            found.push(Use { public, path, name: Some(leaf.rename.to_string()) });
        }
    }
}
