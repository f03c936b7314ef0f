//! A layout as a picture: a grid of offsets.
//!
//! Colour follows the offset from light to dark, so the order in which memory is walked shows at once; offsets that
//! several coordinates share are outlined in red.

use crate::failure::Failure;
use crate::table::sides;
use razorgirl::Layout;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// Cells that are drawn at most.
const CELLS: u64 = 1 << 14;

/// Draws the layout into a file; either the whole picture is there afterwards, or what was there before.
pub fn save(layout: &Layout, path: &Path) -> Result<(), Failure> {
    let picture = draw(layout)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(picture.as_bytes())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The picture as text.
pub fn draw(layout: &Layout) -> Result<String, Failure> {
    if layout.size() > CELLS {
        return Err(Failure::Refused {
            code: "too_large".into(),
            message: format!("{} cells are too many for a picture", layout.size()),
            help: vec![format!(
                "slice the layout to at most {CELLS} coordinates: razorgirl op slice '(_,0)' '{layout}'"
            )],
        });
    }
    let (rows, columns) = sides(layout);
    let mut hits: HashMap<u64, u32> = HashMap::new();
    for offset in layout.offsets() {
        *hits.entry(offset).or_default() += 1;
    }
    let digits = (layout.cosize() - 1).to_string().len() as u64;
    let (wide, high) = (14 + 8 * digits.max(2), 28);
    let (left, top) = (36, 56);
    let (width, height) = (left + columns * wide + 12, top + rows * high + 12);
    let mut svg = String::new();
    let mut line = |text: std::fmt::Arguments<'_>| {
        // writing to a String cannot fail
        let _ = writeln!(svg, "{text}");
    };
    line(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="ui-monospace, monospace" font-size="13">"#
    ));
    line(format_args!(r##"<rect width="100%" height="100%" fill="#ffffff"/>"##));
    line(format_args!(r##"<text x="12" y="22" font-size="15" fill="#111111">{layout}</text>"##));
    for column in 0..columns {
        line(format_args!(
            r##"<text x="{}" y="{}" text-anchor="middle" fill="#777777">{column}</text>"##,
            left + column * wide + wide / 2,
            top - 8
        ));
    }
    for row in 0..rows {
        line(format_args!(
            r##"<text x="{}" y="{}" text-anchor="end" fill="#777777">{row}</text>"##,
            left - 8,
            top + row * high + 19
        ));
    }
    for (index, offset) in (0u64..).zip(layout.offsets()) {
        let (x, y) = (left + index / rows * wide, top + index % rows * high);
        let shared = hits.get(&offset).is_some_and(|&n| n > 1);
        let lightness = 92 - 52 * u128::from(offset) / u128::from(layout.cosize());
        let ink = if lightness < 62 { "#ffffff" } else { "#111111" };
        let outline = if shared { r##"stroke="#d00000" stroke-width="2""## } else { r##"stroke="#ffffff""## };
        line(format_args!(
            r#"<rect x="{x}" y="{y}" width="{wide}" height="{high}" fill="hsl(205,70%,{lightness}%)" {outline}/>"#
        ));
        line(format_args!(
            r#"<text x="{}" y="{}" text-anchor="middle" fill="{ink}">{offset}</text>"#,
            x + wide / 2,
            y + 19
        ));
    }
    line(format_args!("</svg>"));
    Ok(svg)
}
