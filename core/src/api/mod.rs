//! The API for all language bindings: functions and plain values.

mod builder;
mod list;
mod option_words;
pub mod plain;
mod read;
mod validate;

pub use crate::build::Builder;
pub use crate::{
    build::Refused,
    codec::{Gunzip, GunzipError},
    fixity::Digester,
    package::{
        Contents, Member, MemberData, MemberKind, MemberResource, MemberState, Piece, ReadAt, Role, TakeMember, Unpack,
        Verification, VerificationStep, Work, Worked, Worker,
    },
    parcel::ParcelError,
    read::{ItemReader, OnItem, counts_in_folder, is_package, is_package_name},
    source::{
        CrawlOptions, CrawlStep, Crawler, Division, Fetch, FetchError, FetchOutcome, Method, Mirror, PackageDepth,
        Partition, PlanFilter, PlannedInput, PlannerStep, Purpose, Readers, Resources, Response, ResponseReader,
        SourcePlanner,
    },
    validate::{
        Batch, DumpIndex, DumpListing, DumpScan, FindingBudget, InputOrigin, MergeError, MergeProblem, Merger, Options,
        Outcome, Run, Task, Validation, merge,
    },
};
pub use list::{LIST_FORMAT, LIST_FORMAT_VERSION, List};
pub use option_words::{LimitNames, OptionWords, severity};
pub use read::read;
pub use validate::validate;
