//! `--fix`: a diff first, and files are written only when someone says yes.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, IsTerminal, Read, Write};
use std::path::Path;

use razorgirl_audit::Report;
use razorgirl_audit::fix::{Change, Plan, plan};
use similar::TextDiff;

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
    if !yes && !asked(plan.changes.len())? {
        writeln!(out, "nothing is written; --fix --yes writes\n")?;
        return Ok(false);
    }
    // All are looked at before one is written.
    for change in &plan.changes {
        unchanged(change)?;
    }
    for change in &plan.changes {
        write(change)?;
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

fn asked(files: usize) -> Result<bool, Failure> {
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
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| at(path, &error))?;
    file.take(change.before.len() as u64 + 1).read_to_end(&mut bytes).map_err(|error| at(path, &error))?;
    if bytes != change.before.as_bytes() {
        return Err(refused(
            path,
            "it changed since it was read, or it is not UTF-8",
            "run it again; save other encodings as UTF-8",
        ));
    }
    Ok(())
}

/// The new text takes the file's name at once, with its permissions.
fn write(change: &Change) -> Result<(), Failure> {
    let path = &change.path;
    let io = |error: Error| at(path, &error);
    // A file that may not be written must not be replaced either.
    let permissions =
        fs::OpenOptions::new().write(true).open(path).and_then(|file| file.metadata()).map_err(io)?.permissions();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut beside = tempfile::NamedTempFile::new_in(folder).map_err(io)?;
    beside.write_all(change.after.as_bytes()).map_err(io)?;
    beside.as_file().set_permissions(permissions).map_err(io)?;
    beside.as_file().sync_all().map_err(io)?;
    // Once more, as late as can be.
    unchanged(change)?;
    beside.persist(path).map_err(|error| io(error.error))?;
    Ok(())
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
