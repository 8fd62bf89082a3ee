//! The members of a piece of a package, with their states, for datasets.

use std::num::NonZeroUsize;

use pyo3::{prelude::*, types::PyBytes};
use resourcesync::{
    api::{InputOrigin, MemberResource, Options, Piece},
    diagnostic::{Reason, Severity},
    model::Kind,
};
use resourcesync_client::{
    Cancel, Meter,
    package::{self, OpenPackage, Opened, Place},
};

use crate::{error::misuse, json::written};

/// A package of which one piece was verified.
#[pyclass(frozen, module = "resourcesync._core")]
pub(crate) struct Members {
    package: OpenPackage,
    piece: Piece,
}

impl Members {
    pub(crate) fn new(opened: Opened, uri: &str, piece: Piece, options: &Options) -> Result<Members, Reason> {
        let place = Place::Bytes(InputOrigin::named(uri), Ok(opened));
        let package = package::open(place, piece, options, NonZeroUsize::MIN, &Cancel::default(), &mut |_| ())?;
        Ok(Members { package, piece })
    }
}

#[pymethods]
impl Members {
    /// Why nothing is known of the members: it is no package of a dump, or cannot be read. The first piece says so for all.
    #[getter]
    fn problem(&self) -> Option<String> {
        let all = &self.package.report.diagnostics;
        let found = all.iter().find(|found| found.severity == Severity::Error).or_else(|| all.first());
        let is_known = matches!(self.package.contents.kind(), Kind::ResourceDumpManifest | Kind::ChangeDumpManifest);
        // What is wrong with a manifest is found only by the verification of a whole package.
        let unknown =
            || String::from("[PKG-01] it has no manifest of a dump that can be read; its validation says more");
        let words = || found.map_or_else(unknown, |found| format!("[{}] {}", found.code, found.message));
        (self.piece.number == 0 && !is_known).then(words)
    }

    /// The members of the piece, each as JSON, in the order of the archive.
    fn rows(&self) -> PyResult<Vec<String>> {
        self.package.contents.members_of(self.piece).map(|member| written(&member)).collect()
    }

    /// The resources of the manifest whose member is missing, each as JSON; they belong to the first piece. What was deleted has none.
    fn absent(&self) -> PyResult<Vec<String>> {
        let is_absent = |own: &&MemberResource| own.path.is_some() || own.change.as_deref() != Some("deleted");
        let absent = self.package.contents.absent().filter(|own| self.piece.number == 0 && is_absent(own));
        absent.map(written).collect()
    }

    /// The bytes of a member, verified once more; `None` if they no longer match.
    fn content<'py>(&self, py: Python<'py>, index: u32) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let unpack = self.package.contents.unpack(index).ok_or_else(|| misuse(format!("there is no file {index}")))?;
        let mut content = Vec::new();
        let unpacked = py.detach(|| {
            let mut write = |bytes: &[u8]| {
                content.extend_from_slice(bytes);
                Ok(())
            };
            self.package.unpack(unpack, &Meter::default(), &mut write)
        });
        Ok(unpacked.is_ok().then(|| PyBytes::new(py, &content)))
    }
}
