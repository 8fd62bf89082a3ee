//! Publishing the records of a program: the core decides in memory, JavaScript stores files.

mod choice;
pub mod intake;
mod part;
pub mod run;
pub mod state;
pub mod writing;
