//! The packages of the corpus by name: a manifest and two files, with one thing changed.

use super::{
    Raw, Zip,
    writer::{FILE, FOLDER, STREAMED, UTF8},
};

const A: &[u8] = b"hello, harvester\nhello, harvester\nhello, harvester\nhello, harvester\nhello, harvester\nhello, harvester\n\
hello, harvester\nhello, harvester\nhello, harvester\nhello, harvester\nhello, harvester\nhello, harvester\nhello, harvester\n\
hello, harvester\nhello, harvester\nhello, harvester\nhello, harvester\nhello, harvester\nhello, harvester\nhello, harvester\n";
const B: &[u8] = b"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const A_HASH: &str =
    "md5:84e08a4c845ba3140df77d0b796827d6 sha-256:31e93897b19dd62c9ff610de1fb5f5f459d19b0ed87572edaf6321d5431befb2";
const B_HASH: &str = "sha-256:a8ae6e6ee929abea3afcfc5258c8ccd6f85273e0d4626d26c7279f3250f77c8e";

/// A manifest of the two files every package here has, and of others.
pub fn manifest(others: &str) -> String {
    format!(
        r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcedump-manifest" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/a</loc>
    <rs:md hash="{A_HASH}" length="340" type="text/plain" path="/res/a.txt"/>
  </url>
  <url>
    <loc>https://example.com/b</loc>
    <rs:md hash="{B_HASH}" length="64" type="text/plain" path="/res/b.txt"/>
  </url>
{others}</urlset>
"#
    )
}

fn listed(path: &str) -> String {
    format!(
        "  <url>\n    <loc>https://example.com/more</loc>\n    <rs:md type=\"text/plain\" path=\"{path}\"/>\n  </url>\n"
    )
}

/// Manifest, two files, and further members.
fn members(manifest: &str, others: &[Raw]) -> Vec<Raw> {
    let mut members = vec![
        Raw::deflated("manifest.xml", manifest.as_bytes()),
        Raw::deflated("res/a.txt", A),
        Raw::stored("res/b.txt", B),
    ];
    members.extend_from_slice(others);
    members
}

/// A package that also holds a file of this name, listed under it.
fn with_name(name: &str) -> Zip {
    let path = name.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    Zip::build(&members(&manifest(&listed(&format!("/{path}"))), &[Raw::stored(name, b"x")]))
}

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut packed = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
    packed.extend(miniz_oxide::deflate::compress_to_vec(data, 6));
    packed.extend(crc32fast::hash(data).to_le_bytes());
    packed.extend((data.len() as u32).to_le_bytes());
    packed
}

fn field(id: u16, value: &[u8]) -> Vec<u8> {
    let mut field = id.to_le_bytes().to_vec();
    field.extend((value.len() as u16).to_le_bytes());
    field.extend(value);
    field
}

/// The package of this name.
///
/// # Panics
///
/// If there is none.
pub fn package(name: &str) -> Vec<u8> {
    let sound = manifest("");
    if let Some(zip) =
        structural(name, &sound).or_else(|| of_members(name, &sound)).or_else(|| of_manifest(name, &sound))
    {
        return zip.bytes;
    }
    let mut zip = Zip::build(&members(&sound, &[]));
    match name {
        "empty-file" => Vec::new(),
        "cut" => zip.bytes[..zip.central[1]].to_vec(),
        "page" => b"<!DOCTYPE html><html><body>404</body></html>".to_vec(),
        "tar" => {
            let mut tar = vec![0; 1024];
            tar[..5].copy_from_slice(b"a.txt");
            tar[257..262].copy_from_slice(b"ustar");
            tar
        }
        "text" => b"this was never an archive\n".repeat(30),
        "lost-directory" => {
            zip.long(zip.end + 12, 1 << 30);
            zip.long(zip.end + 16, 1 << 30);
            zip.bytes
        }
        name => unreachable!("no package is called {name}"),
    }
}

/// Errors of the archive as a whole, and near misses.
fn structural(name: &str, sound: &str) -> Option<Zip> {
    let plain = || Zip::build(&members(sound, &[]));
    let mut zip = plain();
    let end = zip.end;
    match name {
        "plain" => {}
        "comment" => zip.comment(b"made by hand"),
        "comment-with-letters" => zip.comment(b"PK and 5, 6"),
        "zip64" => zip.zip64(),
        "prefix" => drop(zip.bytes.splice(0..0, *b"#!/bin/sh\nexec unzip\n")),
        "prefix-adjusted" => {
            let junk = b"#!/bin/sh\n";
            for at in zip.central.clone() {
                let offset = zip.long_at(at + 42);
                zip.long(at + 42, offset + junk.len() as u32);
            }
            let start = zip.long_at(end + 16);
            zip.long(end + 16, start + junk.len() as u32);
            zip.bytes.splice(0..0, *junk);
        }
        "two-archives" => {
            let second = zip.bytes.clone();
            zip.bytes.extend(second);
        }
        "suffix" => zip.bytes.extend(b"<!-- served in 12 ms -->"),
        "zeros-after" => zip.bytes.extend([0; 512]),
        "archive-in-comment" => {
            let inner = plain().bytes;
            zip.comment(&inner);
        }
        "record-in-comment" => zip.comment(b"PK\x05\x06, and nothing that an end record has, for so many bytes"),
        "cut-comment" => {
            zip.comment(b"a comment of some length");
            zip.bytes.truncate(zip.bytes.len() - 5);
        }
        "zip64-no-locator" => {
            let (bytes, start) = (zip.long_at(end + 12), zip.long_at(end + 16));
            zip.zip64();
            zip.bytes.drain(zip.end - 20..zip.end);
            let end = zip.end - 20;
            zip.long(end + 12, bytes);
            zip.long(end + 16, start);
            zip.word(end + 4, 0xffff);
            zip.word(end + 6, 0xffff);
            zip.word(end + 8, 3);
            zip.word(end + 10, 3);
            zip.bytes.drain(end - 56..end);
        }
        "zip64-record-size" => {
            zip.zip64();
            zip.long(end + 4, 45);
        }
        "zip64-fields-differ" => {
            zip.zip64();
            zip.word(zip.end + 8, 2);
            zip.word(zip.end + 10, 2);
        }
        "zip64-locator-elsewhere" => {
            zip.zip64();
            zip.long(end + 56 + 8, 7);
        }
        "count-too-small" | "count-too-large" => {
            let count = if name == "count-too-small" { 2 } else { 4 };
            zip.word(end + 8, count);
            zip.word(end + 10, count);
        }
        "other-disk" => zip.word(end + 4, 1),
        "member-on-other-disk" => zip.word(zip.central[1] + 34, 1),
        "directory-too-short" => {
            let bytes = zip.long_at(end + 12);
            zip.long(end + 12, bytes - 10);
        }
        "directory-gap" => {
            zip.bytes.splice(end..end, *b"nothing");
            zip.end += 7;
        }
        "gap-before-directory" => {
            let mut all = members(sound, &[]);
            all[2].gap = b"deleted but not gone".to_vec();
            zip = Zip::build(&all);
        }
        "hidden-member" => {
            zip = Zip::build(&members(sound, &[Raw { hidden: true, ..Raw::stored("secret.txt", b"secret") }]))
        }
        "shared-data" => {
            let offset = zip.long_at(zip.central[1] + 42);
            zip.long(zip.central[2] + 42, offset);
        }
        "quoted-overlap" => {
            // The data of the first member contains the second member, including its headers.
            let length = (zip.central[0] - zip.local[0] - 30 - 12) as u32;
            zip.both(0, 18, 20, &length.to_le_bytes());
            zip.both(0, 8, 10, &[0, 0]);
            zip.both(0, 22, 24, &length.to_le_bytes());
        }
        "too-many-for-budget" | "too-many-members" => {}
        _ => return None,
    }
    Some(zip)
}

/// Errors of single members, and near misses.
fn of_members(name: &str, sound: &str) -> Option<Zip> {
    let mut all = members(sound, &[]);
    match name {
        "descriptor" => all[1] = all[1].clone().streamed(true, false),
        // Two MiB of zeros, which deflate to a thousandth.
        "expanding" => {
            let zeros = Raw::deflated("res/zeros", &vec![0; 2 << 20]);
            return Some(Zip::build(&members(&manifest(&listed("/res/zeros")), &[zeros])));
        }
        "descriptor-bare" => all[1] = all[1].clone().streamed(false, false),
        "descriptor-wide" => all[1] = all[1].clone().streamed(true, true),
        "descriptor-stored" => all[2] = all[2].clone().streamed(false, true),
        "descriptor-inside" | "descriptor-nearly-inside" => {
            // The data starts with a complete streamed member including its descriptor, without its header.
            let mut data = Raw::stored("", b"short").streamed(true, false).descriptor;
            data.splice(0..0, *b"short");
            data.extend(b"and more, which readers of streams do not take for data");
            if name == "descriptor-nearly-inside" {
                data.insert(0, b' ');
            }
            let more = listed("/c.txt");
            return Some(Zip::build(&members(&manifest(&more), &[Raw::stored("c.txt", &data).streamed(true, false)])));
        }
        "archive-inside-stored" => {
            let inner = Zip::build(&[Raw::stored("c.txt", b"short").streamed(true, false)]).bytes;
            let more = listed("/c.zip");
            return Some(Zip::build(&members(&manifest(&more), &[Raw::stored("c.zip", &inner).streamed(true, false)])));
        }
        "descriptor-wrong" => {
            all[1] = all[1].clone().streamed(true, false);
            all[1].descriptor[5] ^= 1;
        }
        "descriptor-missing" => {
            all[1].flags |= STREAMED;
        }
        "zip64-sizes" => {
            let sizes: Vec<u8> =
                [340_u64, all[1].data.len() as u64].iter().flat_map(|size| size.to_le_bytes()).collect();
            (all[1].local_extra, all[1].extra) = (field(1, &sizes), field(1, &sizes));
            let mut zip = Zip::build(&all);
            zip.both(1, 18, 20, &[0xff; 8]);
            return Some(zip);
        }
        "zip64-missing" => {
            let mut zip = Zip::build(&all);
            zip.put(zip.central[1] + 24, &[0xff; 4]);
            return Some(zip);
        }
        "zip64-contradicts" => all[1].extra = field(1, &[9; 16]),
        "local-name" | "local-method" | "local-crc" | "local-size" | "local-flags" | "local-gone" => {
            let mut zip = Zip::build(&all);
            let at = zip.local[1];
            match name {
                "local-name" => zip.put(at + 30, b"RES"),
                "local-method" => zip.word(at + 8, 0),
                "local-crc" => zip.long(at + 14, 1),
                "local-size" => zip.long(at + 22, 1),
                "local-flags" => zip.word(at + 6, UTF8),
                _ => zip.put(at, b"PK\0\0"),
            }
            return Some(zip);
        }
        "level-flags" => all[1].flags |= 2,
        "bzip2" => all[1].method = 12,
        "encrypted" => all[1].flags |= 1,
        "aes" => all[1].method = 99,
        "folders" => all.splice(1..1, [Raw::folder("res/"), Raw::folder("empty/")]).for_each(drop),
        "java-folder" => all.push(Raw { method: 8, data: vec![3, 0], ..Raw::folder("empty/") }),
        "folder-with-data" => all.push(Raw { attributes: FOLDER, ..Raw::stored("empty/", b"not so empty") }),
        "folder-without-slash" => all.push(Raw { attributes: FOLDER, ..Raw::stored("empty", b"") }),
        "symlink" => all[2].attributes = 0o120_777 << 16,
        "streamed-attributes" | "streamed-symlink" | "streamed-symlink-central" => {
            let mode = if name == "streamed-attributes" { FILE } else { 0o120_777 << 16 };
            let mut value = vec![5, 30, 3];
            value.extend(mode.to_le_bytes());
            let field = field(0x6c78, &value);
            *(if name == "streamed-symlink-central" { &mut all[2].extra } else { &mut all[2].local_extra }) = field;
        }
        "symlink-dos" | "device-ntfs" | "recalled-ntfs" => {
            let mut zip = Zip::build(&all);
            let (host, attributes) = match name {
                "symlink-dos" => (0, 0o120_777 << 16 | 0x20),
                "device-ntfs" => (10, 0o060_660 << 16),
                // Offline file: system flags, and no mode.
                _ => (10, 0x0044_0020),
            };
            let at = zip.central[2];
            zip.bytes[at + 5] = host;
            zip.long(at + 38, attributes);
            return Some(zip);
        }
        "device" => all[2].attributes = 0o020_666 << 16,
        "volume-label" => all[2].attributes |= 0x08,
        "dos-folder" => all[2].attributes |= 0x10,
        "dos-archive" => all[2].attributes |= 0x21,
        "pipe-with-data" => all[2].attributes = 0o010_600 << 16,
        "size-too-small" => all[1].size = 100,
        "size-too-large" => all[1].size = 1000,
        "damaged" => all[1].data.splice(..4, [0xff; 4]).for_each(drop),
        "deflate-cut" => drop(all[1].data.pop()),
        "deflate-trailing" => all[1].data.extend(b"more"),
        "crc" => all[1].crc ^= 1,
        "month-13" => all[1].moment[1] = 13 << 5 | 1,
        "february-30" => all[1].moment[1] = 44 << 9 | 2 << 5 | 30,
        "february-29" => all[1].moment[1] = 44 << 9 | 2 << 5 | 29,
        "february-29-2023" => all[1].moment[1] = 43 << 9 | 2 << 5 | 29,
        "april-31" => all[1].moment[1] = 44 << 9 | 4 << 5 | 31,
        "no-date" => all[1].moment = [0, 0],
        "extra-broken" => all[1].extra = vec![1, 2, 200, 0, 0],
        "extra-padding" => all[1].extra = vec![0, 0, 0],
        "version-63" => all[1].version = 63,
        "version-45" => all[1].version = 45,
        "utf-8" => return Some(with_name("res/論文 é.txt")),
        "utf-8-unmarked"
        | "utf-8-broken"
        | "unicode-path"
        | "unicode-path-differs"
        | "unicode-path-twice"
        | "unicode-path-local"
        | "unicode-path-local-differs" => {
            let mut raw = Raw::stored("res/é.txt", b"x");
            let unicode = |name: &str, raw: &[u8]| {
                let mut value = vec![1];
                value.extend(crc32fast::hash(raw).to_le_bytes());
                value.extend(name.as_bytes());
                field(0x7075, &value)
            };
            match name {
                "utf-8-unmarked" => raw.flags = 0,
                "utf-8-broken" => raw.name[4] = 0xff,
                "unicode-path-local" => raw.local_extra = unicode("res/e.txt", &raw.name),
                "unicode-path-twice" | "unicode-path-local-differs" => {
                    (raw.flags, raw.name) = (0, b"res/\x82.txt".to_vec());
                    raw.extra = unicode("res/é.txt", &raw.name);
                    let local = if name == "unicode-path-twice" { "res/é.txt" } else { "res/e.txt" };
                    raw.local_extra = unicode(local, &raw.name);
                }
                "unicode-path" => {
                    (raw.flags, raw.name) = (0, b"res/\x82.txt".to_vec());
                    raw.extra = unicode("res/é.txt", &raw.name);
                }
                _ => raw.extra = unicode("res/e.txt", &raw.name),
            }
            return Some(Zip::build(&members(&manifest(&listed("/res/é.txt")), &[raw])));
        }
        "case-collision" => return Some(with_name("res/A.txt")),
        "reserved" => return Some(with_name(".Resourcesync-1-0/2")),
        "form-collision" => {
            let both = listed("/が") + &listed("/か\u{3099}").replace("more", "less");
            return Some(Zip::build(&members(
                &manifest(&both),
                &[Raw::stored("が", b"1"), Raw::stored("か\u{3099}", b"2")],
            )));
        }
        "sharp-collision" => {
            let both = listed("/STRAẞE") + &listed("/Strasse").replace("more", "less");
            return Some(Zip::build(&members(
                &manifest(&both),
                &[Raw::stored("STRAẞE", b"1"), Raw::stored("Strasse", b"2")],
            )));
        }
        "file-and-folder-case" => return Some(with_name("res/A.TXT/x")),
        "file-and-folder" => return Some(with_name("res/a.txt/x")),
        "twice" => all.push(Raw::stored("res/b.txt", b"other")),
        _ => return name.strip_prefix("name:").map(with_name),
    }
    Some(Zip::build(&all))
}

/// Mismatches between manifest and members.
fn of_manifest(name: &str, sound: &str) -> Option<Zip> {
    let with = |manifest: String, others: &[Raw]| Zip::build(&members(&manifest, others));
    let named = |name: &str| {
        let mut all = members(sound, &[]);
        all[0].name = name.into();
        Zip::build(&all)
    };
    let text = |name: &str| Raw::stored(name, b"x");
    Some(match name {
        "no-manifest" => Zip::build(&members(sound, &[])[1..]),
        "manifest-in-folder" => named("data/manifest.xml"),
        "manifest-in-capitals" => named("Manifest.xml"),
        "manifest-nearly" => named("manifest_.xml"),
        "unlisted" => with(sound.into(), &[text("Thumbs.db")]),
        "missing" => with(manifest(&listed("/gone.txt")), &[]),
        "missing-percent" => with(manifest(&listed("/c%20d.txt")), &[text("c d.txt")]),
        "missing-case" => with(manifest(&listed("/C.txt")), &[text("c.txt")]),
        "missing-form" => with(manifest(&listed("/が.txt")), &[text("か\u{3099}.txt")]),
        "percent-in-both" => with(manifest(&listed("/c%20d.txt")), &[text("c%20d.txt")]),
        "no-slash" => with(manifest(&listed("c.txt")), &[text("c.txt")]),
        "folder-as-path" => with(manifest(&listed("/sub")), &[text("sub/c.txt")]),
        "wrong-digest" => with(sound.replace("md5:84e0", "md5:0000"), &[]),
        "unreadable-digest" => with(sound.replace("md5:84e0", "md5:"), &[]),
        "unreadable-digest-and-wrong-digest" => {
            with(sound.replace("md5:84e0", "md5:").replace("sha-256:31e9", "sha-256:0000"), &[])
        }
        "upper-case-digest" => {
            with(sound.replace("md5:84e08a4c845ba3140df77d0b796827d6", "md5:84E08A4C845BA3140DF77D0B796827D6"), &[])
        }
        "unknown-algorithm" => with(sound.replace("md5:84e08a4c845ba3140df77d0b796827d6", "blake3:00ff"), &[]),
        "wrong-length" => with(sound.replace("length=\"340\"", "length=\"341\""), &[]),
        "resource-list" => with(
            sound
                .replace("resourcedump-manifest", "resourcelist")
                .replace(" path=\"/res/a.txt\"", "")
                .replace(" path=\"/res/b.txt\"", ""),
            &[],
        ),
        "broken-manifest" => with(sound.replace("</urlset>", ""), &[]),
        "shared-without-slash" => with(sound.replace("</urlset>", &format!("{}</urlset>", listed("res/a.txt"))), &[]),
        "shared" => with(sound.replace("</urlset>", &format!("{}</urlset>", listed("/res/a.txt"))), &[]),
        "patch" | "patch-missing" => {
            let patched = sound.replace("resourcedump-manifest\" at=", "changedump-manifest\" from=").replace(
                "type=\"text/plain\" path",
                "type=\"text/plain\" change=\"updated\" datetime=\"2024-04-02T00:00:00Z\" path",
            );
            let link = "path=\"/res/a.txt\"/>\n    <rs:ln rel=\"http://www.openarchives.org/rs/terms/patch\" href=\"https://example.com/a.diff\" \
                type=\"application/json-patch+json\" path=\"/a.diff\"/>";
            let others = [text("a.diff")];
            with(patched.replace("path=\"/res/a.txt\"/>", link), if name == "patch" { &others } else { &[] })
        }
        "deletion" | "deletion-with-path" | "deletion-with-file" | "deletion-with-other-file" | "change-missing" => {
            let patched = sound.replace("resourcedump-manifest\" at=", "changedump-manifest\" from=").replace(
                "type=\"text/plain\" path",
                "type=\"text/plain\" change=\"updated\" datetime=\"2024-04-02T00:00:00Z\" path",
            );
            let (change, path) = match name {
                "deletion" => ("deleted", ""),
                "deletion-with-path" => ("deleted", " path=\"/gone.txt\""),
                "deletion-with-file" => {
                    ("deleted", " hash=\"md5:9dd4e461268c8034f5c8564e155c67a6\" length=\"1\" path=\"/c.txt\"")
                }
                "deletion-with-other-file" => {
                    ("deleted", " hash=\"md5:00000461268c8034f5c8564e155c67a6\" length=\"9\" path=\"/c.txt\"")
                }
                _ => ("updated", " type=\"text/plain\" path=\"/gone.txt\""),
            };
            let last = format!(
                "  <url>\n    <loc>https://example.com/c</loc>\n    <rs:md change=\"{change}\" datetime=\"2024-04-03T00:00:00Z\"{path}/>\n  </url>\n</urlset>"
            );
            let others = [text("c.txt")];
            with(patched.replace("</urlset>", &last), if name.ends_with("file") { &others } else { &[] })
        }
        "manifest-in-gzip" => {
            let mut all = members(sound, &[]);
            all[0] = Raw::stored("manifest.xml", &gzip(sound.as_bytes()));
            Zip::build(&all)
        }
        "member-in-gzip" => with(manifest(&listed("/c.xml")), &[Raw::stored("c.xml", &gzip(b"<c/>"))]),
        "manifest-bomb" | "manifest-long" => {
            let length = if name == "manifest-bomb" { 3 << 20 } else { 900 << 10 };
            with(sound.replace("</urlset>", &format!("{}</urlset>", " ".repeat(length))), &[])
        }
        _ => return None,
    })
}
