//! RG014: bytes where bits are meant.

use super::defect::Defect;

/// A copy whose alignment is written as `sizeof(T)`.
pub fn in_bytes(text: &str) -> Defect {
    let bytes = text.split_once('<').and_then(|(_, rest)| rest.trim_end().strip_suffix('>')).unwrap_or(text).trim();
    let notes = vec![
        format!("{bytes} is in bytes, but the template parameter is in bits: the copy moves an eighth of that at once"),
        format!("in bits: {bytes} * 8"),
    ];
    let title = format!("{bytes} is passed as an alignment in bits");
    Defect { title, layout: String::new(), notes, ..Defect::default() }
}
