//! `razorgirl linear`: linear layouts, from CuTe's notation and back.

use crate::json;
use razorgirl::linear_layout::{columns_of_layout, swizzled_of_columns};
use razorgirl::{LinearLayout, Swizzle, SwizzledLayout};
use razorgirl_protocol::{Argument, Code, Output, Refusal};
use razorgirl_view::failure::Failure;
use std::io::Write;
use std::process::ExitCode;

/// Compute with Triton's linear layouts, and convert them from and to CuTe's layouts
///
/// A linear layout is JSON: {"in":[["lane",[[1,0],[0,1]]]],"out":[["row",2],["column",2]]}. A layout in CuTe's notation maps `index`
/// to `offset`: '(4,2):(2,1)' or 'Sw<2,0,2> o 0 o (4,4):(4,1)'. Its extents and strides must be powers of two whose bits do not carry.
/// The command prints the bases, the equal CuTe layout if there is one, and the JSON.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// the linear layout as JSON, or a layout in CuTe's notation
    layout: String,
    /// compose: apply this layout to the output of LAYOUT
    #[arg(long, value_name = "LAYOUT", group = "what")]
    compose: Option<String>,
    /// print the inverse
    #[arg(long, group = "what")]
    invert: bool,
    /// left division: C such that the layout is BY * C, with BY in the low bits
    #[arg(long, value_name = "BY", group = "what")]
    divide_left: Option<String>,
    /// right division: C such that the layout is C * BY, with BY in the high bits
    #[arg(long, value_name = "BY", group = "what")]
    divide_right: Option<String>,
    /// print the JSON alone
    #[arg(long)]
    json: bool,
}

/// A layout, with these names for the two sides of one in CuTe's notation.
fn read(text: &str, input: &str, output: &str) -> Result<LinearLayout, Failure> {
    if text.trim_start().starts_with('{') {
        let call = json::call("linear_predicates", &[text])?;
        // the operation takes one linear layout
        if let [Argument::Linear(layout)] = call.arguments() {
            return Ok(layout.clone());
        }
    }
    let layout: SwizzledLayout = text.parse().map_err(|error| Failure::usage(error, text))?;
    let refused = |error: razorgirl::Error| Failure::from(Refusal::from(error));
    if layout.offset() != 0 {
        return Err(Failure::refused(
            Code::OutOfDomain,
            format!("the offset is {}, and a linear layout takes 0 to 0", layout.offset()),
            ["give the layout with offset 0, and add the offset outside".to_owned()],
        ));
    }
    // the swizzle is linear too
    let columns = columns_of_layout(layout.layout()).map_err(refused)?;
    let columns: Vec<u64> =
        columns.into_iter().map(|column| layout.swizzle().apply(column)).collect::<Result<_, _>>().map_err(refused)?;
    let bits = 64 - columns.iter().fold(0, |all, column| all | column).leading_zeros();
    let rows = columns.iter().map(|column| vec![*column]).collect();
    let Some(size) = 1_u64.checked_shl(bits) else {
        return Err(Failure::refused(
            Code::TooLarge,
            "the offsets have 64 bits, and a linear layout has at most 63 a side",
            ["use offsets below 2^63".to_owned()],
        ));
    };
    LinearLayout::new(&[(input.to_owned(), rows)], vec![(output.to_owned(), size)]).map_err(refused)
}

/// The bases, a line each.
fn bases(layout: &LinearLayout, out: &mut impl Write) -> std::io::Result<()> {
    let outs: Vec<(&str, u32)> = layout.outs().iter().collect();
    let sizes: Vec<String> = outs.iter().map(|(name, bits)| format!("{name} {}", 1_u64 << bits)).collect();
    for (name, rows) in layout.bases() {
        writeln!(out, "{name} {} -> {}", 1_u64 << rows.len(), sizes.join(", "))?;
        for (bit, row) in rows.iter().enumerate() {
            let image: Vec<String> = row.iter().map(ToString::to_string).collect();
            writeln!(out, "  {:>8} -> {}", 1_u64 << bit, image.join(", "))?;
        }
    }
    Ok(())
}

fn show(layout: &LinearLayout, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    let written = Output::from(layout.clone());
    if json {
        writeln!(out, "{written}")?;
        return Ok(());
    }
    bases(layout, out)?;
    // packed, the first dimension lowest
    match swizzled_of_columns(layout.columns()) {
        Some(found) if found.swizzle() == Swizzle::new(0, 0, 0) => writeln!(out, "CuTe: {}", found.layout())?,
        Some(found) => writeln!(out, "CuTe: {found}")?,
        None => writeln!(out, "CuTe: none, it is no layout, and no Swizzle<B,M,S> after a layout")?,
    }
    writeln!(out, "JSON: {written}")?;
    Ok(())
}

/// Prints what is asked for.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let layout = read(&args.layout, "index", "offset")?;
    let (name, other) = match args {
        Args { compose: Some(outer), .. } => {
            // what follows one in CuTe's notation begins where that ends
            let middle = layout.outs().names().next().unwrap_or("index").to_owned();
            ("linear_compose", Some(read(outer, &middle, "offset")?))
        }
        Args { divide_left: Some(by), .. } => ("linear_divide_left", Some(read(by, "index", "offset")?)),
        Args { divide_right: Some(by), .. } => ("linear_divide_right", Some(read(by, "index", "offset")?)),
        Args { invert: true, .. } => ("linear_invert", None),
        _ => {
            show(&layout, args.json, out)?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    let operands = std::iter::once(layout).chain(other).map(Argument::Linear).collect();
    let call = json::called(name, operands)?;
    match call.run()?.result {
        Output::Linear(found) => {
            show(&found, args.json, out)?;
            Ok(ExitCode::SUCCESS)
        }
        _ => json::answer(&call, args.json, out),
    }
}
