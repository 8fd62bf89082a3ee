#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| resync_surveysync_fuzz::sync_survey(data));
