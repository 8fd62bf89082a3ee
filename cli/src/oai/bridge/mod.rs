//! `resourcesync oai bridge`: harvests repositories, and publishes their records as Sources.

mod publishing;
mod repositories;
mod repository;

use std::time::Duration;

use self::{publishing::Publishing, repository::Bridging};
use crate::{arguments::OaiBridge, error::CliError, interrupt::Interrupt};

/// The longest time between two runs of a service.
const A_DAY: Duration = Duration::from_secs(86_400);

/// Runs it.
pub(super) fn run(arguments: &OaiBridge) -> Result<i32, CliError> {
    let interrupt = Interrupt::within(arguments.common.max_time);
    let publishing = Publishing { arguments, interrupt: &interrupt, is_line: arguments.repositories.is_some() };
    match &arguments.repositories {
        Some(file) => repeat(&publishing, &|| repositories::once(&publishing, file)),
        None => {
            let bridge = Bridging::new(&publishing)?;
            repeat(&publishing, &|| bridge.once())
        }
    }
}

/// Runs once, or as a service. A run returns its status, and how long the repository wants to be left alone.
fn repeat(publishing: &Publishing<'_>, once: &dyn Fn() -> Result<(i32, Duration), CliError>) -> Result<i32, CliError> {
    loop {
        let (status, pause) = once()?;
        let Some(least) = publishing.arguments.watch else { return Ok(status) };
        if !publishing.interrupt.cancel().sleep(least.max(pause.min(A_DAY))) {
            return Ok(status);
        }
    }
}
