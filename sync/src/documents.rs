//! A machine that asks for documents: what a driver that sends requests has to know of it.

use resourcesync::diagnostic::Reason;

use crate::{
    chain::Chain,
    dumps::Dumps,
    stream::Stream,
    survey::{Head, Step, Survey},
};

/// A machine that reads documents. What it found is taken from it after each call.
pub trait Documents {
    /// The next document to request.
    fn next(&mut self) -> Step;
    /// Takes the head of the response.
    fn answer(&mut self, head: Head);
    /// Takes bytes of its body, without content coding.
    fn push(&mut self, bytes: &[u8]);
    /// Takes the end of its body.
    fn end(&mut self);
    /// Learns that there is no response, or that it broke off.
    fn failed(&mut self, reason: Reason);
    /// Learns that the response broke off, and that the same document is requested again.
    fn again(&mut self);
    /// Ends reading early.
    fn stop(&mut self, reason: &Reason);
}

macro_rules! documents {
    ($($machine:ty),*) => {
        $(impl Documents for $machine {
            fn next(&mut self) -> Step {
                self.next()
            }
            fn answer(&mut self, head: Head) {
                self.answer(head);
            }
            fn push(&mut self, bytes: &[u8]) {
                self.push(bytes);
            }
            fn end(&mut self) {
                self.end();
            }
            fn failed(&mut self, reason: Reason) {
                self.failed(reason);
            }
            fn again(&mut self) {
                self.again();
            }
            fn stop(&mut self, reason: &Reason) {
                self.stop(reason);
            }
        })*
    };
}

documents!(Survey, Chain, Dumps, Stream);
