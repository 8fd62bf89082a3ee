#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| resync_placesync_fuzz::sync_place(data));
