//! Which files an `#include` means: by its path, the nearest of several.

use std::collections::BTreeSet;
use std::path::Path;

use foldhash::{HashMap, HashMapExt as _};
use memchr::memmem;
use rayon::prelude::*;

use super::Source;

/// What is kept of what includes mean.
const MAX_KNOWN: usize = 1 << 16;

/// Includes of one file.
const MAX_INCLUDES: usize = 256;

/// What a compiler brings with it. A project's own file of such a name, a stub for machines without CUDA, is meant only beside it.
const TOOLKIT: [&str; 12] = [
    "cuda.h",
    "cuda_bf16.h",
    "cuda_fp16.h",
    "cuda_fp4.h",
    "cuda_fp8.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "driver_types.h",
    "math_constants.h",
    "nvrtc.h",
    "vector_functions.h",
    "vector_types.h",
];

/// Files by what an `#include` may call them.
pub(crate) struct Headers<'s> {
    by_name: HashMap<&'s [u8], Vec<(usize, &'s [u8])>>,
}

/// What the includes of the files of a folder mean, by how they are written.
pub(crate) type Known<'s> = HashMap<(&'s [u8], &'s str), Box<[usize]>>;

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

impl<'s> Headers<'s> {
    /// Those that are written in C++.
    pub(crate) fn of(sources: &'s [Source]) -> Self {
        let mut by_name: HashMap<&[u8], Vec<(usize, &[u8])>> = HashMap::new();
        for (index, source) in sources.iter().enumerate().filter(|(_, source)| !source.python) {
            let name = source.path.file_name().unwrap_or_default().as_encoded_bytes();
            by_name.entry(name).or_default().push((index, bytes(&source.path)));
        }
        Self { by_name }
    }

    /// The files that one of them includes.
    pub(crate) fn included_by(&self, from: &'s Source, known: &mut Known<'s>) -> BTreeSet<usize> {
        let Some(folder) = from.path.parent() else { return BTreeSet::new() };
        let mut found = BTreeSet::new();
        for said in from.aside.iter().flatten().map(|said| &**said).chain(written(&from.text).take(MAX_INCLUDES)) {
            if known.len() >= MAX_KNOWN {
                known.clear();
            }
            found.extend(&**known.entry((bytes(folder), said)).or_insert_with(|| self.meant(folder, said).into()));
        }
        found
    }

    /// What an `#include` of a file in a folder means: of several files the one beside it, or those that lie nearest.
    fn meant(&self, folder: &Path, said: &str) -> Vec<usize> {
        let path = without_dots(said).as_bytes();
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let all = self.by_name.get(name).into_iter().flatten().filter(|(_, of)| {
            let before = of.strip_suffix(path);
            before.is_some_and(|before| before.is_empty() || before.ends_with(b"/"))
        });
        let all: Vec<(usize, &[u8])> = all.copied().collect();
        // `../common/x.h` is in the folder around, and otherwise looked for by what comes after the dots.
        let up = said.matches("../").count();
        let beside = folder.ancestors().nth(up).map(|folder| folder.join(without_dots(said)));
        if let Some((one, _)) = all.iter().find(|(_, of)| beside.as_deref().is_some_and(|beside| *of == bytes(beside)))
        {
            return vec![*one];
        }
        if TOOLKIT.contains(&said) {
            return Vec::new();
        }
        // As far as the paths are the same, in whole folders.
        let near = |of: &[u8]| {
            let same = of.iter().zip(bytes(folder).iter().chain(b"/")).take_while(|(a, b)| a == b).count();
            of.get(..same).and_then(|same| same.iter().rposition(|byte| *byte == b'/')).map_or(0, |at| at + 1)
        };
        let most = all.iter().map(|(_, of)| near(of)).max();
        all.into_iter().filter(|(_, of)| Some(near(of)) == most).map(|(index, _)| index).collect()
    }
}

/// What each file includes.
pub(crate) fn direct(sources: &[Source]) -> Vec<Box<[usize]>> {
    let headers = Headers::of(sources);
    let each = sources.par_iter().map_init(Known::new, |known, source| {
        if source.python { Box::default() } else { headers.included_by(source, known).into_iter().collect() }
    });
    each.collect()
}

/// The paths that a text includes, as they are written, for one that is set aside.
pub(super) fn named(text: &str) -> Box<[Box<str>]> {
    written(text).take(MAX_INCLUDES).map(Box::from).collect()
}

/// The paths that a text includes, without the dots that some begin with.
pub(crate) fn includes(text: &str) -> impl Iterator<Item = &str> {
    written(text).map(without_dots).filter(|path| !path.is_empty())
}

fn without_dots(path: &str) -> &str {
    path.trim_start_matches("./").trim_start_matches("../")
}

/// The paths that a text includes, as they are written.
fn written(text: &str) -> impl Iterator<Item = &str> {
    memmem::find_iter(text.as_bytes(), "include").filter_map(move |at| {
        let before = text.get(..at)?.trim_end_matches([' ', '\t']).ends_with('#');
        let line = text.get(at + "include".len()..)?.split('\n').next()?.trim_start();
        let path = line.strip_prefix(['"', '<'])?.split(['"', '>']).next()?;
        (before && !path.is_empty()).then_some(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stub_of_the_toolkit_is_meant_only_beside_it() {
        let of = |path: &str, text: &str| Source::new(path, text.as_bytes().to_vec());
        let sources = [
            of("a/stubs/cuda.h", ""),
            of("a/stubs/cuda.cc", "#include \"cuda.h\"\n"),
            of("a/kernel.cu", "#include <cuda.h>\n#include \"common.h\"\n"),
            of("b/common.h", "#include \"./stubs/cuda.h\"\n"),
        ];
        let direct = direct(&sources);
        let all: Vec<&[usize]> = direct.iter().map(|all| &**all).collect();
        assert_eq!(all, [&[][..], &[0], &[3], &[0]]);
    }
}
