//! What is shown while something takes long: bars on a terminal, plain lines elsewhere, all on standard error.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Where progress goes.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Terminal,
    Lines,
    Silent,
}

impl Progress {
    /// Bars on a terminal, lines elsewhere.
    pub fn to_stderr() -> Self {
        Self { kind: if stderr().is_terminal() { Kind::Terminal } else { Kind::Lines } }
    }

    /// Nothing at all.
    pub fn silent() -> Self {
        Self { kind: Kind::Silent }
    }

    /// A line that stays.
    pub fn line(self, text: &str) {
        if !matches!(self.kind, Kind::Silent) {
            eprintln!("{text}");
        }
    }

    /// Begins something of known size (`unit` bytes or files), or of unknown size (`total` 0).
    pub fn begin(self, what: &str, total: u64, unit: Unit) -> Task {
        let bar = match self.kind {
            Kind::Terminal => {
                let bar = if total == 0 { ProgressBar::new_spinner() } else { ProgressBar::new(total) };
                let template = match (total, unit) {
                    (0, _) => "{spinner} {msg} ({elapsed})",
                    (_, Unit::Bytes) => "{msg} {wide_bar} {bytes}/{total_bytes}",
                    (_, Unit::Items) => "{wide_bar} {pos}/{len} {msg}",
                };
                bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
                bar.set_message(what.to_string());
                bar.enable_steady_tick(Duration::from_millis(120));
                Some(bar)
            }
            Kind::Lines => {
                eprintln!("{what}");
                None
            }
            Kind::Silent => None,
        };
        Task { bar, lines: matches!(self.kind, Kind::Lines) }
    }
}

/// What a bar counts.
#[derive(Debug, Clone, Copy)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Anything else.
    Items,
}

/// Something under way; its bar goes when this is dropped.
#[derive(Debug)]
pub struct Task {
    bar: Option<ProgressBar>,
    lines: bool,
}

impl Task {
    /// So much more is done.
    pub fn advance(&self, by: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(by);
        }
    }

    /// One item is done: moves the bar, or prints a line.
    pub fn done(&self, text: &str) {
        match &self.bar {
            Some(bar) => {
                bar.set_message(text.to_string());
                bar.inc(1);
            }
            None if self.lines => eprintln!("{text}"),
            None => {}
        }
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
