//! Schedules: those that the bytes draw against the plain model, and as text there and back.

use crate::model::judged;
use razorgirl::iter_domain::Schedule;
use razorgirl_conform::generate::{Rng, names, schedules};
use razorgirl_protocol::schedule_from_json;

/// The first choice is an operation on schedules.
pub fn schedule(data: &[u8]) {
    let of_schedules: Vec<&String> = names().iter().filter(|name| name.starts_with("schedule")).collect();
    let mut rng = Rng::of_bytes(data);
    let name = rng.pick(&of_schedules).as_str();
    judged(&mut rng.clone(), name);
    for drawn in schedules(&mut rng, 12, 4096) {
        let Ok(schedule) = schedule_from_json(&drawn) else { continue };
        let text = schedule.to_string();
        match text.parse::<Schedule>() {
            Ok(read) => assert_eq!(format!("{read:?}"), format!("{schedule:?}"), "{text}"),
            Err(error) => panic!("{text} is refused: {error:?}"),
        }
    }
}
