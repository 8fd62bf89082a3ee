//! Drives a [`Listener`](resourcesync_notify::listener::Listener): its state is made durable before it has effects, its requests are sent, its
//! copy is synchronized, and its events are passed on.
//!
//! | file | what it does |
//! | --- | --- |
//! | `driver` | the loop: inputs, the durable state, the effects afterwards, the next step |
//! | `exchanges` | requests to Sources and hubs, several at a time |
//! | `copy` | runs on the copy |
//! | `consumer` | events to a program or a file, in order, until they are taken |
//! | `messages` | the events of the driver, and what a face provides and shows |

mod consumer;
mod copy;
mod driver;
mod exchanges;
mod messages;

pub use self::{
    consumer::{Consumer, check},
    copy::Copy,
    driver::{Setup, drive},
    messages::{Clients, ConsumeError, DriverEvent, End, Face, ListenError, Purpose, Respond, Shown},
};
