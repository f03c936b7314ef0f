use super::*;

fn held_by(layout: &str) -> Held {
    held(&"32:1".parse().unwrap(), &layout.parse().unwrap()).unwrap()
}

fn renamed(wanted: &str, said: &str, rows: u64, columns: u64) -> Option<(Vec<u64>, Vec<u64>)> {
    renaming(&held_by(wanted), &held_by(said), Tile { rows, columns })
}

#[test]
fn a_renaming_is_found_by_what_it_does() {
    let own = "((4,8),(2,2)):((32,1),(16,8))";
    let (rows, columns) = renamed(own, own, 16, 8).unwrap();
    assert!(rows.into_iter().eq(0..16) && columns.into_iter().eq(0..8));
    // k = p + 4·j for k = 2·p + j, and the halves of M exchanged for pairs of rows.
    let (rows, columns) = renamed(own, "((4,8),(2,2)):((16,2),(64,1))", 16, 8).unwrap();
    assert_eq!(columns, [0, 4, 1, 5, 2, 6, 3, 7]);
    assert_eq!(rows, [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15]);
}

#[test]
fn what_mixes_rows_and_columns_is_no_renaming() {
    let own = "((4,8),(2,2)):((32,1),(16,8))";
    assert_eq!(renamed(own, "((4,8),(2,2)):((32,1),(8,16))", 16, 8), None);
    // Two columns of one name.
    assert_eq!(renamed(own, "((4,8),(2,2)):((32,1),(0,8))", 16, 8), None);
    let difference = difference(&held_by(own), &held_by("((4,8),(2,2)):((32,1),(8,16))")).unwrap();
    assert_eq!((difference.lane, difference.value, difference.wanted, difference.said), (0, 1, 16, Some(8)));
    assert_eq!(difference.count, (64, 128));
}
