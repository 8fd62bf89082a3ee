//! Packages compared with the crate `zip`: its output has no findings, it reads our output, and both read the same contents of valid packages.

use std::io::{Cursor, Write};

use proptest::prelude::*;
use resourcesync::{
    api::{InputOrigin, Options},
    build::{BuildOptions, PackageWriter, Resource, ResourceDumpManifest},
    report::Verdict,
};
use resourcesync_tests::{
    all, assert_read_alike, members, members_by_zip,
    package::{manifest, package},
    verify,
};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// The files of a valid package.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let mut members = members(&package("plain"), &Options::default()).expect("it is sound");
    let mut member = |name: &str| members.remove(name).expect("it is there");
    vec![
        ("manifest.xml", manifest("").into_bytes()),
        ("res/a.txt", member("res/a.txt")),
        ("res/b.txt", member("res/b.txt")),
    ]
}

fn fill<W: Write + std::io::Seek>(mut writer: ZipWriter<W>, options: SimpleFileOptions) -> W {
    writer.add_directory("res/", options).expect("a folder is written");
    for (name, content) in files() {
        writer.start_file(name, options).expect("a member begins");
        writer.write_all(&content).expect("a member is written");
    }
    writer.finish().expect("the archive ends")
}

#[test]
fn what_the_crate_zip_writes_has_no_finding() {
    let usual = SimpleFileOptions::default();
    let deflated = usual.compression_method(CompressionMethod::Deflated);
    let stored = usual.compression_method(CompressionMethod::Stored);
    let all = [
        ("usual", usual),
        ("deflated", deflated),
        ("stored", stored),
        ("zip64", deflated.large_file(true)),
        ("stored zip64", stored.large_file(true)),
        ("permissions", deflated.unix_permissions(0o640)),
    ];
    for (name, options) in all {
        let written = fill(ZipWriter::new(Cursor::new(Vec::new())), options).into_inner();
        let streamed = fill(ZipWriter::new_stream(Vec::new()), options).into_inner();
        for (way, bytes) in [("written", written), ("streamed", streamed)] {
            let report = verify(&bytes, InputOrigin::named("package.zip"), &Options::default(), 1 << 20);
            let found: Vec<_> = report.diagnostics.iter().map(|own| format!("{}: {}", own.code, own.message)).collect();
            assert_eq!((found, report.verdict), (vec![], Verdict::Valid), "{name}, {way}");
            assert_read_alike(&bytes, &Options::default());
        }
    }
}

#[test]
fn packages_of_the_corpus_that_are_valid_are_read_alike() {
    let mut read = 0;
    for case in all().iter().filter(|case| case.is_package() && !case.has_options() && case.expected.verdict == "valid")
    {
        assert_read_alike(&case.bytes(), &case.options());
        read += 1;
    }
    assert!(read > 30, "only {read}");
}

/// Writes a package of these contents.
fn written(contents: &[Vec<u8>], media_type: &str) -> Vec<u8> {
    let up = "https://example.com/capabilitylist.xml".parse().expect("a URI");
    let manifest = ResourceDumpManifest::new(up, "2024-05-01T00:00:00Z".parse().expect("a datetime"));
    let mut package = PackageWriter::resources(manifest, BuildOptions::default()).expect("a manifest");
    let mut bytes = Vec::new();
    for (number, content) in contents.iter().enumerate() {
        let uri = format!("https://example.com/{number}").parse().expect("a URI");
        package.push(Resource::new(uri).media_type(media_type.parse().expect("a type"))).expect("a bitstream");
        content.chunks(700).for_each(|part| package.write(part).expect("its bytes"));
        bytes.extend(package.take());
    }
    bytes.extend(package.finish().expect("the package ends").rest);
    bytes
}

proptest! {
    #[test]
    fn what_we_write_the_crate_zip_reads_with_the_same_names_and_bytes(
        contents in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..3000), 0..8),
        repeated in 0_usize..200,
        media_type in prop::sample::select(vec!["text/plain", "image/jpeg", "application/zip"]),
    ) {
        // And some that compress well.
        let contents: Vec<Vec<u8>> = contents.into_iter().map(|content| content.repeat(1 + repeated / 20)).collect();
        let bytes = written(&contents, media_type);
        let mut read = members_by_zip(&bytes).map_err(TestCaseError::fail)?;
        prop_assert!(read.remove("manifest.xml").is_some());
        let mut read: Vec<Vec<u8>> = read.into_values().collect();
        let mut wanted = contents;
        read.sort();
        wanted.sort();
        prop_assert_eq!(read, wanted);
        assert_read_alike(&bytes, &Options::default());
    }
}
