#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| resourcesync_fuzz::parcel(data));
