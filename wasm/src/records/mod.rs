//! Publishing the records of a program: the core decides in memory, JavaScript stores files.

pub mod changes;
mod choice;
pub mod intake;
mod notifications;
pub mod outbox;
mod part;
pub mod run;
pub mod state;
pub mod stated;
pub mod writing;
