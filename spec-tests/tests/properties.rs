//! The README's table of proved properties, and what it says of the Rust library.

use spec_tests::Project;
use spec_tests::properties::{missing_rust_items, properties, update_readme};

#[test]
fn the_readme_lists_what_is_proved() {
    let count = update_readme(Project::repository().root(), true).expect("the table is up to date");
    assert!(count > 100, "only {count} properties");
}

#[test]
fn every_rust_item_that_a_theorem_names_exists() {
    let root = Project::repository();
    let properties = properties(root.root()).expect("the docstrings are well formed");
    let missing = missing_rust_items(root.root(), &properties).expect("the sources can be read");
    assert!(missing.is_empty(), "nowhere in rust/razorgirl: {missing:?}");
}

#[test]
fn every_property_says_where_it_comes_from() {
    let properties = properties(Project::repository().root()).expect("the docstrings are well formed");
    for property in properties {
        assert!(!property.source.is_empty(), "{} has no `Source:` line", property.theorem);
        assert!(property.english.ends_with('.'), "{}: the bold sentence is no sentence", property.theorem);
    }
}
