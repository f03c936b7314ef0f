//! The brackets of a nested tuple, leaf by leaf.

use razorgirl::IntTuple;

/// What opens before each leaf and closes after it, and the leaves that each bracket holds.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    /// before and after each leaf, such as `((` and `)`; an empty tuple stands whole before the next leaf
    pub around: Vec<(String, String)>,
    /// depth from 0, first leaf and last leaf of each bracket that holds any
    pub spans: Vec<(usize, usize, usize)>,
    /// of empty tuples behind the last leaf
    pub rest: String,
}

impl Brackets {
    pub fn of(tuple: &IntTuple) -> Self {
        let mut brackets = Self::default();
        brackets.walk(tuple, 0);
        brackets
    }

    /// The deepest bracket.
    pub fn depth(&self) -> usize {
        self.spans.iter().map(|(depth, ..)| depth + 1).max().unwrap_or(0)
    }

    // Recursion: no deeper than a tuple, which has at most 64 levels.
    fn walk(&mut self, tuple: &IntTuple, depth: usize) {
        if tuple.is_leaf() {
            self.around.push((std::mem::take(&mut self.rest), String::new()));
            return;
        }
        let first = self.around.len();
        self.rest.push('(');
        for mode in tuple.modes() {
            self.walk(&mode, depth + 1);
        }
        let end = self.around.len();
        match self.around.last_mut().filter(|_| end > first && self.rest.is_empty()) {
            Some((_, after)) => after.push(')'),
            None => self.rest.push(')'),
        }
        if end > first {
            self.spans.push((depth, first, end - 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_stand_where_they_are_written() {
        for text in ["((2,2),5)", "6", "()", "((),(4))", "(3,(),())", "((1,(2,3)),((4)),5)"] {
            let tuple: IntTuple = text.parse().unwrap();
            let brackets = Brackets::of(&tuple);
            let leaves: Vec<String> = (brackets.around.iter().zip(tuple.leaves()))
                .map(|((before, after), leaf)| format!("{before}{leaf}{after}"))
                .collect();
            // commas aside, for empty tuples have none of their own here
            let written = format!("{}{}", leaves.concat(), brackets.rest);
            assert_eq!(written, text.replace(',', ""), "{brackets:?}");
        }
        let nested = Brackets::of(&"((2,2),5)".parse().unwrap());
        assert_eq!((nested.spans, nested.rest.as_str()), (vec![(1, 0, 1), (0, 0, 2)], ""));
    }
}
