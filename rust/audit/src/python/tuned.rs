//! What an autotuner runs a kernel with: `@triton.autotune(configs=[triton.Config({"BLOCK": 64}, num_warps=8)], key=["n"])`.
//!
//! It compiles the kernel for each config and does not go on where Triton refuses one. Where a function picks among them
//! (`prune_configs_by`), or the list is computed, nothing of them is known.

use super::evaluate::{At, Evaluator, MAX_ITEMS};
use super::gluon::Part;
use super::tree::{Argument, Expr, ExprId, Kind, MODULE, argument};
use super::value::{Home, Value};
use super::world::Point;
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

/// What an autotuner is given that leaves no config out.
const PLAIN: [&str; 6] = ["configs", "key", "reset_to_zero", "restore_value", "warmup", "rep"];

/// Configs, where the list stands, and what each gives parameters by name.
struct Configs<'a> {
    list: ExprId,
    at: At,
    all: Vec<(ExprId, &'a [Argument])>,
}

impl<'a> Evaluator<'a> {
    /// The configs of the autotuner that is the first of a kernel's decorators.
    fn configs(&mut self, home: Home) -> Option<Configs<'a>> {
        let module = self.module(home.module)?;
        let scope = module.scope(home.scope)?;
        let Kind::Function(function) = &scope.kind else { return None };
        let [mark, _] = function.decorators.as_slice() else { return None };
        let Expr::Call(callee, arguments) = module.expr(*mark) else { return None };
        let named =
            matches!(module.expr(*callee), Expr::Name(name) | Expr::Attribute(_, name) if &**name == "autotune");
        let plain = |one: &Argument| one.name.as_deref().is_none_or(|name| PLAIN.contains(&name));
        if !named || !arguments.iter().all(plain) {
            return None;
        }
        // It goes on with the next config where a static assertion refuses one.
        if self.files.sources.get(module.file).is_none_or(|source| source.text.contains("static_assert")) {
            return None;
        }
        let around = At { module: home.module, scope: scope.parent.unwrap_or(MODULE), frame: None };
        let tunes = |value: &Resolved<Value>, name: &str| matches!(value, Ok(Value::Library(path)) if path.starts_with("triton.") && path.rsplit('.').next() == Some(name));
        if !tunes(&self.surely(*callee, &around), "autotune") {
            return None;
        }
        let written = argument(arguments, 0, "configs")?;
        let (list, at) = self.made_at(written, &around)?;
        let Expr::Tuple(items, true) = module.expr(list) else { return None };
        // A list that has a name may get others.
        if items.is_empty() || items.len() > MAX_ITEMS || list != written && module.changes {
            return None;
        }
        let mut all = Vec::with_capacity(items.len());
        for item in items {
            let Expr::Call(callee, arguments) = module.expr(*item) else { return None };
            let unpacks = arguments.iter().any(|one| matches!(one.name.as_deref(), Some("*" | "**")));
            if unpacks || !tunes(&self.surely(*callee, &at), "Config") {
                return None;
            }
            all.push((*item, arguments.as_slice()));
        }
        Some(Configs { list, at, all })
    }

    /// What a config gives a parameter.
    fn configured(&self, config: &'a [Argument], at: &At, name: &str) -> Option<ExprId> {
        let module = self.module(at.module)?;
        match module.expr(argument(config, 0, "kwargs")?) {
            Expr::Dict(pairs) => {
                let is = |key: ExprId| matches!(module.expr(key), Expr::Text(key) if **key == *name);
                pairs.iter().rev().find(|(key, _)| is(*key)).map(|(_, value)| *value)
            }
            // `dict(BLOCK=64)`
            Expr::Call(callee, given) if matches!(module.expr(*callee), Expr::Name(name) if &**name == "dict") => {
                given.iter().find(|one| one.name.as_deref() == Some(name)).map(|one| one.value)
            }
            _ => None,
        }
    }

    /// The value of a parameter of a kernel that each config of its autotuner gives.
    pub(super) fn tuned(&mut self, home: Home, place: usize, site: Site, depth: usize) -> Option<Resolved<Value>> {
        let Kind::Function(function) = &self.module(home.module)?.scope(home.scope)?.kind else { return None };
        let name = function.parameters.get(place)?;
        if function.decorators.len() != 2 {
            return None;
        }
        let configs = self.configs(home)?;
        let values: Vec<ExprId> =
            configs.all.iter().map(|(_, config)| self.configured(config, &configs.at, name)).collect::<Option<_>>()?;
        let open = Unresolved { reason: Reason::Unlisted, site };
        let Some(chosen) = self.choose(Point::Each(home.module, configs.list, 0), values.len()) else {
            return Some(Err(open));
        };
        let value = values.get(chosen).map_or(Err(open), |value| self.expr(*value, &configs.at, depth + 1));
        if let Ok(value) = &value {
            self.say(name, value);
        }
        Some(value)
    }

    /// With how many warps an autotuner starts a kernel, where all its configs say the same.
    pub(super) fn tuned_warps(&mut self, home: Home, usual: i128) -> Option<Part> {
        let configs = self.configs(home)?;
        let mut found: Option<Part> = None;
        for (config, arguments) in &configs.all {
            let value = match argument(arguments, 1, "num_warps") {
                None => usual,
                Some(warps) => match self.surely(warps, &configs.at) {
                    Ok(Value::Number(value, ..)) => value,
                    _ => return None,
                },
            };
            match &found {
                None => found = Some(Part { value: Some(value), site: self.site(*config, &configs.at) }),
                Some(first) if first.value == Some(value) => {}
                Some(_) => return None,
            }
        }
        found
    }
}
