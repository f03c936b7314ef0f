//! Files that the user names for output.

use razorgirl_view::failure::Failure;
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A destination that is open before the work begins, so that a mistake shows at once and not after an hour.
///
/// A regular file, or one that does not exist yet, appears whole or not at all: the text is written beside it and then takes
/// its name, with the permissions of the file that it replaces, or those that the umask leaves a new one. A symbolic link
/// stands for its target. Whatever is not a regular file (a FIFO, a device) stays what it is and is written through. `-` is
/// standard output.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    destination: Destination,
}

#[derive(Debug)]
enum Destination {
    Standard,
    Through(File),
    /// a file beside its place
    Whole(NamedTempFile, PathBuf),
}

/// Whether a path stands for standard output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl Output {
    /// Opens the destination.
    ///
    /// # Errors
    /// Those of the file system, with the path.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let destination = if is_standard(path) {
            Destination::Standard
        } else {
            destination(path).map_err(|error| at(path, &error))?
        };
        Ok(Self { path: path.to_path_buf(), destination })
    }

    /// The path that was given; nothing for standard output.
    pub fn place(&self) -> Option<PathBuf> {
        (!matches!(self.destination, Destination::Standard)).then(|| self.path.clone())
    }

    /// Writes all of the text. `standard` is what the command itself prints to.
    ///
    /// # Errors
    /// Those of the file system, with the path.
    pub fn write(self, text: &str, standard: &mut impl Write) -> Result<(), Failure> {
        let Self { path, destination } = self;
        let written = match destination {
            Destination::Standard => return Ok(standard.write_all(text.as_bytes())?),
            Destination::Through(mut file) => file.write_all(text.as_bytes()).and_then(|()| file.flush()),
            Destination::Whole(mut file, place) => file
                .write_all(text.as_bytes())
                .and_then(|()| file.persist(place).map(|_| ()).map_err(|error| error.error)),
        };
        written.map_err(|error| at(&path, &error))
    }
}

fn destination(path: &Path) -> Result<Destination, Error> {
    let missing = |error: &Error| error.kind() == ErrorKind::NotFound;
    match path.metadata() {
        Ok(found) if found.is_file() => {
            // A file that may not be written must not be replaced either, though its folder would allow that.
            let through = OpenOptions::new().write(true).open(path)?;
            let place = path.canonicalize()?;
            match beside(&place) {
                Ok(file) => {
                    file.as_file().set_permissions(found.permissions())?;
                    Ok(Destination::Whole(file, place))
                }
                // Nor is it refused where only its folder may not be written.
                Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                    through.set_len(0)?;
                    Ok(Destination::Through(through))
                }
                Err(error) => Err(error),
            }
        }
        Ok(_) => Ok(Destination::Through(OpenOptions::new().write(true).open(path)?)),
        // A link to a file that is yet to be made.
        Err(error) if missing(&error) && path.is_symlink() => Ok(Destination::Through(File::create(path)?)),
        Err(error) if missing(&error) => Ok(Destination::Whole(beside(path)?, path.to_path_buf())),
        Err(error) => Err(error),
    }
}

/// A file under another name in the same folder.
fn beside(path: &Path) -> Result<NamedTempFile, Error> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn at(path: &Path, error: &Error) -> Failure {
    Failure::Io(Error::new(error.kind(), format!("{}: {error}", path.display())))
}

/// Writes a picture to where it belongs, and says where that is unless it is standard output.
pub fn save_picture(picture: &str, to: Output, out: &mut impl Write) -> Result<(), Failure> {
    let place = to.place();
    to.write(picture, out)?;
    if let Some(place) = place {
        writeln!(out, "\ndrawn into {}", place.display())?;
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    fn save(path: &Path, text: &str) -> Result<(), Failure> {
        Output::open(path)?.write(text, &mut Vec::new())
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn new_files_have_the_permissions_of_any_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        fs::write(&plain, "x").unwrap();
        save(&ours, "x").unwrap();
        assert_eq!(mode(&ours), mode(&plain));
    }

    #[test]
    fn files_keep_their_permissions_and_appear_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let output = Output::open(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        output.write("new", &mut Vec::new()).unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), mode(&path)), ("new", 0o640));
        drop(Output::open(&path).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn links_stay_links() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link, dangling) = ("file", "link", "dangling");
        let at = |name: &str| folder.path().join(name);
        fs::write(at(file), "a longer text than the new one").unwrap();
        symlink(at(file), at(link)).unwrap();
        symlink(at("made"), at(dangling)).unwrap();
        save(&at(link), "new").unwrap();
        save(&at(dangling), "too").unwrap();
        assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(at(file)).unwrap(), "new");
        assert_eq!(fs::read_to_string(at("made")).unwrap(), "too");
    }

    #[test]
    fn fifos_and_devices_are_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let reader = std::thread::spawn({
            let fifo = fifo.clone();
            move || fs::read_to_string(fifo).unwrap()
        });
        save(&fifo, "through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(fs::symlink_metadata(&fifo).unwrap().file_type().is_fifo());
        save(Path::new("/dev/null"), "nothing").unwrap();
        assert!(fs::symlink_metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    #[test]
    fn a_dash_is_standard_output() {
        let mut standard = Vec::new();
        Output::open(Path::new("-")).unwrap().write("here", &mut standard).unwrap();
        assert_eq!(standard, b"here");
    }

    #[test]
    fn mistakes_name_the_path_and_show_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let error = Output::open(&folder.path().join("no/such")).unwrap_err().to_string();
        assert!(error.contains("no/such"), "{error}");
        assert!(Output::open(folder.path()).is_err(), "a folder is no file");
    }
}
