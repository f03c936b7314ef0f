//! `razorgirl tma`: whether a tensor map fits the hardware, and whether its copies are correct.

use crate::input;
use razorgirl_view::failure::Failure;
use razorgirl_view::tma::{Question, address, list};
use serde_json::Value;
use std::io::Write;
use std::process::ExitCode;

/// `razorgirl tma`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Lists are innermost first. Sizes are in elements. Strides are in bytes, one for each dimension except the \
                        innermost. MAP is a JSON object with the same names: {\"dims\":[64,16],\"box\":[64,8],\
                        \"element_strides\":[1,3],\"strides\":[128],\"dtype\":\"f16\",\"swizzle\":\"128B\"}."
)]
pub struct Args {
    /// the tensor map as JSON, or a file with it; '-' reads standard input
    #[arg(value_name = "MAP", id = "file")]
    file: Option<String>,
    /// size of the tensor in each dimension
    #[arg(
        long,
        value_name = "LIST",
        conflicts_with = "file",
        required_unless_present = "file",
        allow_hyphen_values = true
    )]
    dims: Option<String>,
    /// size of the box in each dimension
    #[arg(
        long = "box",
        value_name = "LIST",
        conflicts_with = "file",
        required_unless_present = "file",
        allow_hyphen_values = true
    )]
    boxes: Option<String>,
    /// element stride in each dimension: every n-th element of the box is copied [default: 1]
    #[arg(long, value_name = "LIST", conflicts_with = "file", allow_hyphen_values = true)]
    element_strides: Option<String>,
    /// stride in bytes of each dimension from 1 on [default: packed]
    #[arg(long, value_name = "LIST", conflicts_with = "file", allow_hyphen_values = true)]
    strides: Option<String>,
    /// type of an element: f16, bf16, e4m3, f32, i8, …, or its name in CUDA, CUTLASS or Triton; 8-bit floats are copied as u8
    #[arg(long, conflicts_with = "file", default_value = "f32")]
    dtype: String,
    /// none, 32B, 64B or 128B
    #[arg(long, conflicts_with = "file", default_value = "none")]
    swizzle: String,
    /// none, 16B or 32B
    #[arg(long, conflicts_with = "file", default_value = "none")]
    interleave: String,
    /// value of elements outside the tensor: zero or nan
    #[arg(long, conflicts_with = "file", default_value = "zero")]
    fill: String,
    /// address of the tensor, such as 0x7f0000000010
    #[arg(long, conflicts_with = "file")]
    address: Option<String>,
    /// layout of shared memory with the tile as mode 0: '((64,8),4):((1,64),512)', or swizzled: 'Sw<3,3,3> o 0 o ((64,8),4):((1,64),512)'
    #[arg(long, value_name = "LAYOUT", conflicts_with = "file")]
    smem: Option<String>,
    /// accept weak correctness: holes of a tile are not filled with zeros
    #[arg(long)]
    weak: bool,
    /// text or json
    #[arg(long, default_value = "text", value_parser = ["text", "json"])]
    format: String,
}

/// Reads the tensor map and reports.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let map = match &args.file {
        Some(word) => file(word)?,
        None => flags(args)?,
    };
    let question = Question::read(&map)?;
    let report = question.report(args.weak);
    if args.format == "json" {
        writeln!(out, "{}", report.object())?;
    } else {
        report.write(out)?;
    }
    Ok(if report.fails() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// A tensor map as JSON.
fn file(word: &str) -> Result<Value, Failure> {
    input::json(
        &input::text_or_file(word, &['{', '['])?,
        "a JSON object: {\"dims\":[64,16],\"box\":[64,8],\"dtype\":\"f16\"}",
    )
}

/// The flags as the object that a file would hold.
fn flags(args: &Args) -> Result<Value, Failure> {
    let mut object = serde_json::Map::new();
    for (name, given) in [
        ("dims", &args.dims),
        ("box", &args.boxes),
        ("element_strides", &args.element_strides),
        ("strides", &args.strides),
    ] {
        if let Some(text) = given {
            object.insert(name.into(), list(name, text)?);
        }
    }
    for (name, text) in
        [("dtype", &args.dtype), ("swizzle", &args.swizzle), ("interleave", &args.interleave), ("fill", &args.fill)]
    {
        object.insert(name.into(), Value::from(text.as_str()));
    }
    if let Some(text) = &args.address {
        object.insert("address".into(), address(text)?);
    }
    if let Some(text) = &args.smem {
        object.insert("smem".into(), Value::from(text.as_str()));
    }
    Ok(Value::Object(object))
}
