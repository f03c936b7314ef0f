//! `--fix`: a diff first, and files are written only when someone says yes. All of them or none, as far as a file system allows:
//! every new text is on the disk before the first takes a file's name, and when one cannot, those before it get their old texts back.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, IsTerminal, Read, Write};
use std::path::Path;

use razorgirl_audit::Report;
use razorgirl_audit::fix::{Change, Plan, plan};
use similar::TextDiff;
use tempfile::NamedTempFile;

use razorgirl_view::failure::Failure;

/// Shows the fixes of a report and makes them, if that is wanted. Whether files were written.
pub fn run(report: &Report, yes: bool, out: &mut impl Write) -> Result<bool, Failure> {
    let plan = plan(report);
    for change in &plan.changes {
        let name = change.path.display().to_string();
        let diff = TextDiff::from_lines(&change.before, &change.after);
        write!(out, "{}", diff.unified_diff().header(&name, &name))?;
    }
    writeln!(out, "{}", words(&plan))?;
    if plan.changes.is_empty() {
        return Ok(false);
    }
    out.flush()?;
    if !yes && !confirmed(plan.changes.len())? {
        writeln!(out, "nothing is written; --fix --yes writes\n")?;
        return Ok(false);
    }
    replace(&plan.changes, &|new, path| new.persist(path).map(drop).map_err(|error| error.error))?;
    for change in &plan.changes {
        writeln!(out, "written: {}", change.path.display())?;
    }
    writeln!(out)?;
    Ok(true)
}

fn words(plan: &Plan) -> String {
    let mut words = format!("{} checked fixes in {} files", plan.fixes, plan.changes.len());
    for (count, what) in [
        (plan.overlapping, "that change the same text, for the next run"),
        (plan.unfixed, "findings without a fix that a tool may make"),
    ] {
        if count > 0 {
            words = format!("{words}; {count} {what}");
        }
    }
    words
}

fn confirmed(files: usize) -> Result<bool, Failure> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Ok(false);
    }
    eprint!("write {files} files? [y/N] ");
    let mut line = String::new();
    std::io::stdin().lines().next().transpose()?.into_iter().for_each(|answer| line = answer);
    Ok(matches!(line.trim(), "y" | "yes"))
}

/// The file is what was audited: a regular one, no link, byte for byte the text.
fn unchanged(change: &Change) -> Result<(), Failure> {
    let path = &change.path;
    let kind = fs::symlink_metadata(path).map_err(|error| at(path, &error))?;
    if !kind.is_file() {
        return Err(refused(path, "it is a link or no regular file", "fix the file that it stands for"));
    }
    if !has_content(path, &change.before).map_err(|error| at(path, &error))? {
        return Err(refused(
            path,
            "it changed since it was read, or it is not UTF-8",
            "run it again; save other encodings as UTF-8",
        ));
    }
    Ok(())
}

/// Whether a file is a text, byte for byte.
fn has_content(path: &Path, text: &str) -> std::io::Result<bool> {
    let mut bytes = Vec::new();
    File::open(path)?.take(text.len() as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes == text.as_bytes())
}

/// Gives a file another one's name.
type Rename<'r> = &'r dyn Fn(NamedTempFile, &Path) -> std::io::Result<()>;

/// A change that is on the disk, under other names.
struct Staged<'c> {
    change: &'c Change,
    new: NamedTempFile,
    /// What takes its place if another file cannot be replaced: that must not need the disk's last byte.
    old: NamedTempFile,
}

/// Makes all changes, or none.
fn replace(changes: &[Change], rename: Rename<'_>) -> Result<(), Failure> {
    // All are looked at before one is written.
    for change in changes {
        unchanged(change)?;
    }
    let staged: Vec<Staged<'_>> = changes.iter().map(stage).collect::<Result<_, _>>()?;
    let mut done: Vec<(&Change, NamedTempFile)> = Vec::new();
    for Staged { change, new, old } in staged {
        // Once more, as late as can be.
        let replaced = unchanged(change).and_then(|()| rename(new, &change.path).map_err(|e| at(&change.path, &e)));
        match replaced {
            Ok(()) => done.push((change, old)),
            Err(failure) => return Err(undone(done, failure, rename)),
        }
    }
    Ok(())
}

/// The texts of a change beside its file, with the permissions of that.
fn stage(change: &Change) -> Result<Staged<'_>, Failure> {
    let path = &change.path;
    let io = |error: Error| at(path, &error);
    // A file that may not be written must not be replaced either.
    let permissions =
        fs::OpenOptions::new().write(true).open(path).and_then(|file| file.metadata()).map_err(io)?.permissions();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = |text: &str| {
        let mut beside = NamedTempFile::new_in(folder)?;
        beside.write_all(text.as_bytes())?;
        beside.as_file().set_permissions(permissions.clone())?;
        beside.as_file().sync_all()?;
        Ok(beside)
    };
    Ok(Staged { change, new: beside(&change.after).map_err(io)?, old: beside(&change.before).map_err(io)? })
}

/// Gives files that were replaced their old texts back, the last first, and says what came of it.
fn undone(done: Vec<(&Change, NamedTempFile)>, why: Failure, rename: Rename<'_>) -> Failure {
    let (message, mut help) = match why {
        Failure::Unreadable { message, help, .. } => (message, help),
        Failure::Io(error) => (error.to_string(), Vec::new()),
        other => return other,
    };
    let (mut restored, mut left) = (0, Vec::new());
    for (change, old) in done.into_iter().rev() {
        // Whoever changed it meanwhile keeps the change.
        let ours = has_content(&change.path, &change.after).unwrap_or(false);
        if ours && rename(old, &change.path).is_ok() {
            restored += 1;
        } else {
            left.push(change.path.display().to_string());
        }
    }
    help.push(match restored {
        0 if left.is_empty() => "no file was written before it".to_owned(),
        _ => format!("{restored} files that were written before it have their old texts again"),
    });
    if !left.is_empty() {
        help.push(format!("these keep their fixes, since they could not be restored: {}", left.join(", ")));
    }
    Failure::Unreadable { code: "not_written".into(), message, help }
}

fn refused(path: &Path, why: &str, help: &str) -> Failure {
    Failure::Unreadable {
        code: "not_written".into(),
        message: format!("{}: {why}; it is not written", path.display()),
        help: vec![help.into()],
    }
}

fn at(path: &Path, error: &Error) -> Failure {
    let kind = if error.kind() == ErrorKind::BrokenPipe { ErrorKind::Other } else { error.kind() };
    Failure::Io(Error::new(kind, format!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Files `0`, `1`, … that each say their name and shall say more.
    fn files(count: usize) -> (tempfile::TempDir, Vec<Change>) {
        let root = tempfile::tempdir().unwrap();
        let changes = (0..count).map(|file| {
            let (path, before) = (root.path().join(file.to_string()), file.to_string());
            fs::write(&path, &before).unwrap();
            Change { path, file, after: format!("{before} fixed"), before }
        });
        let changes = changes.collect();
        (root, changes)
    }

    fn texts(root: &Path) -> Vec<String> {
        let mut paths: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
    }

    /// What becomes of four files when some renames fail, by their number.
    fn failing(fails: &[usize]) -> (Vec<String>, Option<String>) {
        let (root, changes) = files(4);
        let count = Cell::new(0);
        let outcome = replace(&changes, &|new, path| {
            count.set(count.get() + 1);
            if fails.contains(&(count.get() - 1)) {
                Err(Error::other("no"))
            } else {
                Ok(new.persist(path).map(drop)?)
            }
        });
        (texts(root.path()), outcome.err().map(|failure| failure.to_string()))
    }

    #[test]
    fn all_files_are_written_or_none() {
        let (fixed, none) = (["0 fixed", "1 fixed", "2 fixed", "3 fixed"], ["0", "1", "2", "3"]);
        assert_eq!(failing(&[]), (fixed.map(str::to_owned).to_vec(), None));
        for fails in 0..4 {
            let (texts, said) = failing(&[fails]);
            assert_eq!(texts, none, "{fails}, and nothing is left beside them");
            let said = said.unwrap();
            assert!(said.contains(&format!("{fails}: no")), "{said}");
            assert_eq!(said.contains(&format!("{fails} files that were written before it")), fails > 0, "{said}");
            assert!(!said.contains("keep their fixes"), "{said}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_restored_is_named() {
        // 3 fails, 2 cannot be restored, the others can.
        let (texts, said) = failing(&[3, 4]);
        assert_eq!(texts, ["0", "1", "2 fixed", "3"]);
        let said = said.unwrap();
        assert!(said.contains("2 files that were written before it have their old texts again"), "{said}");
        let left = said.split("could not be restored: ").nth(1).unwrap();
        assert!(left.trim_end().ends_with("/2") && !left.contains(", "), "{said}");
    }

    #[test]
    fn what_someone_else_wrote_meanwhile_stays() {
        // The last file changes after the first was replaced, and then the first does too.
        let (root, changes) = files(3);
        let outcome = replace(&changes, &|new, path| {
            new.persist(path)?;
            fs::write(&changes[0].path, "theirs")?;
            fs::write(&changes[2].path, "theirs")
        });
        assert_eq!(texts(root.path()), ["theirs", "1", "theirs"]);
        let said = outcome.unwrap_err().to_string();
        assert!(said.contains("it changed since it was read") && said.contains("keep their fixes"), "{said}");
    }

    #[test]
    fn nothing_is_written_where_one_text_cannot_be() {
        let (root, mut changes) = files(2);
        changes[1].path = root.path().join("gone/2");
        assert!(replace(&changes, &|_, _| panic!("nothing is renamed")).is_err());
        assert_eq!(texts(root.path()), ["0", "1"]);
    }
}
