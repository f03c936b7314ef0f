//! Every test of this folder in one program: what they have in common is compiled and linked once, not sixty times.

mod architecture;
mod array_sizes;
mod behind_demands;
mod class_sizes;
mod common;
mod copies_of_mma;
mod dynamic_memory;
mod either_way;
mod fixtures;
mod fragments;
mod functions;
mod given_kernels;
mod gluon_allocated;
mod gluon_forms;
mod gluon_more;
mod guards;
mod handed_on;
mod hidden_names;
mod hostile;
mod instances;
mod kernel_guards;
mod kernels;
mod launch_forms;
mod launch_shared;
mod launches;
mod lent;
mod listings;
mod lists;
mod measures;
mod member_values;
mod methods;
mod more_cpp;
mod mutants;
mod named_by;
mod own_names;
mod pages;
mod pipeline;
mod pipelined;
mod plain_cuda;
mod programs;
mod python;
mod python_algebra;
mod python_chosen;
mod python_flow;
mod python_forms;
mod python_guards;
mod python_memory;
mod python_past;
mod python_refused;
mod python_rounds;
mod python_silence;
mod python_star;
mod python_values;
mod recall;
mod reports;
mod resolution;
mod shared_memory;
mod sides;
mod stated;
mod static_shared;
mod styles;
mod swizzle_base;
mod templates;
mod tensors;
mod tiled_copies;
mod tma;
mod unlaunched;
mod ways_through;
mod whole_trees;

/// A file that is not named above is compiled by nobody.
#[test]
fn every_file_is_here() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let modules: Vec<&str> =
        include_str!("all.rs").lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
    for entry in root.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if path.extension().is_some_and(|extension| extension == "rs") && name != "all" {
            assert!(modules.contains(&name), "tests/{name}.rs is run by nothing: add `mod {name};` to tests/all.rs");
        }
    }
}
