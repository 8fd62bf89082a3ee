//! Runs every function on its seeds, and on damaged copies of them; compares the functions with the targets of libFuzzer.

use std::{fs, path::Path};

use resourcesync_fuzz::{BODIES, seeds};

/// Damaged copies of each target.
const COPIES: usize = 300;

/// SplitMix64: the same damage in every run.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % below.max(1) as u64) as usize
    }
}

fn damage(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..=random.next(4) {
        let at = random.next(bytes.len() + 1);
        match random.next(5) {
            0 => bytes.insert(at, random.next(256) as u8),
            1 if at < bytes.len() => bytes[at] ^= 1 << random.next(8),
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..(at + random.next(12)).min(bytes.len()))),
            _ => {
                let from = random.next(other.len() + 1);
                let part = other[from..(from + random.next(60)).min(other.len())].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
}

#[test]
fn every_function_stands_its_seeds_and_damaged_copies_of_them() {
    for (name, body) in BODIES {
        let seeds = seeds(name);
        assert!(seeds.len() > 4, "{name} has hardly any seeds");
        seeds.iter().for_each(|seed| body(seed));
        let mut random = Random(7);
        for _ in 0..COPIES {
            let mut bytes = seeds[random.next(seeds.len())].clone();
            damage(&mut bytes, &seeds[random.next(seeds.len())], &mut random);
            body(&bytes);
        }
        body(&[]);
    }
}

#[test]
fn every_function_is_a_target_of_libfuzzer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(folder.join("libfuzzer/Cargo.toml")).unwrap();
    for (name, _) in BODIES {
        let target = fs::read_to_string(folder.join(format!("libfuzzer/targets/{name}.rs"))).unwrap_or_default();
        assert!(target.contains(&format!("resourcesync_fuzz::{name}(data)")), "libfuzzer/targets/{name}.rs: {target}");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} is not in libfuzzer/Cargo.toml");
    }
    let page = fs::read_to_string(folder.join("../docs/security-testing.md")).unwrap();
    let missing: Vec<_> = BODIES.iter().filter(|(name, _)| !page.contains(&format!("\n| `{name}` |"))).collect();
    assert!(missing.is_empty(), "docs/security-testing.md has no row for {missing:?}");
    for dictionary in fs::read_dir(folder.join("dictionaries")).unwrap() {
        let path = dictionary.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(BODIES.iter().any(|(target, _)| *target == name), "no target is called {name}");
    }
}
