//! `razorgirl.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::mistake::{self, Mistake};
use super::{nearest, nearest_rule};
use crate::finding::{Code, Severity};
use crate::source::Selection;

/// The name under which the configuration is looked for.
pub const FILE_NAME: &str = "razorgirl.toml";

/// A larger file is none that a person wrote.
const MAX_BYTES: u64 = 1 << 20;

/// Folders that are looked through upward, at most.
const MAX_FOLDERS: usize = 256;

/// What becomes of the findings of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Level {
    /// They are not listed.
    Off,
    /// They are as bad as this.
    At(Severity),
}

/// The words for a level.
const LEVELS: [(&str, Level); 4] = [
    ("off", Level::Off),
    ("note", Level::At(Severity::Note)),
    ("warning", Level::At(Severity::Warning)),
    ("error", Level::At(Severity::Error)),
];

/// The keys of the file.
const KEYS: [&str; 4] = ["paths", "vendored", "include", "rules"];

/// What `razorgirl.toml` says; paths in it are relative to its folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// What is audited when the command names nothing.
    pub paths: Vec<PathBuf>,
    /// Folders that are left out, and folders read for names only.
    pub selection: Selection,
    /// Rules that are off or have another severity.
    pub rules: BTreeMap<Code, Level>,
}

impl Config {
    /// The configuration for a path: the nearest one upward, not beyond the folder that holds `.git`.
    ///
    /// # Errors
    /// A path whose place is not known.
    pub fn find(path: &Path) -> Result<Option<PathBuf>, Mistake> {
        // A path that is not there is said to be so by whoever reads it; its folder may still have a configuration.
        let place = path.canonicalize().or_else(|_| std::path::absolute(path));
        let place = place.map_err(|error| Mistake::of("io", path, error.to_string(), "name a path that is there"))?;
        for folder in place.ancestors().take(MAX_FOLDERS) {
            let file = folder.join(FILE_NAME);
            if file.is_file() {
                return Ok(Some(file));
            }
            if folder.join(".git").exists() {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong in it, with its place.
    pub fn read(path: &Path) -> Result<Self, Mistake> {
        let config = Self::parse(path, &mistake::read(path, MAX_BYTES)?)?;
        let folders = config.selection.vendored.iter().chain(&config.selection.include);
        for folder in folders.chain(&config.paths) {
            if !folder.exists() {
                let reason = format!("it names {}, which is not there", folder.display());
                return Err(Mistake::of("io", path, reason, "paths are relative to the folder of the file"));
            }
        }
        Ok(config)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// What is wrong in it, with its place.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Mistake> {
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            Mistake::of("parse", path, error.message(), "write TOML: `include = [\"third_party\"]`").at(text, at)
        })?;
        let file = File { path, text, folder: path.parent().unwrap_or(Path::new("")) };
        let mut config = Self::default();
        for (key, value) in table.get_ref() {
            match key.get_ref().as_ref() {
                "paths" => config.paths = file.paths(value)?,
                "vendored" => config.selection.vendored = file.paths(value)?,
                "include" => config.selection.include = file.paths(value)?,
                "rules" => config.rules = file.rules(value)?,
                unknown => {
                    let fix = match nearest(unknown, KEYS.into_iter()) {
                        Some(known) => format!("write `{known}`"),
                        None => format!("the keys are {}", KEYS.join(", ")),
                    };
                    return Err(file.mistake("unknown_key", key.span(), format!("there is no key `{unknown}`"), fix));
                }
            }
        }
        Ok(config)
    }
}

struct File<'f> {
    path: &'f Path,
    text: &'f str,
    folder: &'f Path,
}

impl File<'_> {
    fn mistake(&self, code: &'static str, at: std::ops::Range<usize>, reason: String, fix: String) -> Mistake {
        Mistake::of(code, self.path, reason, fix).at(self.text, at.start)
    }

    fn wrong_type(&self, value: &Spanned<DeValue<'_>>, wanted: &str, example: &str) -> Mistake {
        let reason = format!("here is {} where {wanted} is needed", value.get_ref().type_str());
        self.mistake("wrong_type", value.span(), reason, format!("write `{example}`"))
    }

    fn paths(&self, value: &Spanned<DeValue<'_>>) -> Result<Vec<PathBuf>, Mistake> {
        let wrong = |value: &Spanned<DeValue<'_>>| self.wrong_type(value, "a list of paths", "[\"include\", \"src\"]");
        let list = value.get_ref().as_array().ok_or_else(|| wrong(value))?;
        let path = |one: &Spanned<DeValue<'_>>| {
            let text = one.get_ref().as_str().ok_or_else(|| wrong(one))?;
            // The folder of a file that is named without one is the one that the program runs in.
            let here = if self.folder.as_os_str().is_empty() { Path::new(".") } else { self.folder };
            Ok(if text == "." { here.to_path_buf() } else { self.folder.join(text) })
        };
        list.iter().map(path).collect()
    }

    fn rules(&self, value: &Spanned<DeValue<'_>>) -> Result<BTreeMap<Code, Level>, Mistake> {
        let table = value
            .get_ref()
            .as_table()
            .ok_or_else(|| self.wrong_type(value, "a table of rules", "[rules]\nRG002 = \"note\""))?;
        let mut rules = BTreeMap::new();
        for (key, value) in table {
            let word = key.get_ref().as_ref();
            let code = Code::of(word).ok_or_else(|| {
                let fix = match nearest_rule(word) {
                    Some(known) => format!("write `{known}`"),
                    None => "`razorgirl audit --explain all` lists the rules".to_owned(),
                };
                self.mistake("unknown_rule", key.span(), format!("there is no rule `{word}`"), fix)
            })?;
            let level = value.get_ref().as_str().ok_or_else(|| self.wrong_type(value, "a severity", "\"warning\""))?;
            let known = LEVELS.into_iter().find(|(name, _)| *name == level).ok_or_else(|| {
                let fix = match nearest(level, LEVELS.into_iter().map(|(name, _)| name)) {
                    Some(known) => format!("write `\"{known}\"`"),
                    None => "write off, note, warning or error".to_owned(),
                };
                self.mistake("wrong_value", value.span(), format!("there is no severity `{level}`"), fix)
            })?;
            if rules.insert(code, known.1).is_some() {
                let reason = format!("{} is named twice, by id and by name", code.id());
                return Err(self.mistake("wrong_value", key.span(), reason, "name it once".to_owned()));
            }
        }
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, Mistake> {
        Config::parse(Path::new("p/razorgirl.toml"), text)
    }

    #[test]
    fn everything_is_read() {
        let text = "paths = ['src', '.']\nvendored = ['v']\ninclude = ['/i']\n[rules]\nRG002 = 'off'\nmma-thread-count = 'note'";
        let config = parse(text).unwrap();
        assert_eq!(config.paths, [PathBuf::from("p/src"), PathBuf::from("p")]);
        assert_eq!(config.selection.vendored, [PathBuf::from("p/v")]);
        assert_eq!(config.selection.include, [PathBuf::from("/i")]);
        let rules: Vec<_> = config.rules.into_iter().collect();
        assert_eq!(rules, [(Code::Overlap, Level::Off), (Code::Threads, Level::At(Severity::Note))]);
        assert_eq!(parse("").unwrap(), Config::default());
        let bare = Config::parse(Path::new("razorgirl.toml"), "paths = ['src', '.']").unwrap();
        assert_eq!(bare.paths, [PathBuf::from("src"), PathBuf::from(".")]);
    }

    #[test]
    fn mistakes_have_place_and_nearest_name() {
        for (text, code, at, fix) in [
            ("paths = []\nvendord = []", "unknown_key", (2, 1), "write `vendored`"),
            ("zzzzzzzzzzzz = 1", "unknown_key", (1, 1), "the keys are paths, vendored, include, rules"),
            ("[rules]\nRG02 = 'off'", "unknown_rule", (2, 1), "write `RG002`"),
            ("[rules]\nRG002 = 'warn'", "wrong_value", (2, 9), "write `\"warning\"`"),
            ("[rules]\nRG002 = 1", "wrong_type", (2, 9), "write `\"warning\"`"),
            ("paths = 'src'", "wrong_type", (1, 9), "write `[\"include\", \"src\"]`"),
            ("paths = ['src', 3]", "wrong_type", (1, 17), "write `[\"include\", \"src\"]`"),
            ("rules = 3", "wrong_type", (1, 9), "write `[rules]\nRG002 = \"note\"`"),
            ("[rules]\nRG002 = 'off'\noverlapping-layout = 'off'", "wrong_value", (3, 1), "name it once"),
        ] {
            let mistake = parse(text).unwrap_err();
            assert_eq!((mistake.code, mistake.at, mistake.fix.as_str()), (code, Some(at), fix), "{text}");
        }
        assert_eq!(parse("paths = [\n'a'\nx").unwrap_err().code, "parse");
    }
}
