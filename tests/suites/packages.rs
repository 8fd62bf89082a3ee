//! Properties of packages: truncated or damaged ones are never valid, those of common tools are, and dumps are compared with their
//! packages.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

use proptest::prelude::*;
use resourcesync::{
    api::{InputOrigin, Options, Run, Validation, Verification, validate},
    diagnostic::{Reason, ReasonCode},
    model::Kind,
    report::{Report, Verdict},
    rules::{KnownPackage, KnownPackages},
    value::{Hashes, Parsed, Value},
};
use resourcesync_tests::{
    package::{Raw, Zip, manifest, package},
    verify,
};

/// Valid packages, in every form that writers use.
const SOUND: &[&str] = &[
    "plain",
    "comment",
    "zip64",
    "zip64-sizes",
    "descriptor",
    "descriptor-bare",
    "descriptor-wide",
    "descriptor-stored",
    "folders",
    "java-folder",
    "utf-8",
    "unicode-path",
    "extra-padding",
    "version-45",
    "patch",
];

fn named(name: &str) -> Report {
    verify(&package(name), InputOrigin::named("package.zip"), &Options::default(), 1 << 20)
}

fn codes(report: &Report) -> Vec<&str> {
    report.groups.iter().map(|group| group.code.as_str()).collect()
}

#[test]
fn sound_packages_have_no_finding() {
    for name in SOUND {
        let report = named(name);
        assert_eq!((codes(&report), report.verdict), (vec![], Verdict::Valid), "{name}");
    }
}

#[test]
fn no_proper_prefix_of_a_package_is_valid() {
    for name in SOUND {
        let bytes = package(name);
        for length in 0..bytes.len() {
            let report = verify(&bytes[..length], InputOrigin::named("package.zip"), &Options::default(), 1 << 20);
            assert_eq!(report.verdict, Verdict::Invalid, "{name}, {length} bytes of {}", bytes.len());
        }
    }
}

#[test]
fn in_memory_and_by_blocks_the_report_is_the_same() {
    for name in ["plain", "crc", "shared-data", "wrong-digest", "missing-case"] {
        let bytes = package(name);
        let whole = validate(&bytes, InputOrigin::named("package.zip"), &Options::default()).to_json();
        for block in [1, 13, 4096] {
            assert_eq!(
                verify(&bytes, InputOrigin::named("package.zip"), &Options::default(), block).to_json(),
                whole,
                "{name}, {block}"
            );
        }
    }
}

#[test]
fn the_manifest_is_an_input_of_its_own() {
    let report = named("missing");
    let [outer, inner] = report.inputs.as_slice() else { unreachable!("{:?}", report.inputs) };
    assert_eq!((outer.kind.as_str(), outer.verdict), ("package", Verdict::Valid));
    assert_eq!((inner.name.as_str(), inner.parent), ("package.zip!/manifest.xml", Some(0)));
    assert_eq!(report.diagnostics[0].input, 1);
    assert_eq!(report.diagnostics[0].entry.as_ref().map(|entry| entry.index), Some(3));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_damage_makes_it_panic(
        pick in any::<prop::sample::Index>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = package(SOUND[pick.index(SOUND.len())]);
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let report = verify(&bytes, InputOrigin::named("package.zip"), &Options::default(), 64);
        prop_assert!(report.summary.inputs <= 2);
    }
}

/// The report on a package whose bytes change after some reads; `None` if they become unreadable.
fn changing(bytes: &[u8], after: usize, change: Option<&[u8]>) -> (Verdict, usize) {
    let options = Options::default();
    let mut readings = 0;
    let verification = Verification::new(&options, InputOrigin::named("package.zip"), bytes.len() as u64);
    let outcome = verification.run(&mut |offset, room| {
        readings += 1;
        let from = if readings > after { change.ok_or_else(|| Reason::new(ReasonCode::Truncated))? } else { bytes };
        room.copy_from_slice(&from[offset as usize..][..room.len()]);
        Ok(())
    });
    let mut run = Run::new(&options);
    run.add(outcome);
    (run.finish().verdict, readings)
}

#[test]
fn a_package_that_changes_while_it_is_read_is_not_valid() {
    for name in SOUND {
        let bytes = package(name);
        let all = changing(&bytes, usize::MAX, None).1;
        let at = bytes.windows(16).position(|window| window == b"0123456789abcdef").expect("it is stored");
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        for after in 0..all {
            assert_eq!(changing(&bytes, after, None).0, Verdict::Undetermined, "{name}, gone after {after} of {all}");
            // All data of the members is verified by checksums; after that only the manifest is read again.
            let verdict = changing(&bytes, after, Some(&changed)).0;
            assert!(
                verdict == Verdict::Invalid || after + 1 >= all,
                "{name}, another after {after} of {all}: {verdict:?}"
            );
        }
    }
}

#[test]
fn a_package_inside_a_package_is_not_opened() {
    for inner in ["shared-data", "two-archives", "crc", "name:../x", "manifest-bomb"] {
        let listed = "  <url>\n    <loc>https://example.com/z</loc>\n    <rs:md type=\"application/zip\" path=\"/z.zip\"/>\n  </url>\n";
        let sound = package("plain");
        let members = [
            Raw::deflated("manifest.xml", manifest(listed).as_bytes()),
            Raw::stored("res/a.txt", &unpacked(&sound, "res/a.txt")),
            Raw::stored("res/b.txt", &unpacked(&sound, "res/b.txt")),
            Raw::deflated("z.zip", &package(inner)),
        ];
        let report =
            verify(&Zip::build(&members).bytes, InputOrigin::named("package.zip"), &Options::default(), 1 << 20);
        assert_eq!((codes(&report), report.verdict, report.inputs.len()), (vec![], Verdict::Valid, 2), "{inner}");
    }
}

#[test]
fn a_package_that_is_never_given_its_bytes_is_not_valid() {
    let options = Options::default();
    let mut run = Run::new(&options);
    run.add(Verification::new(&options, InputOrigin::named("part1.zip"), 1000).finish());
    assert_eq!(run.finish().verdict, Verdict::Undetermined);
}

/// A dump with one package, given the metadata of the package.
fn dump(capability: &str, times: &str, md: &str) -> String {
    format!(
        r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/capabilitylist.xml"/>
  <rs:md capability="{capability}" {times}/>
  <url>
    <loc>https://example.com/part%201.zip?x=1</loc>
    <rs:md {md}/>
    <rs:ln rel="contents" href="https://example.com/part1.xml" type="application/xml"/>
  </url>
</urlset>
"#
    )
}

/// The codes reported when a dump is compared with a package, and optionally with a copy of its manifest.
fn beside(dump: &str, name: &str, copy: Option<&str>) -> Vec<String> {
    let options = Options::default();
    let bytes = package(name);
    let Parsed::Exact(hashes) = Hashes::read(&format!("sha-256:{}", "00".repeat(32))) else { unreachable!() };
    let verification =
        Verification::new(&options, InputOrigin::named("part 1.zip"), bytes.len() as u64).with_digests(&hashes);
    let (_, known) = verification.run_for_known_package(&mut |offset, room| {
        room.copy_from_slice(&bytes[offset as usize..][..room.len()]);
        Ok(())
    });
    let mut packages = KnownPackages::default();
    packages.packages.insert("https://example.com/part%201.zip?x=1".into(), Arc::new(KnownPackage { ..known }));
    if let Some(copy) = copy {
        let mut scan = resourcesync::api::DumpScan::new(&options.limits);
        scan.push(copy.as_bytes());
        let canonical = scan.finish().canonical;
        packages.manifests = canonical.into_iter().map(|own| ("https://example.com/part1.xml".into(), own)).collect();
    }
    let mut validation = Validation::new(&options, InputOrigin::named("dump.xml")).with_packages(Arc::new(packages));
    validation.push(dump.as_bytes());
    let mut run = Run::new(&options);
    run.add(validation.finish());
    let report = run.finish();
    codes(&report).into_iter().map(String::from).collect()
}

#[test]
fn the_expected_kind_is_that_of_the_manifest_or_of_its_dump() {
    let bytes = package("plain");
    for (expected, found) in [
        (Kind::ResourceDumpManifest, [].as_slice()),
        (Kind::ResourceDump, &[]),
        (Kind::ChangeDump, &["CDM-02"]),
        (Kind::ResourceList, &["RL-02"]),
    ] {
        let mut options = Options::default();
        options.expect = Some(expected);
        let report = verify(&bytes, InputOrigin::named("plain.zip"), &options, 1 << 20);
        assert_eq!(codes(&report), found, "{expected}");
    }
}

#[test]
fn a_dump_is_held_to_its_package() {
    let length = package("plain").len();
    let at = "at=\"2024-04-01T00:00:00Z\"";
    let good = format!("type=\"application/zip\" length=\"{length}\" {at}");
    let shown = |md: &str| beside(&dump("resourcedump", at, md), "plain", Some(&manifest("").replace("\n  ", "\n")));
    assert_eq!(shown(&good), Vec::<String>::new());
    assert_eq!(shown(&good.replace(&length.to_string(), "7")), ["AT-11"]);
    assert_eq!(shown(&good.replace("application/zip", "application/x-tar")), ["RD-16", "AT-11", "AT-13"]);
    assert_eq!(shown(&format!("{good} hash=\"sha-256:{}\"", "00".repeat(32))), ["PKG-14"]);
    assert_eq!(shown(&good.replace("2024-04-01T00", "2024-04-01T01")), ["PKG-15"]);
    // The same moment in another spelling.
    assert_eq!(shown(&good.replace("2024-04-01T00:00:00Z", "2024-04-01T00:00:00.000Z")), Vec::<String>::new());
}

#[test]
fn a_copy_of_the_manifest_has_to_say_the_same() {
    let at = "at=\"2024-04-01T00:00:00Z\"";
    let dump = dump("resourcedump", at, &format!("type=\"application/zip\" length=\"{}\"", package("plain").len()));
    let copy = manifest("");
    assert_eq!(
        beside(&dump, "plain", Some(&copy.replace('"', "'").replace("<rs:", "<r:").replace(":rs=", ":r="))),
        Vec::<String>::new()
    );
    let swapped = copy.replace("<rs:ln rel=\"up\" href=\"https://example.com/capabilitylist.xml\"/>\n", "").replace(
        "at=\"2024-04-01T00:00:00Z\"/>",
        "at=\"2024-04-01T00:00:00Z\"/><rs:ln rel=\"up\" href=\"https://example.com/capabilitylist.xml\"/>",
    );
    assert_ne!(swapped, copy);
    assert_eq!(beside(&dump, "plain", Some(&swapped)), Vec::<String>::new());
    assert_eq!(beside(&dump, "plain", Some(&copy.replace("text/plain", "text/html"))), ["PKG-16"]);
    // The copy must also contain the foreign elements of the manifest in the package.
    let more = |said: &str| copy.replacen("</url>", &format!("{said}</url>"), 1);
    for said in ["<x xmlns=\"urn:x\"/>", "<x xmlns=\"urn:x\">one</x>"] {
        assert_eq!(beside(&dump, "plain", Some(&more(said))), ["PKG-16"], "{said}");
    }
    assert_eq!(beside(&dump, "plain", None), Vec::<String>::new());
}

#[test]
fn a_change_dump_does_not_lead_to_a_resource_dump_manifest() {
    let dump = dump(
        "changedump",
        "from=\"2024-04-01T00:00:00Z\"",
        &format!("type=\"application/zip\" length=\"{}\" from=\"2024-04-01T00:00:00Z\"", package("plain").len()),
    );
    assert_eq!(beside(&dump, "plain", None), ["PKG-07"]);
}

/// Runs a command in a folder; false if the command does not exist.
fn tool(folder: &Path, command: &str) -> bool {
    let program = command.split(' ').next().unwrap_or(command);
    let there = Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    there
        && Command::new("sh")
            .arg("-c")
            .arg(command)
            .current_dir(folder)
            .stdout(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
}

const PYTHON: &str = r#"python3 -c "
import io, sys, zipfile
class Pipe(io.RawIOBase):
    def __init__(self, file): self.file = file
    def writable(self): return True
    def write(self, data): return self.file.write(data)
def pack(target, method):
    with zipfile.ZipFile(target, 'w', method) as z:
        z.write('res/', 'res/')
        for name in ('manifest.xml', 'res/a.txt', 'res/b.txt'): z.write(name, name)
for method, word in ((0, 'stored'), (8, 'deflated')):
    pack('../python-' + word + '.zip', method)
    pack(Pipe(open('../python-' + word + '-piped.zip', 'wb')), method)
""#;

const JAVA: &str = r#"java Pack.java"#;
const JAVA_SOURCE: &str = r#"import java.io.*; import java.nio.file.*; import java.util.zip.*;
public class Pack { public static void main(String[] names) throws Exception {
  try (ZipOutputStream zip = new ZipOutputStream(new FileOutputStream("../java.zip"))) {
    zip.putNextEntry(new ZipEntry("empty/")); zip.closeEntry();
    for (String name : new String[] {"manifest.xml", "res/a.txt", "res/b.txt"}) {
      zip.putNextEntry(new ZipEntry(name)); zip.write(Files.readAllBytes(Path.of(name))); zip.closeEntry(); } } } }
"#;

const GO: &str = "go run pack.go";
/// As streams, the default of `archive/zip`; stored and deflated, a folder, and a header from a file.
const GO_SOURCE: &str = r#"package main
import ("archive/zip"; "os")
func fail(err error) { if err != nil { panic(err) } }
func main() {
  out, err := os.Create("../go.zip"); fail(err)
  pack := zip.NewWriter(out)
  _, err = pack.Create("empty/"); fail(err)
  for number, name := range []string{"manifest.xml", "res/a.txt", "res/b.txt"} {
    text, err := os.ReadFile(name); fail(err)
    about, err := os.Stat(name); fail(err)
    header, err := zip.FileInfoHeader(about); fail(err)
    header.Name = name
    if number < 2 { header.Method = zip.Deflate }
    member, err := pack.CreateHeader(header); fail(err)
    _, err = member.Write(text); fail(err)
  }
  fail(pack.Close()); fail(out.Close())
}
"#;

#[test]
fn what_ordinary_tools_write_has_no_finding() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tools");
    let content = folder.join("content");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(content.join("res")).expect("a folder for tests");
    let bytes = package("plain");
    for (name, text) in [
        ("manifest.xml", manifest("").into_bytes()),
        ("res/a.txt", unpacked(&bytes, "res/a.txt")),
        ("res/b.txt", unpacked(&bytes, "res/b.txt")),
    ] {
        fs::write(content.join(name), text).expect("a file for tests");
    }
    let tools = [
        "zip -q -r ../infozip.zip .",
        "zip -q -0 -r ../infozip-stored.zip .",
        "zip -q -fz -r ../infozip-zip64.zip .",
        "zip -q -r - . | cat > ../infozip-piped.zip",
        "7z a -tzip -bso0 ../7z.zip manifest.xml res",
        "bsdtar -a -cf ../bsdtar.zip manifest.xml res",
        "bsdtar -b 1 --format zip -cf - manifest.xml res > ../bsdtar-piped.zip",
        "jar --create --no-manifest --file ../jar.zip manifest.xml res",
        PYTHON,
    ];
    let mut ran = tools.iter().filter(|command| tool(&content, command)).count();
    fs::write(content.join("Pack.java"), JAVA_SOURCE).expect("a file for tests");
    ran += usize::from(tool(&content, JAVA));
    fs::write(content.join("pack.go"), GO_SOURCE).expect("a file for tests");
    ran += usize::from(tool(&content, GO));
    let mut archives = 0;
    for entry in fs::read_dir(&folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            continue;
        }
        let bytes = fs::read(&path).expect("the archive can be read");
        let report = verify(&bytes, InputOrigin::named("package.zip"), &Options::default(), 1 << 20);
        // libarchive pads blocks, which has its own warning.
        let codes: Vec<&str> = codes(&report)
            .into_iter()
            .filter(|code| *code != "ZIP-02" || !path.ends_with("bsdtar-piped.zip"))
            .collect();
        assert_eq!((codes, report.verdict), (vec![], Verdict::Valid), "{}", path.display());
        archives += 1;
    }
    println!("{ran} of {} tools are here; {archives} archives", tools.len() + 2);
}

/// The content of a stored or deflated member of one of our own packages.
fn unpacked(bytes: &[u8], name: &str) -> Vec<u8> {
    let at = bytes.windows(name.len()).position(|window| window == name.as_bytes()).expect("the member is there");
    let packed = u32::from_le_bytes(bytes[at - 12..at - 8].try_into().expect("four bytes")) as usize;
    let data = &bytes[at + name.len()..][..packed];
    if bytes[at - 22] == 8 {
        miniz_oxide::inflate::decompress_to_vec(data).expect("it is whole")
    } else {
        data.to_vec()
    }
}
