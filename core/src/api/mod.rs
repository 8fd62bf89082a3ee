//! The verbs of every face, with values that cross every border.

mod builder;
mod list;
pub mod plain;
mod read;
mod validate;

pub use crate::{
    build::Refused,
    codec::{Gunzip, GunzipProblem},
    fixity::Digester,
    package::{
        Contents, Fill, Member, MemberKind, Resource, Role, State, Step, Unpack, Verification, Work, Worked, Worker,
    },
    read::{Reading, Take, is_package},
    source::{
        Fetch, Following, Method, Missed, Next, PackageDepth, Purpose, Resources, Response, Visit, Visited, Walk,
    },
    validate::{Beside, Bound, Dump, Options, Outcome, Run, Scan, Source, Validation},
};
pub use builder::Builder;
pub use list::{LIST_FORMAT, LIST_FORMAT_VERSION, List};
pub use read::read;
pub use validate::validate;
