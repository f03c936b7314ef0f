//! Every operation against the plain model, which enumerates: bytes are the choices of the generators of `conform`.

use razorgirl_conform::generate::{Rng, names, request};
use razorgirl_conform::judge;
use razorgirl_protocol::answer;
use serde_json::Value;

/// Sizes up to which layouts are drawn; the last one draws values at the edge of 64 bits too.
const SIZES: [u64; 3] = [1 << 6, 1 << 10, u64::MAX];

/// The first choices are an operation and a size.
pub fn model(data: &[u8]) {
    let mut rng = Rng::of_bytes(data);
    let name = rng.pick(names()).as_str();
    judged(&mut rng, name);
}

/// Draws a request and judges the library's answer: the normal form, the codes and the witnesses.
pub(crate) fn judged(rng: &mut Rng, name: &str) {
    let size = *rng.pick(&SIZES);
    let request = request(rng, 1, name, size);
    let answered = answer(request.to_string().as_bytes());
    let value: Value = serde_json::from_str(&answered).unwrap_or_else(|error| panic!("{error}: {answered}"));
    let verdict = judge(&request, &value, true);
    assert!(verdict.is_fine(), "{request}\n{answered}\n{verdict:?}");
}
