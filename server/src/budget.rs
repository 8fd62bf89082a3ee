//! Memory for bodies, by who sends them: no client uses what others need, and nobody what Sources need.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use resourcesync_notify::hub::Role;

/// Maximum bytes of the bodies in memory of one client, and of all clients, for each role.
const SOURCES: (usize, usize) = (64 << 20, 128 << 20);
const SIGNERS: (usize, usize) = (16 << 20, 64 << 20);
const SUBSCRIBERS: (usize, usize) = (1 << 20, 32 << 20);
/// Maximum bodies of one client at the same time, for each role.
const BODIES: usize = 64;

/// What remains for bodies.
#[derive(Debug)]
pub(crate) struct Budgets {
    sources: Arc<Budget>,
    signers: Arc<Budget>,
    subscribers: Arc<Budget>,
}

impl Default for Budgets {
    fn default() -> Budgets {
        let [sources, signers, subscribers] = [SOURCES, SIGNERS, SUBSCRIBERS].map(|most| Arc::new(Budget::new(most)));
        Budgets { sources, signers, subscribers }
    }
}

impl Budgets {
    /// A body that is about to be read: of one client, or of one that nobody names, for which only the limit of all counts. `None` for a
    /// role whose bodies are not read.
    pub(crate) fn body(&self, role: Role, client: Option<&str>) -> Option<Result<Share, Lack>> {
        let budget = match role {
            Role::Source => &self.sources,
            Role::Signer => &self.signers,
            Role::Subscriber => &self.subscribers,
            _ => return None,
        };
        Some(Budget::begin(budget, client))
    }
}

/// What remains for the bodies of a role.
#[derive(Debug)]
struct Budget {
    /// Maximum bytes: of one client, and of all.
    most: (usize, usize),
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    bytes: usize,
    /// Bodies and their bytes.
    clients: HashMap<String, (usize, usize)>,
}

/// Why there is no memory for a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lack {
    /// The client has too much already.
    Own,
    /// All clients together have.
    All,
}

impl Budget {
    fn new(most: (usize, usize)) -> Budget {
        Budget { most, held: Mutex::default() }
    }

    fn begin(budget: &Arc<Budget>, client: Option<&str>) -> Result<Share, Lack> {
        if let Some(client) = client {
            let mut held = budget.held.lock().unwrap_or_else(PoisonError::into_inner);
            let (bodies, _) = held.clients.entry(client.to_owned()).or_default();
            if *bodies >= BODIES {
                return Err(Lack::Own);
            }
            *bodies += 1;
        }
        Ok(Share { budget: budget.clone(), client: client.map(str::to_owned), bytes: 0 })
    }
}

/// The memory of one body, which is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    budget: Arc<Budget>,
    client: Option<String>,
    bytes: usize,
}

impl Share {
    /// Takes memory for more bytes.
    pub(crate) fn add(&mut self, bytes: usize) -> Result<(), Lack> {
        let (of_one, in_all) = self.budget.most;
        let mut held = self.budget.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.bytes + bytes > in_all {
            return Err(Lack::All);
        }
        if let Some((_, own)) = self.client.as_ref().and_then(|client| held.clients.get_mut(client)) {
            if *own + bytes > of_one {
                return Err(Lack::Own);
            }
            *own += bytes;
        }
        held.bytes += bytes;
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut held = self.budget.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.bytes -= self.bytes;
        let Some(client) = &self.client else { return };
        if let Some((bodies, bytes)) = held.clients.get_mut(client) {
            *bodies -= 1;
            *bytes -= self.bytes;
            if *bodies == 0 {
                held.clients.remove(client);
            }
        }
    }
}

/// Maximum bytes of a payload.
pub(crate) const PAYLOAD: usize = 8 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(budget: &Arc<Budget>, client: &str) -> Share {
        Budget::begin(budget, Some(client)).expect("room for a body")
    }

    #[test]
    fn one_client_does_not_use_what_others_need() {
        let budget = Arc::new(Budget::new((10, 25)));
        let (mut one, mut other) = (begin(&budget, "a"), begin(&budget, "a"));
        assert_eq!((one.add(7), other.add(4), other.add(3)), (Ok(()), Err(Lack::Own), Ok(())));
        let (mut second, mut third) = (begin(&budget, "b"), begin(&budget, "c"));
        assert_eq!((second.add(10), third.add(6), third.add(5)), (Ok(()), Err(Lack::All), Ok(())));
        // What ended makes room.
        drop(one);
        assert_eq!((other.add(7), third.add(1)), (Ok(()), Err(Lack::All)));
        drop((other, second, third));
        let held = budget.held.lock().expect("no panic");
        assert_eq!((held.bytes, held.clients.len()), (0, 0));
    }

    #[test]
    fn one_client_has_a_number_of_bodies_at_the_same_time() {
        let budget = Arc::new(Budget::new((1, 1)));
        let bodies: Vec<Share> = (0..BODIES).map(|_| begin(&budget, "a")).collect();
        assert!(matches!(Budget::begin(&budget, Some("a")), Err(Lack::Own)));
        assert!(Budget::begin(&budget, Some("b")).is_ok() && Budget::begin(&budget, None).is_ok());
        drop(bodies);
        assert!(Budget::begin(&budget, Some("a")).is_ok());
    }

    #[test]
    fn roles_have_memory_of_their_own() {
        let budgets = Budgets::default();
        let share = |role| budgets.body(role, Some("a")).map(|begun| begun.expect("room for a body"));
        let mut signer = share(Role::Signer).expect("a body to read");
        assert_eq!((signer.add(SIGNERS.0), signer.add(1)), (Ok(()), Err(Lack::Own)));
        let mut source = share(Role::Source).expect("a body to read");
        assert_eq!(source.add(SOURCES.0), Ok(()));
        assert!(share(Role::Stranger).is_none());
    }
}
