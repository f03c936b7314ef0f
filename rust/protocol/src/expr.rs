//! Index expressions and the ranges of their variables: JSON in and out.

use razorgirl::int::expr::{Expr, Range};
use serde_json::{Value, json};

use crate::code::{Code, Refusal};
use crate::schedule::{integer, natural};

/// How deep the lists of an expression may be nested.
const MAX_NESTED: usize = 32;

/// Reads `7`, `["x",0]`, `["+",a,b,…]`, `["*",a,b,…]`, `["/",a,b]`, `["%",a,b]`, or a string in the text form.
pub(crate) fn expr_from_json(json: &Value) -> Result<Expr, Refusal> {
    match json {
        Value::String(text) => Ok(text.parse()?),
        json => read(json, MAX_NESTED),
    }
}

fn wrong(message: &str) -> Refusal {
    Refusal::new(Code::Parse, message)
        .with_help(r#"write 7, ["x",0], ["+",a,b], ["*",a,b], ["/",a,b] or ["%",a,b], or a string such as "x0 % 4""#)
}

// Recursion: no deeper than MAX_NESTED.
fn read(json: &Value, deeper: usize) -> Result<Expr, Refusal> {
    let Value::Array(list) = json else { return Ok(Expr::Const(integer(json, "a literal")?.into())) };
    let Some(deeper) = deeper.checked_sub(1) else {
        return Err(Refusal::new(Code::TooLarge, format!("an expression is nested more than {MAX_NESTED} deep")));
    };
    let (operator, operands) = match list.split_first() {
        Some((Value::String(operator), operands)) => (operator.as_str(), operands),
        _ => return Err(wrong("a list must begin with an operator")),
    };
    if let ("x", [number]) = (operator, operands) {
        let number = natural(number, "the number of a variable", Code::OutOfDomain)?;
        let large = |_| Refusal::new(Code::Overflow, "the number of a variable is 2^32 or more");
        return Ok(Expr::Var(u32::try_from(number).map_err(large)?));
    }
    let make = match (operator, operands.len()) {
        ("+", 2..) => Expr::sum,
        ("*", 2..) => Expr::product,
        ("/", 2) => Expr::quotient,
        ("%", 2) => Expr::remainder,
        _ => return Err(wrong("the operator is unknown, or has a different number of operands")),
    };
    let mut operands = operands.iter().map(|operand| read(operand, deeper));
    let first = operands.next().unwrap_or_else(|| Err(wrong("an operator must have operands")))?;
    operands.try_fold(first, |made, operand| Ok(make(made, operand?)?))
}

/// As it is read; sums and products that lean to the left are one list.
// Recursion: no deeper than an expression has nodes.
pub(crate) fn expr_to_json(expr: &Expr) -> Value {
    let (operator, pair) = match expr {
        Expr::Var(x) => return json!(["x", x]),
        Expr::Add(pair) => ("+", pair),
        Expr::Mul(pair) => ("*", pair),
        Expr::Div(pair) => ("/", pair),
        Expr::Mod(pair) => ("%", pair),
        Expr::Const(n) => return json!(n),
    };
    let (left, right) = (expr_to_json(pair.left()), expr_to_json(pair.right()));
    match (pair.left(), left) {
        (Expr::Add(_), Value::Array(mut list)) if operator == "+" => {
            list.push(right);
            list.into()
        }
        (Expr::Mul(_), Value::Array(mut list)) if operator == "*" => {
            list.push(right);
            list.into()
        }
        (_, left) => json!([operator, left, right]),
    }
}

/// Reads `[[0,127],[0,null],null]`: both ends are included, and `null` is no bound.
pub(crate) fn ranges_from_json(json: &Value) -> Result<Vec<Range>, Refusal> {
    let wrong =
        || Refusal::new(Code::Parse, "the ranges must be a list of pairs").with_help("write [[0,127],[0,null],null]");
    let bound = |json: &Value| match json {
        Value::Null => Ok(None),
        json => integer(json, "a bound").map(|n| Some(i128::from(n))),
    };
    let Value::Array(ranges) = json else { return Err(wrong()) };
    let range = |json: &Value| match json {
        Value::Null => Ok(Range::ALL),
        Value::Array(ends) => match ends.as_slice() {
            [lo, hi] => ordered(bound(lo)?, bound(hi)?),
            _ => Err(wrong()),
        },
        _ => Err(wrong()),
    };
    ranges.iter().map(range).collect()
}

fn ordered(lo: Option<i128>, hi: Option<i128>) -> Result<Range, Refusal> {
    if let (Some(lo), Some(hi)) = (lo, hi)
        && lo > hi
    {
        return Err(Refusal::new(Code::OutOfDomain, format!("the range from {lo} to {hi} is empty"))
            .with_help("put the smaller end first"));
    }
    Ok(Range { lo, hi })
}

pub(crate) fn ranges_to_json(ranges: &[Range]) -> Value {
    let range = |range: &Range| if *range == Range::ALL { Value::Null } else { json!([range.lo, range.hi]) };
    ranges.iter().map(range).collect()
}

/// Reads `(0..127,0..,_)`, with or without the brackets.
pub(crate) fn ranges_from_notation(text: &str) -> Result<Vec<Range>, Refusal> {
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text).trim();
    if inside.is_empty() {
        return Ok(vec![]);
    }
    let end = |text: &str| match text.trim() {
        "" => Ok(None),
        text => text.parse::<i64>().map(|n| Some(n.into())).map_err(|_| {
            let shown: String = text.chars().take(40).collect();
            Refusal::new(Code::Parse, format!("expected an integer of 64 bits, met `{shown}`"))
                .with_help("write (0..127,0..,_)")
        }),
    };
    let parts = inside.split(',').map(str::trim);
    parts
        .map(|part| match part.split_once("..") {
            // left out, those behind it would be other variables' ranges
            _ if part.is_empty() => {
                Err(Refusal::new(Code::Parse, "a range is missing between two commas")
                    .with_help("write _ for no bound"))
            }
            _ if part == "_" => Ok(Range::ALL),
            Some((lo, hi)) => ordered(end(lo)?, end(hi)?),
            None => end(part).map(|n| Range { lo: n, hi: n }),
        })
        .collect()
}

pub(crate) fn ranges_to_notation(ranges: &[Range]) -> String {
    let end = |end: Option<i128>| end.map_or_else(String::new, |n| n.to_string());
    let range = |range: &Range| match range {
        range if *range == Range::ALL => "_".to_owned(),
        range => format!("{}..{}", end(range.lo), end(range.hi)),
    };
    let ranges: Vec<String> = ranges.iter().map(range).collect();
    format!("({})", ranges.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_as_they_are_written() {
        for (json, text) in [
            (json!(-7), "-7"),
            (json!(["x", 3]), "x3"),
            (json!(["+", ["x", 0], ["*", ["x", 1], 4, ["x", 2]], 1]), "x0 + x1 * 4 * x2 + 1"),
            (json!(["+", 1, ["+", 2, 3]]), "1 + (2 + 3)"),
            (json!(["%", ["/", ["x", 0], 4], ["*", 2, ["*", 3, 4]]]), "x0 / 4 % (2 * (3 * 4))"),
        ] {
            let expr = expr_from_json(&json).unwrap();
            assert_eq!(expr.to_string(), text);
            assert_eq!(expr_to_json(&expr), json);
            assert_eq!(expr_from_json(&text.into()), Ok(expr));
        }
        let deep = |depth| (0..depth).fold(json!(1), |inside, _| json!(["+", inside, 1]));
        assert!(expr_from_json(&deep(MAX_NESTED)).is_ok());
        for (json, code) in [
            (deep(MAX_NESTED + 1), Code::TooLarge),
            (json!([]), Code::Parse),
            (json!(["x"]), Code::Parse),
            (json!(["x", -1]), Code::OutOfDomain),
            (json!(["x", 1_u64 << 32]), Code::Overflow),
            (json!(["+", 1]), Code::Parse),
            (json!(["/", 1, 2, 3]), Code::Parse),
            (json!(["-", 1, 2]), Code::Parse),
            (json!({}), Code::Parse),
            (json!("x0 +"), Code::Parse),
            (json!(1_u64 << 63), Code::Overflow),
        ] {
            assert_eq!(expr_from_json(&json).map_err(|refusal| refusal.code), Err(code), "{json}");
        }
    }

    #[test]
    fn ranges_are_read_as_they_are_written() {
        let json = json!([[0, 127], [0, null], null, [-3, 5], [null, 2], [4, 4]]);
        let ranges = ranges_from_json(&json).unwrap();
        let text = ranges_to_notation(&ranges);
        assert_eq!(text, "(0..127,0..,_,-3..5,..2,4..4)");
        assert_eq!(ranges_from_notation(&text), Ok(ranges.clone()));
        assert_eq!(ranges_from_notation("0..127, 0.., _, -3..5, ..2, 4"), Ok(ranges.clone()));
        assert_eq!(ranges_to_json(&ranges), json);
        for empty in ["()", "( )", "", " "] {
            assert_eq!(ranges_from_notation(empty), Ok(vec![]));
        }
        for missing in ["(,0..3)", "(0..3,,_)", "(0..3,)", ",", "0..3, ,_"] {
            let refusal = ranges_from_notation(missing).unwrap_err();
            assert_eq!(refusal.code, Code::Parse, "{missing}");
            assert_eq!(refusal.help, ["write _ for no bound"], "{missing}");
        }
        for (json, code) in [
            (json!(3), Code::Parse),
            (json!([[0]]), Code::Parse),
            (json!([3]), Code::Parse),
            (json!([["0", 1]]), Code::Parse),
            (json!([[1, 0]]), Code::OutOfDomain),
            (json!([[0, 1_u64 << 63]]), Code::Overflow),
        ] {
            assert_eq!(ranges_from_json(&json).map_err(|refusal| refusal.code), Err(code), "{json}");
        }
        for text in ["0..x", "y", "0...3", "3..1"] {
            assert!(ranges_from_notation(text).is_err(), "{text}");
        }
    }
}
