#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| resync_statesync_fuzz::sync_state(data));
