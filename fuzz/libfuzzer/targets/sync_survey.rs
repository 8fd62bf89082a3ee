#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| resourcesync_fuzz::sync_survey(data));
