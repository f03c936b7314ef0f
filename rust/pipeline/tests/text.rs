//! Texts that are no pipelines, and repairs that have been explored.

use razorgirl_pipeline::{Bounds, EXAMPLE, check, fixes, parse};

#[test]
fn a_wrong_text_says_where() {
    for (from, to, place, what) in [
        ("pipe p stages 3", "pipe p stages 0", (3, 15), "from 1 to 64"),
        ("pipe p stages 3", "pipe p", (3, 7), "expected 'stages'"),
        ("barrier full[p] count 1", "barrier full[q] count 1", (4, 9), "no pipe is called 'q'"),
        ("wait full[p]", "wait ful[p]", (15, 10), "no barrier is called 'ful'"),
        ("wait full[p]", "wait full", (15, 10), "full is a ring"),
        ("wait full[p]", "wayt full[p]", (15, 5), "no operation of a role"),
        ("mma_wait 0", "mma_wait x", (17, 14), "must be a number"),
        ("tma A[p] full[p] 16384", "tma A[p] full[p]", (11, 21), "expected the bytes"),
        ("tma A[p] full[p] 16384", "tma A[p] full[p] 0", (11, 22), "from 1 to 1048575"),
        ("  loop K\n    wait full", "  loop L\n    wait full", (14, 8), "no constant and no parameter"),
        ("arrive empty[p]", "arrive empty[p] per lane", (18, 25), "expected 'warp' or 'thread'"),
        ("    next p\nrole consumer", "      next p\nrole consumer", (12, 7), "indented by 6"),
        ("buffer A[p]", "buffer A[p]\nbuffer A[p]", (7, 8), "declared twice"),
        ("role consumer *2", "role consumer *0", (13, 15), "from 1 to 64"),
        ("param K", "prm K", (2, 1), "no declaration"),
    ] {
        let text = EXAMPLE.replacen(from, to, 1);
        assert_ne!(text, EXAMPLE, "{from}");
        let error = parse(&text).expect_err(to);
        assert_eq!((error.line, error.column), place, "{to}: {error}");
        assert!(error.message.contains(what), "{to}: {error}");
    }
    assert!(parse("").is_err());
    assert!(parse(&"loop K\n".repeat(200_000)).is_err());
}

#[test]
fn every_cut_of_a_text_is_answered() {
    for end in 0..EXAMPLE.len() {
        let _ = parse(&EXAMPLE[..end]);
    }
}

#[test]
fn repairs_hold_for_every_trip_count() {
    for (from, to, repair) in [
        ("empty[p] count 2", "empty[p] count 256", "count 256 → 2"),
        ("wait empty[p] flipped", "wait empty[p]", "flipped"),
        ("arrive_expect full[p] 16384", "arrive_expect full[p] 8192", "the bytes of its loads, 16384"),
        ("    mma_wait 0\n    arrive empty[p]", "    arrive empty[p]\n    mma_wait 0", "before the arrive"),
    ] {
        let text = EXAMPLE.replacen(from, to, 1);
        let bounds = Bounds { states: 100_000, trips: 4 };
        assert!(check(&parse(&text).unwrap(), &bounds).failure.is_some(), "{to}");
        let found = fixes(&text, &bounds);
        let fix = found.iter().find(|f| f.change.contains(repair)).unwrap_or_else(|| panic!("{to}: {found:?}"));
        assert!(fix.every, "{to}");
        assert!(check(&parse(&fix.text).unwrap(), &bounds).every_trip_count(), "{to}");
    }
    assert!(check(&parse(EXAMPLE).unwrap(), &Bounds::default()).every_trip_count());
}

#[test]
fn a_bound_on_states_decides_nothing() {
    let verdict = check(&parse(EXAMPLE).unwrap(), &Bounds { states: 100, trips: 4 });
    assert!(verdict.failure.is_none() && !verdict.every_trip_count());
}
