#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| razorgirl_fuzz::extracted(data));
