//! The verbs of every face, with values that cross every border.

mod beside;
mod builder;
mod contents;
mod digester;
mod gunzip;
mod list;
mod looks;
mod options;
pub mod plain;
mod read;
mod reading;
mod run;
mod scan;
mod unpack;
mod validation;
mod verification;
mod walk;

pub use crate::build::Refused;
pub use crate::package::{Resource, Role, Work, Worked, Worker};
pub use crate::set::{Fetch, Following, Method, Missed, PackageDepth, Purpose, Resources, Response};
pub use beside::Beside;
pub use builder::Builder;
pub use contents::{Contents, Member, MemberKind, State};
pub use digester::Digester;
pub use gunzip::{Gunzip, Problem as GunzipProblem};
pub use list::{LIST_FORMAT, LIST_FORMAT_VERSION, List};
pub use options::Options;
pub use read::read;
pub use reading::{Reading, Take};
pub use run::{Run, validate};
pub use scan::{Dump, Scan};
pub use unpack::Unpack;
pub use validation::{Outcome, Source, Validation};
pub use verification::{Fill, Step, Verification, is_package};
pub use walk::{Next, Visit, Visited, Walk};
