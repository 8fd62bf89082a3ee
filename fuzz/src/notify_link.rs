//! Headers of topics and deliveries: links round-trip; signatures are valid or not.

use resourcesync::source::discovery::{links, resolve, write_links};
use resourcesync_notify::signature::{Algorithm, sign, verify};

/// Values of `Link`, one per line, which are also parsed as signatures.
pub fn notify_link(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let uri = "https://example.com/topic";
    let found: Vec<_> = links(text.lines(), uri).collect();
    for link in &found {
        let Some(target) = resolve(uri, &link.target) else { continue };
        for rel in link.rels.iter().filter(|rel| !rel.contains(['"', '\\', ','])) {
            let written = write_links([(&*target, &**rel), (uri, "self")]);
            let again: Vec<_> = links([&*written], uri).collect();
            assert_eq!(again.len(), 2, "{written}");
            assert_eq!((&again[0].target, &*again[0].rels), (&target, &[rel.clone()][..]), "{written}");
        }
    }
    let _ = verify(b"secret", text.lines(), data, Algorithm::ALL);
    for algorithm in Algorithm::ALL.iter().copied() {
        let right = sign(algorithm, b"secret", data);
        assert_eq!(verify(b"secret", [&*right], data, Algorithm::ALL), Ok(algorithm));
        assert!(verify(b"secret", [&*right], &[data, b" "].concat(), Algorithm::ALL).is_err());
    }
}
