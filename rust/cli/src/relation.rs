//! `razorgirl relation`: layouts as integer set relations, and as index code.

use crate::json;
use razorgirl::Layout;
use razorgirl::relation::{IndexCode, Language, QuasiAffine, Relation};
use razorgirl_protocol::{Argument, Code, Kind, Mapping, Output, Refusal, ShapeOrStride, index_code};
use razorgirl_view::failure::Failure;
use std::io::Write;
use std::process::ExitCode;

/// Print a layout as an isl relation and as index code, or recover the layout of a relation
///
/// A relation is one of four: a layout, '(4,8):(1,4)', with or without a swizzle; a linear layout as JSON; isl's notation,
/// '{ [c] -> [3c + (c mod 2)] : 0 <= c < 8 }'; or pairs as JSON, '[[[0],[2]],[[1],[5]]]'. The command prints the relation in isl's
/// notation, whether it is a function and injective, and the values up to the largest that it does not take. For a layout it also
/// prints code that computes the offset from an index c; --coordinates prints code of (row, col) or (thread, value). The code is
/// compared with the layout before it is printed: at every index up to 4096 indices, else around the steps of each mode.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// a layout, a linear layout, a text in isl's notation, or pairs
    #[arg(required_unless_present = "from")]
    relation: Option<String>,
    /// compose: RELATION after INNER
    #[arg(long, value_name = "INNER", group = "what")]
    compose: Option<String>,
    /// print the inverse relation
    #[arg(long, group = "what")]
    inverse: bool,
    /// test whether an image of INNER is outside the domain of RELATION; the composition has no pair there
    #[arg(long, value_name = "INNER", group = "what")]
    promotes: Option<String>,
    /// print only the index code of a layout: c, cuda or python
    #[arg(long, value_name = "LANGUAGE", group = "what", value_parser = Language::ALL.map(Language::name))]
    code: Option<String>,
    /// with --code: a variable for each mode in place of the index c, such as row,col or thread,value; of a linear layout for each input
    #[arg(long, value_name = "NAMES", requires = "code", value_delimiter = ',')]
    coordinates: Option<Vec<String>>,
    /// recover the layout of this relation; needs --shape or --strides
    #[arg(long, value_name = "RELATION", conflicts_with_all = ["relation", "what"], requires = "given")]
    from: Option<String>,
    /// shape of the layout
    #[arg(long, value_name = "SHAPE", group = "given", requires = "from", conflicts_with = "relation")]
    shape: Option<String>,
    /// strides of the layout; of several shapes, the first in lexicographic order
    #[arg(long, value_name = "STRIDES", group = "given", requires = "from", conflicts_with = "relation")]
    strides: Option<String>,
    /// print the answer of the operation `relation_of`, `relation_compose`, `relation_inverse`, `index_code` or `layout_from_relation`
    /// as JSON; with --promotes true or false
    #[arg(long)]
    json: bool,
}

fn read(kind: Kind, text: &str) -> Result<Argument, Failure> {
    kind.read_notation(text).map_err(|refusal| Failure::usage(refusal, text))
}

fn mapping(text: &str) -> Result<Mapping, Failure> {
    match read(Kind::Relation, text)? {
        Argument::Relation(mapping) => Ok(mapping),
        // No kind reads another.
        _ => Err(Failure::Unreadable { code: "parse".into(), message: "no relation".into(), help: vec![] }),
    }
}

fn listed(mapping: &Mapping) -> Result<Relation, Failure> {
    Ok(mapping.listed().map_err(Refusal::from)?)
}

/// Prints what is asked for.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if let Some(text) = &args.from {
        return recover(args, text, out);
    }
    let mapping = mapping(args.relation.as_deref().unwrap_or_default())?;
    if let Some(language) = &args.code {
        let Argument::Language(language) = read(Kind::Language, language)? else { return Ok(ExitCode::from(2)) };
        let names = args.coordinates.as_ref().map(|names| names.iter().map(|name| name.trim()).collect::<Vec<&str>>());
        let found = match names {
            Some(names) => code_of_coordinates(&mapping, &names)?,
            None => code(&mapping)?,
        };
        let Some(code) = found else {
            return Err(Failure::refused(
                Code::NoLayout,
                "no layout has this relation, and index code is made of layouts",
                ["give a relation of the indices 0, 1, … to the offsets of a layout, the first of them 0".to_owned()],
            ));
        };
        if args.json {
            return json::result(index_code(&code, language), out);
        }
        writeln!(out, "{}", code.function(language, "offset"))?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.json {
        return print(args, mapping, out);
    }
    if let Some(inner) = &args.compose {
        let (outer, inner) = (listed(&mapping)?, listed(&self::mapping(inner)?)?);
        let promotes = outer.promotes(&inner);
        show(&outer.after(&inner).map_err(Refusal::from)?, out)?;
        if promotes {
            writeln!(
                out,
                "promotes: some of the inner relation's images are no inputs of the outer one, and have no pair"
            )?;
        }
    } else if args.inverse {
        show(&listed(&mapping)?.inverse(), out)?;
    } else if let Some(inner) = &args.promotes {
        let (outer, inner) = (listed(&mapping)?, listed(&self::mapping(inner)?)?);
        let outside = inner.pairs().iter().find(|(_, y)| outer.domain().binary_search(&y).is_err());
        let Some((x, y)) = outside else {
            writeln!(out, "no: every image of the inner relation is an input of the outer one")?;
            return Ok(ExitCode::from(1));
        };
        writeln!(
            out,
            "yes: the inner relation takes {} to {}, which is no input of the outer one",
            tuple(x),
            tuple(y)
        )?;
    } else {
        describe(&mapping, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The answer of the operation that does what is asked for.
fn print(args: &Args, mapping: Mapping, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let inner = args.compose.as_ref().or(args.promotes.as_ref()).map(|inner| self::mapping(inner)).transpose()?;
    let name = match inner {
        Some(_) => "relation_compose",
        None if args.inverse => "relation_inverse",
        None => "relation_of",
    };
    let call = json::called(name, std::iter::once(mapping).chain(inner).map(Argument::Relation).collect())?;
    if args.promotes.is_none() {
        return json::answer(&call, true, out);
    }
    let Output::Named(fields) = call.run()?.result else { return Ok(ExitCode::from(2)) };
    let promotes = fields.into_iter().find(|(name, _)| *name == "promotes");
    json::result(promotes.map_or(Output::None, |(_, promotes)| promotes), out)
}

fn tuple(tuple: &[i128]) -> String {
    format!("[{}]", tuple.iter().map(i128::to_string).collect::<Vec<_>>().join(","))
}

fn code(mapping: &Mapping) -> Result<Option<IndexCode>, Failure> {
    let code = match mapping {
        Mapping::Layout(layout) => IndexCode::of_swizzled(layout),
        Mapping::Linear(layout) => IndexCode::of_linear(layout),
        Mapping::Pairs(relation) => {
            let Some(layout) = layout_of(relation)? else { return Ok(None) };
            IndexCode::of_layout(&layout)
        }
        _ => return Ok(None),
    };
    Ok(Some(code.map_err(Refusal::from)?))
}

/// The code with one variable for each mode, or for each input of a linear layout.
fn code_of_coordinates(mapping: &Mapping, names: &[&str]) -> Result<Option<IndexCode>, Failure> {
    let code = match mapping {
        Mapping::Layout(layout) => IndexCode::of_coordinates(layout, names),
        Mapping::Linear(layout) => IndexCode::of_linear_dimensions(layout, names),
        Mapping::Pairs(relation) => {
            let Some(layout) = layout_of(relation)? else { return Ok(None) };
            IndexCode::of_coordinates(&layout.into(), names)
        }
        _ => return Ok(None),
    };
    // All that it refuses of a layout that can be read are names.
    code.map(Some).map_err(|error| Failure::usage(error, &names.join(",")))
}

/// The layout of which these are the offsets at the indices 0, 1 and so on.
fn layout_of(relation: &Relation) -> Result<Option<Layout>, Failure> {
    let offset = |(index, (x, y)): (i128, &(Vec<i128>, Vec<i128>))| match y.as_slice() {
        [offset] if *x == [index] => u64::try_from(*offset).ok(),
        _ => None,
    };
    let offsets: Option<Vec<u64>> = (0..).zip(relation.pairs()).map(offset).collect();
    Ok(offsets.map(|offsets| Layout::find_layout(&offsets)).transpose().map_err(Refusal::from)?.flatten())
}

/// The relation and the code.
fn describe(mapping: &Mapping, out: &mut impl Write) -> Result<(), Failure> {
    match listed(mapping) {
        Ok(relation) => {
            writeln!(out, "isl: {}", formula(mapping, &relation).unwrap_or_else(|| relation.isl()))?;
            facts(&relation, out)?;
        }
        Err(failure) => {
            let Mapping::Layout(layout) = mapping else { return Err(failure) };
            let offset = QuasiAffine::of_swizzled(layout).map_err(Refusal::from)?;
            writeln!(out, "isl: {}", offset.mapping(layout.size()))?;
            writeln!(out, "pairs: {}, more than are listed", layout.size())?;
        }
    }
    if let Mapping::Pairs(relation) = mapping {
        let Some(layout) = layout_of(relation)? else { return Ok(()) };
        writeln!(out, "layout: {layout}")?;
    }
    let Some(code) = code(mapping)? else { return Ok(()) };
    let index = if matches!(mapping, Mapping::Linear(_)) { "a packed input" } else { "an index" };
    let (own, plain) = (code.operations(), code.plain_operations());
    writeln!(out, "code of {index} c: {own} operators, {plain} in the plain formula")?;
    let expressions = code.expression(Language::C).zip(code.expression(Language::Python));
    match expressions {
        Some((c, python)) if c == python => writeln!(out, "  {c}")?,
        Some((c, python)) => writeln!(out, "  C and CUDA: {c}\n  Python: {python}")?,
        None => {
            for language in Language::ALL {
                writeln!(out, "{}", code.function(language, "offset"))?;
            }
        }
    }
    Ok(())
}

/// A layout's offset as one formula, if that has each of these pairs.
fn formula(mapping: &Mapping, relation: &Relation) -> Option<String> {
    let Mapping::Layout(layout) = mapping else { return None };
    let offset = QuasiAffine::of_swizzled(layout).ok()?;
    let same =
        |(index, (_, image)): (u64, &(Vec<i128>, Vec<i128>))| offset.at(&[index]).is_ok_and(|value| *image == [value]);
    (0..).zip(relation.pairs()).all(same).then(|| offset.mapping(layout.size()))
}

fn show(relation: &Relation, out: &mut impl Write) -> Result<(), Failure> {
    writeln!(out, "isl: {}", relation.isl())?;
    facts(relation, out)
}

fn facts(relation: &Relation, out: &mut impl Write) -> Result<(), Failure> {
    let kind = match (relation.is_functional(), relation.is_injective()) {
        (true, true) => "a function that takes no value twice",
        (true, false) => "a function that takes a value twice",
        (false, _) => "no function: an input has two images",
    };
    writeln!(out, "pairs: {}, {kind}", relation.pairs().len())?;
    if let Ok(gaps) = relation.gaps() {
        let first: Vec<String> = gaps.iter().take(8).map(i128::to_string).collect();
        let more = if gaps.len() > 8 { ", …" } else { "" };
        match gaps.len() {
            0 => writeln!(out, "gaps: none")?,
            count => writeln!(out, "gaps: {count}: {}{more}", first.join(", "))?,
        }
    }
    Ok(())
}

/// The layout that has a relation.
fn recover(args: &Args, text: &str, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let given = match (&args.shape, &args.strides) {
        (Some(shape), _) => match read(Kind::Shape, shape)? {
            Argument::Shape(shape) => ShapeOrStride::Shape(shape),
            _ => return Ok(ExitCode::from(2)),
        },
        (None, Some(strides)) => match read(Kind::Numbers, strides)? {
            Argument::Numbers(strides) => ShapeOrStride::Stride(strides),
            _ => return Ok(ExitCode::from(2)),
        },
        // One of both is required.
        (None, None) => return Ok(ExitCode::from(2)),
    };
    let arguments = vec![Argument::Relation(mapping(text)?), Argument::ShapeOrStride(given)];
    json::answer(&json::called("layout_from_relation", arguments)?, args.json, out)
}
