//! Packages of realistic size: verified by the library and by the command, compared with a bare loop and with
//! Python.

use std::{
    env,
    fs::{self, File},
    hint::black_box,
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use flate2::{Decompress, FlushDecompress};
use md5::{Digest, Md5};
use resourcesync::{
    api::{InputOrigin, Options, Run, Verification},
    diagnostic::{Reason, ReasonCode},
};
use sha2::Sha256;

use crate::table::{Row, Target, compare, milliseconds, numbers, run, seconds};

/// The sizes of the packages.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// Members of 16 MiB of the large package.
    large: u64,
    /// Members of the package of many small ones.
    many: u64,
    /// Members of the package of which only the structure is checked.
    most: u64,
    rounds: usize,
}

/// A gigabyte, fifty thousand, a million.
pub const REAL: Sizes = Sizes { large: 64, many: 50_000, most: 1_000_000, rounds: 5 };
/// A quick check that everything still runs.
pub const QUICK: Sizes = Sizes { large: 2, many: 1_000, most: 20_000, rounds: 1 };

/// Writes the packages: text of pseudo-words, which deflates to about two fifths.
const MAKE: &str = r#"import hashlib, random, sys, zipfile
path, members, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(1)
words = ["".join(random.choice("etaoinshrdlu") for _ in range(random.randint(2, 9))) for _ in range(4096)]
def text(size):
    out = bytearray()
    while len(out) < size: out += (" ".join(random.choices(words, k=4096)) + "\n").encode()
    return bytes(out[:size])
base = text(max(size, 1))
with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as package:
    listed = ['<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">'
        '<rs:ln rel="up" href="https://example.com/capabilitylist.xml"/><rs:md capability="resourcedump-manifest" at="2024-04-01T00:00:00Z"/>\n']
    for number in range(members):
        data = b"%d" % number + base[:max(size - 8, 0)]
        hash = "md5:%s sha-256:%s" % (hashlib.md5(data).hexdigest(), hashlib.sha256(data).hexdigest())
        package.writestr("res/%d" % number, data)
        listed.append('<url><loc>https://example.com/%d</loc><rs:md hash="%s" length="%d" type="text/plain" path="/res/%d"/></url>\n'
            % (number, hash, len(data), number))
    package.writestr("manifest.xml", "".join(listed) + "</urlset>")
"#;

/// A careful script: compares every member with the digests of the manifest.
const CHECK: &str = r#"import hashlib, sys, zipfile
import xml.etree.ElementTree as tree
package = zipfile.ZipFile(sys.argv[1])
for md in tree.parse(package.open("manifest.xml")).iter("{http://www.openarchives.org/rs/terms/}md"):
    if md.get("path") is None: continue
    digests = [(hashlib.new(name.replace("-", "")), digest) for name, digest in (one.split(":") for one in md.get("hash").split())]
    with package.open(md.get("path")[1:]) as member:
        while block := member.read(1 << 18):
            for own, _ in digests: own.update(block)
    assert all(own.hexdigest() == digest for own, digest in digests)
"#;

/// Runs a program and prints its peak memory.
const RESIDENT: &str = "import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)";

/// The rows about packages; tools that are not installed are skipped and named.
///
/// # Errors
///
/// If packages cannot be written or read.
pub fn rows(folder: &Path, sizes: Sizes) -> io::Result<Vec<Row>> {
    let command = env::current_exe()?.with_file_name("resourcesync");
    if run(Command::new("python3").args(["-c", ""])) == 0 || !command.exists() {
        eprintln!("ratios: packages are left out: Python or the command is not here (scripts/bench builds it)");
        return Ok(Vec::new());
    }
    let large = made(folder, "large", sizes.large, 16 << 20)?;
    let many = made(folder, "many", sizes.many, 512)?;
    let most = made(folder, "most", sizes.most, 1)?;
    let validate = |path: &Path, options: &[&str]| {
        let mut own = Command::new(&command);
        own.args(["validate", "--quiet", "--no-config"]).args(options).arg(path);
        own
    };
    let python = |path: &Path| {
        let mut own = Command::new("python3");
        own.args(["-c", CHECK]).arg(path);
        own
    };
    // On other machines more cores may be waiting for one disk.
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut rows = Vec::new();
    let (ours, bare, ratio) = compare(sizes.rounds, || verified(&large), || unpacked(&large));
    rows.push(faster("1 GB package, one core : bare loop of inflate, crc, md5 and sha-256", ours, bare, ratio, 0.9));
    let (ours, other, ratio) =
        compare(sizes.rounds, || run(&mut validate(&large, &["-j1"])), || run(&mut python(&large)));
    rows.push(faster("the same, whole process on one core : Python zipfile and hashlib", ours, other, ratio, 1.2));
    let (ours, one, ratio) =
        compare(sizes.rounds, || run(&mut validate(&large, &[])), || run(&mut validate(&large, &["-j1"])));
    rows.push(faster("the same on all cores : one core", ours, one, ratio, 0.9 * cores as f64));
    let (ours, other, ratio) =
        compare(sizes.rounds, || run(&mut validate(&many, &["-j1"])), || run(&mut python(&many)));
    rows.push(faster("50,000 members of 0.5 KB, one core : Python zipfile and hashlib", ours, other, ratio, 0.0));
    rows.push(resident("the 1 GB package, resident MB", &validate(&large, &[]), 64.0)?);
    let ratio = seconds(|| run(&mut validate(&most, &["--no-fixity"])));
    let (ours, baseline) = (milliseconds(ratio), String::new());
    rows.push(Row { what: "1,000,000 members with --no-fixity, seconds", ours, baseline, ratio, target: Target::None });
    let bound = 64.0 + sizes.most as f64 * 128.0 / 1e6;
    rows.push(resident("the same, resident MB", &validate(&most, &["--no-fixity"]), bound)?);
    Ok(rows)
}

/// A row with a speedup.
fn faster(what: &'static str, ours: f64, baseline: f64, ratio: f64, least: f64) -> Row {
    let target = if least > 0.0 { Target::AtLeast(least) } else { Target::None };
    Row { what, ours: milliseconds(ours), baseline: milliseconds(baseline), ratio: 1.0 / ratio, target }
}

fn resident(what: &'static str, command: &Command, most: f64) -> io::Result<Row> {
    let mut python = Command::new("python3");
    python.args(["-c", RESIDENT]).arg(command.get_program()).args(command.get_args());
    let ratio = numbers(&mut python)?.first().copied().unwrap_or_default() as f64 / 1e6;
    Ok(Row { what, ours: format!("{ratio:.1} MB"), baseline: String::new(), ratio, target: Target::AtMost(most) })
}

/// The package with this number of members of this size, written only once.
fn made(folder: &Path, name: &str, members: u64, size: u64) -> io::Result<PathBuf> {
    let path = folder.join(format!("{name}-{members}.zip"));
    if !path.exists() {
        let beside = path.with_extension("part");
        let mut python = Command::new("python3");
        python.args(["-c", MAKE]).arg(&beside).args([members.to_string(), size.to_string()]);
        if !python.status()?.success() {
            return Err(io::Error::other("a package could not be made"));
        }
        fs::rename(beside, &path)?;
    }
    Ok(path)
}

/// The package verified by the library, on one core.
fn verified(path: &Path) -> u64 {
    let Ok(file) = File::open(path) else { return 0 };
    let size = file.metadata().map_or(0, |meta| meta.len());
    let options = Options::default();
    let verification = Verification::new(&options, InputOrigin::named("part1.zip"), size);
    let outcome = verification.run(&mut |offset, room| {
        std::os::unix::fs::FileExt::read_exact_at(&file, room, offset).map_err(|_| Reason::new(ReasonCode::Truncated))
    });
    let mut all = Run::new(&options);
    all.add(outcome);
    all.finish().summary.errors
}

/// The minimum of work: inflates every member, and computes its checksum and both digests.
fn unpacked(path: &Path) -> u64 {
    let Ok(file) = File::open(path) else { return 0 };
    let mut file = BufReader::with_capacity(256 << 10, file);
    let (mut inflate, mut packed, mut room) = (Decompress::new(false), vec![0; 256 << 10], vec![0; 64 << 10]);
    let mut members = 0;
    let mut head = [0; 30];
    // Python writes sizes into local headers, so one member can be followed by the next.
    while file.read_exact(&mut head).is_ok() && head.starts_with(b"PK\x03\x04") {
        let number = |at: usize| u64::from(u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
        let mut left = number(18);
        let skip = u16::from_le_bytes([head[26], head[27]]) + u16::from_le_bytes([head[28], head[29]]);
        let _ = io::copy(&mut (&mut file).take(skip.into()), &mut io::sink());
        let (mut crc, mut md5, mut sha256) = (crc32fast::Hasher::new(), Md5::new(), Sha256::new());
        inflate.reset(false);
        while left > 0 {
            let length = packed.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            if file.read_exact(&mut packed[..length]).is_err() {
                return 0;
            }
            left -= length as u64;
            let mut input = &packed[..length];
            loop {
                let (taken, made) = (inflate.total_in(), inflate.total_out());
                if inflate.decompress(input, &mut room, FlushDecompress::None).is_err() {
                    return 0;
                }
                let made = &room[..(inflate.total_out() - made) as usize];
                input = &input[(inflate.total_in() - taken) as usize..];
                crc.update(made);
                md5.update(made);
                sha256.update(made);
                if made.len() < room.len() {
                    break;
                }
            }
        }
        black_box((md5.finalize(), sha256.finalize()));
        members += u64::from(u64::from(crc.finalize()) == number(14));
    }
    members
}
