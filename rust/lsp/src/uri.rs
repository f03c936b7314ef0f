//! File URIs and paths.

use std::path::{Component, Path, PathBuf, Prefix};

/// The path of a file URI; nothing for another scheme, another machine, or what is no URI.
pub fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.get(..7).filter(|scheme| scheme.eq_ignore_ascii_case("file://")).and_then(|_| uri.get(7..))?;
    let (host, path) = rest.split_at(rest.find('/')?);
    let here = host.is_empty() || host.eq_ignore_ascii_case("localhost");
    // What clients leave unescaped by mistake is taken as it is, but for what begins a query or a fragment.
    let path = path.split(['?', '#']).next().filter(|_| here)?;
    local(unescaped(path)?)
}

#[cfg(unix)]
fn local(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    (!bytes.contains(&0)).then(|| std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn local(bytes: Vec<u8>) -> Option<PathBuf> {
    let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))?;
    // `/c:/x` is `c:/x`.
    let drive = text.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if drive { text.trim_start_matches('/') } else { &text }))
}

fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = text.bytes();
    let mut plain = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            let (high, low) = (digit(bytes.next())?, digit(bytes.next())?);
            plain.push(high << 4 | low);
        } else {
            plain.push(byte);
        }
    }
    Some(plain)
}

/// The URI of an absolute path.
pub fn of(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for component in path.components() {
        match component {
            Component::Normal(name) => {
                uri.push('/');
                escape(name.as_encoded_bytes(), &mut uri);
            }
            Component::Prefix(prefix) => match prefix.kind() {
                Prefix::Disk(drive) | Prefix::VerbatimDisk(drive) => {
                    uri.push('/');
                    uri.push(char::from(drive));
                    uri.push_str("%3A");
                }
                _ => {
                    uri.push('/');
                    escape(prefix.as_os_str().as_encoded_bytes(), &mut uri);
                }
            },
            Component::ParentDir => uri.push_str("/.."),
            Component::RootDir | Component::CurDir => {}
        }
    }
    if path.parent().is_none() {
        uri.push('/');
    }
    uri
}

fn escape(name: &[u8], uri: &mut String) {
    for byte in name {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(byte) {
            uri.push(char::from(*byte));
        } else {
            uri.push('%');
            uri.extend([byte >> 4, byte & 15].map(|digit| char::from(b"0123456789ABCDEF"[usize::from(digit)])));
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn uris_of_files_have_paths() {
        for (uri, is) in [
            ("file:///a/b.hpp", Some("/a/b.hpp")),
            ("file:///a%20b/%C3%A7%2b.hpp", Some("/a b/ç+.hpp")),
            ("FILE://localhost/a b/ç.hpp", Some("/a b/ç.hpp")),
            ("file:///a%3Fb?x#y", Some("/a?b")),
            ("file://host/a", None),
            ("file:///a%2", None),
            ("file:///a%zz", None),
            ("file:///a%00", None),
            ("untitled:Untitled-1", None),
            ("file", None),
            ("çççç", None),
            ("", None),
        ] {
            assert_eq!(path(uri), is.map(PathBuf::from), "{uri}");
        }
        assert_eq!(of(Path::new("/a b/ç.hpp")), "file:///a%20b/%C3%A7.hpp");
        assert_eq!(of(Path::new("/")), "file:///");
    }

    proptest! {
        #[test]
        fn a_path_is_the_path_of_its_uri(names in prop::collection::vec("[a-z %?#+çあ.]{0,3}[a-z]", 1..4)) {
            let path_of = PathBuf::from(format!("/{}", names.join("/")));
            prop_assert_eq!(path(&of(&path_of)), Some(path_of));
        }
    }
}
