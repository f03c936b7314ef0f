//! What a refusal suggests is answered, as it says.

use razorgirl_conform::generate::{Rng, names, request};
use razorgirl_conform::judge::judge;
use razorgirl_protocol::{Call, Mode, answer};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn asked(request: &Value) -> Value {
    serde_json::from_str(&answer(request.to_string().as_bytes())).expect("answers are JSON")
}

/// The words of a command line, as a shell reads them.
fn words(line: &str) -> Vec<String> {
    line.split('\'').enumerate().fold(vec![String::new()], |mut words, (place, part)| {
        if place % 2 == 1 {
            words.last_mut().expect("there is one").push_str(part);
            return words;
        }
        for (i, word) in part.split(' ').enumerate() {
            if i > 0 {
                words.push(String::new());
            }
            words.last_mut().expect("there is one").push_str(word);
        }
        words
    })
}

/// `RAZORGIRL_REFUSALS`, if it is set.
fn most_refusals() -> Option<u64> {
    std::env::var("RAZORGIRL_REFUSALS").ok().map(|text| text.parse().expect("a number of refusals"))
}

/// Of 20,000 refusals over all operations, or as many as `RAZORGIRL_REFUSALS` says if that is more.
#[test]
fn every_suggestion_is_answered() {
    let most = most_refusals().unwrap_or(0).max(20_000);
    let mut rng = Rng::new(0x7375_6767_6573_7400);
    let (mut refusals, mut told) = (0_u64, BTreeMap::<String, u64>::new());
    for id in 0.. {
        if refusals >= most {
            break;
        }
        let name = &names()[usize::try_from(id).unwrap_or(0) % names().len()];
        let max_size = if rng.once_in(4) { u64::MAX } else { 1 << 10 };
        let refused = request(&mut rng, id, name, max_size);
        let answered = asked(&refused);
        let Some(error) = answered.get("error") else { continue };
        refusals += 1;
        let help: Vec<&str> = error["help"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let suggestions = error["suggestions"].as_array().cloned().unwrap_or_default();
        assert!(help.len() >= suggestions.len(), "{refused}: {error}");
        let said = &help[help.len() - suggestions.len()..];
        for (suggestion, said) in suggestions.iter().zip(said) {
            assert_ne!(
                (&suggestion["op"], &suggestion["args"], suggestion.get("mode")),
                (&refused["op"], &refused["args"], refused.get("mode"))
            );
            let result = asked(suggestion);
            assert!(result.get("result").is_some(), "{refused}\nsuggests {suggestion}\nanswered {result}");
            // and rightly
            let mut judged = suggestion.clone();
            judged["id"] = json!(null);
            assert!(judge(&judged, &result, true).is_fine(), "{judged} is answered by {result}");
            // as it is typed
            let call = Call::read(&suggestion.to_string()).expect("it is read");
            let typed = words(&call.to_string());
            let mut arguments = typed[1..].to_vec();
            if call.mode() != Mode::Strict {
                arguments.truncate(arguments.len() - 2);
            }
            let printed = Call::from_notation(&typed[0], &arguments, call.mode())
                .expect("it is read")
                .run()
                .expect("it is answered");
            let short: String = printed.result.to_string().chars().take(60).collect();
            assert!(said.contains(&short), "{call} answers {printed}, and the help says: {said}");
        }
        *told.entry(name.clone()).or_default() += suggestions.len() as u64;
    }
    told.retain(|_, count| *count > 0);
    println!("{refusals} refusals, {} suggestions: {told:?}", told.values().sum::<u64>());
    for name in ["composition", "complement", "coord_composition", "logical_divide", "blocked_product"] {
        assert!(told.get(name).is_some_and(|&count| count >= 20), "{name}: {:?} suggestions", told.get(name));
    }
}

/// The operations whose refusals say what shows that they are right.
const WITNESSED: [&str; 23] = [
    "coalesce",
    "complement",
    "complement_ceil",
    "composition",
    "composition_extended",
    "filter",
    "find_layout_over",
    "blocked_product",
    "flat_divide",
    "flat_product",
    "inverse",
    "left_inverse",
    "logical_divide",
    "logical_divide_ceil",
    "logical_product",
    "quasi_left_inverse",
    "raked_product",
    "tile_to_shape",
    "tiled_divide",
    "with_shape",
    "zipped_divide",
    "zipped_divide_ceil",
    "zipped_product",
];

/// What any other operation says of a refusal is judged too. `RAZORGIRL_REFUSALS` is how many refusals of each operation are asked
/// for; 50 without it. `RAZORGIRL_OPERATION` asks one alone.
#[test]
fn every_witness_is_right() {
    let most = most_refusals().unwrap_or(50);
    let mut rng = Rng::new(0x7769_746e_6573_7300);
    let (mut refusals, mut witnesses) = (0_u64, 0_u64);
    let mut wrong = Vec::new();
    let only = std::env::var("RAZORGIRL_OPERATION").ok();
    for name in names().iter().filter(|name| only.as_ref().is_none_or(|only| only == *name)) {
        let witnessed = WITNESSED.contains(&name.as_str());
        let (mut refused, mut told) = (0_u64, 0_u64);
        for id in 0..if witnessed { most * 50 } else { most } {
            if refused == most {
                break;
            }
            let max_size = if rng.once_in(4) { u64::MAX } else { 1 << 10 };
            let request = request(&mut rng, id, name, max_size);
            let answered = asked(&request);
            let Some(error) = answered.get("error") else { continue };
            refused += 1;
            told += u64::from(error.get("witness").is_some());
            let verdict = judge(&request, &answered, true);
            if !verdict.is_fine() {
                wrong.push(format!("{request}\nis answered {answered}\n{verdict:?}"));
                break;
            }
        }
        if told > 0 {
            println!("{name}: {refused} refusals, {told} witnesses");
        }
        assert!(!witnessed || told * 10 >= most, "{name}: {told} witnesses");
        refusals += refused;
        witnesses += told;
    }
    println!("{refusals} refusals, {witnesses} witnesses");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
