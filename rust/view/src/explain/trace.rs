//! The lines of a derivation: numbered steps, and what holds at each.

use std::fmt::Write as _;

/// What has been found out so far.
#[derive(Debug, Default)]
pub struct Trace {
    lines: Vec<Line>,
    numbers: Vec<usize>,
}

#[derive(Debug)]
enum Line {
    Step { level: usize, text: String },
    Fact { level: usize, value: String, note: String },
}

impl Trace {
    /// Begins a step.
    pub fn step(&mut self, what: &str) {
        if self.numbers.is_empty() {
            self.numbers.push(0);
        }
        if let Some(last) = self.numbers.last_mut() {
            *last += 1;
        }
        let number: Vec<String> = self.numbers.iter().map(usize::to_string).collect();
        let text = format!("{} {what}", number.join("."));
        self.lines.push(Line::Step { level: self.numbers.len() - 1, text });
    }

    /// Something that holds at this step.
    pub fn fact(&mut self, value: impl Into<String>, note: impl Into<String>) {
        let level = self.numbers.len();
        self.lines.push(Line::Fact { level, value: value.into(), note: note.into() });
    }

    /// Steps of this step.
    pub fn within<T>(&mut self, steps: impl FnOnce(&mut Self) -> T) -> T {
        self.numbers.push(0);
        let result = steps(self);
        self.numbers.pop();
        result
    }

    /// All lines, notes under one another.
    pub fn render(&self) -> String {
        let mut text = String::new();
        let mut width = 0;
        for (i, line) in self.lines.iter().enumerate() {
            match line {
                Line::Step { level, text: step } => {
                    let gap = if *level == 0 { "\n" } else { "" };
                    let _ = writeln!(text, "{gap}{:indent$}{step}", "", indent = 2 * level);
                }
                Line::Fact { level, value, note } => {
                    if i == 0 || matches!(self.lines[i - 1], Line::Step { .. }) {
                        width = self.block(i);
                    }
                    let pad = width.saturating_sub(value.chars().count());
                    let line = format!("{:indent$}{value}{:pad$}   {note}", "", "", indent = 2 * level + 2);
                    let _ = writeln!(text, "{}", line.trim_end());
                }
            }
        }
        text
    }

    /// The width of the values from here to the next step; very long ones do not count.
    fn block(&self, from: usize) -> usize {
        let values = self.lines[from..].iter().map_while(|line| match line {
            Line::Fact { value, .. } => Some(value.chars().count()),
            Line::Step { .. } => None,
        });
        values.filter(|&width| width <= 56).max().unwrap_or(0)
    }
}
