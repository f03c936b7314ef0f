//! Which configuration holds, and what is audited.

use std::path::{Path, PathBuf};

use razorgirl_audit::policy::{Config, FILE_NAME, Mistake};

use razorgirl_view::failure::Failure;

/// A mistake in a configuration as a failure.
pub fn unreadable(mistake: Mistake) -> Failure {
    let message = mistake.to_string();
    Failure::Unreadable { code: mistake.code.into(), message, help: vec![mistake.fix] }
}

/// Paths, and what the configuration says of them.
#[derive(Debug)]
pub struct Settings {
    /// What is audited.
    pub paths: Vec<PathBuf>,
    /// What `razorgirl.toml` says; nothing where there is none.
    pub config: Config,
}

impl Settings {
    /// The settings for the paths of a command.
    pub fn of(paths: &[PathBuf], named: Option<&Path>, none: bool) -> Result<Self, Failure> {
        let file = match (none, named) {
            (true, _) => None,
            (false, Some(path)) => Some(path.to_path_buf()),
            (false, None) => found(paths)?,
        };
        let config = file.as_deref().map(Config::read).transpose().map_err(unreadable)?.unwrap_or_default();
        let paths = if paths.is_empty() { config.paths.clone() } else { paths.to_vec() };
        if paths.is_empty() {
            return Err(Failure::Unreadable {
                code: "parse".into(),
                message: format!("no path is given, and no {FILE_NAME} names `paths`"),
                help: vec!["write razorgirl audit PATH".into()],
            });
        }
        Ok(Self { paths, config })
    }
}

/// The one configuration of all paths: two would say different things of one run.
fn found(paths: &[PathBuf]) -> Result<Option<PathBuf>, Failure> {
    let here = [PathBuf::from(".")];
    let from = if paths.is_empty() { &here } else { paths };
    let mut found: Option<(&PathBuf, Option<PathBuf>)> = None;
    for path in from {
        let file = Config::find(path).map_err(unreadable)?;
        match &found {
            Some((first, other)) if *other != file => {
                let name =
                    |file: &Option<PathBuf>| file.as_ref().map_or("none".into(), |file| file.display().to_string());
                return Err(Failure::Unreadable {
                    code: "parse".into(),
                    message: format!(
                        "the paths have different configurations: {} for {}, {} for {}",
                        name(other),
                        first.display(),
                        name(&file),
                        path.display()
                    ),
                    help: vec!["audit them one by one, or write --config FILE or --no-config".into()],
                });
            }
            Some(_) => {}
            None => found = Some((path, file)),
        }
    }
    Ok(found.and_then(|(_, file)| file))
}
