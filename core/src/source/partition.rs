//! Divides planned inputs among processes, such that no server gets more requests than one process would send.

use alloc::{
    collections::{BTreeMap, BTreeSet, BinaryHeap},
    string::{String, ToString},
    vec::Vec,
};
use core::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::{PlannedInput, discovery::host};
use crate::{model::Kind, package::Piece, read::is_package_name};

/// The bytes that an input is assumed to have if its length is not listed.
const UNKNOWN: u64 = 8 << 20;

/// How inputs are divided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Division {
    /// The partitions that may read from the same host at the same time, whatever the ports.
    pub lanes: u32,
    /// The requests per second that a host may get, for all its lanes together.
    pub requests_per_second: u32,
    /// Hosts that may get any number of requests, such as `store.example` or, at one port, `store.example:8080`: your own servers.
    pub own_hosts: BTreeSet<String>,
    /// The bytes that a partition of inputs from own hosts and folders should have.
    pub bytes: u64,
    /// Packages are divided into pieces of about these bytes; by default they are not.
    pub piece_bytes: Option<u64>,
    /// The least number of such partitions, if there are as many inputs.
    pub least: usize,
}

impl Default for Division {
    fn default() -> Division {
        Division {
            lanes: 4,
            requests_per_second: 10,
            own_hosts: BTreeSet::new(),
            bytes: 128 << 20,
            piece_bytes: None,
            least: 1,
        }
    }
}

/// Inputs that one process reads one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Partition {
    /// The host whose lane it is. All lanes of a host share the requests that it may get.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Its share of them: the requests per second that it may send.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_per_second: Option<u32>,
    /// The inputs, in the order of the plan.
    pub inputs: Vec<PlannedInput>,
}

impl Division {
    /// Divides the inputs: those of each host among its lanes, in turn; those of own hosts and folders, and those that were not found, by
    /// their bytes.
    pub fn divide(&self, inputs: impl IntoIterator<Item = PlannedInput>) -> Vec<Partition> {
        let mut lanes: BTreeMap<(String, u32), Vec<PlannedInput>> = BTreeMap::new();
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        let mut free = Vec::new();
        let rate = self.requests_per_second.max(1);
        let lane_count = self.lanes.clamp(1, rate);
        for input in inputs.into_iter().flat_map(|input| self.pieces(input)) {
            match host_of(&input.uri).filter(|host| input.problem.is_none() && !self.is_own(host, &input.uri)) {
                Some(host) => {
                    let count = counts.entry(host.to_string()).or_default();
                    // A lane with a larger share of the requests gets more of the inputs.
                    let turn = u32::try_from(count.checked_rem(u64::from(rate)).unwrap_or_default());
                    let lane = turn.unwrap_or_default().checked_rem(lane_count).unwrap_or_default();
                    *count = count.saturating_add(1);
                    lanes.entry((host, lane)).or_default().push(input);
                }
                None => free.push(input),
            }
        }
        let share = |lane: u32| rate.saturating_sub(lane).div_ceil(lane_count);
        let lanes = lanes.into_iter().map(|((host, lane), inputs)| Partition {
            host: Some(host),
            requests_per_second: Some(share(lane)),
            inputs,
        });
        let free = self.by_bytes(free).into_iter();
        lanes.chain(free.map(|inputs| Partition { host: None, requests_per_second: None, inputs })).collect()
    }

    fn is_own(&self, host: &str, uri: &str) -> bool {
        self.own_hosts.contains(host) || server(uri).is_some_and(|server| self.own_hosts.contains(&server))
    }

    /// A package of known length in pieces; any other input as it is.
    fn pieces(&self, input: PlannedInput) -> impl Iterator<Item = PlannedInput> {
        let is_package = match input.kind {
            Kind::ResourceDumpManifest | Kind::ChangeDumpManifest | Kind::Package => true,
            Kind::Unknown => is_package_name(&input.uri),
            _ => false,
        };
        let divided = input.length.zip(self.piece_bytes).filter(|_| is_package && input.problem.is_none());
        let (size, bytes) = divided.unwrap_or((0, 1));
        Piece::of_size(size, bytes).map(move |piece| match piece {
            Piece::WHOLE => input.clone(),
            piece => PlannedInput { length: Some(size.div_ceil(piece.of)), piece: Some(piece), ..input.clone() },
        })
    }

    /// The largest first, each into the smallest partition.
    fn by_bytes(&self, mut inputs: Vec<PlannedInput>) -> Vec<Vec<PlannedInput>> {
        let size =
            |input: &PlannedInput| if input.problem.is_some() { 1 } else { input.length.unwrap_or(UNKNOWN).max(1) };
        let total = inputs.iter().map(size).fold(0, u64::saturating_add);
        let wanted = usize::try_from(total.div_ceil(self.bytes.max(1))).unwrap_or(usize::MAX);
        let count = wanted.max(self.least).min(inputs.len());
        inputs.sort_by_key(|input| Reverse(size(input)));
        let mut partitions: Vec<Vec<PlannedInput>> = alloc::vec![Vec::new(); count];
        let mut smallest: BinaryHeap<Reverse<(u64, usize)>> = (0..count).map(|at| Reverse((0, at))).collect();
        for input in inputs {
            let Some(Reverse((bytes, at))) = smallest.pop() else { break };
            smallest.push(Reverse((bytes.saturating_add(size(&input)), at)));
            partitions.get_mut(at).into_iter().for_each(|partition| partition.push(input.clone()));
        }
        partitions.iter_mut().for_each(|partition| partition.sort_by_key(|input| (input.source, input.turn)));
        partitions
    }
}

/// The host of a URI and, if it is not that of the scheme, the port.
fn server(uri: &str) -> Option<String> {
    let host = host(uri)?;
    host.split_once("://").map(|(_, server)| server.trim_end_matches('/').to_string())
}

/// The host of a URI, whatever the port.
fn host_of(uri: &str) -> Option<String> {
    let server = server(uri)?;
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let name = server.rsplit_once(':').filter(|(_, port)| is_port(port)).map(|(name, _)| name.to_string());
    Some(name.unwrap_or(server))
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec};

    use super::*;
    use crate::{
        diagnostic::{Reason, ReasonCode},
        model::Kind,
    };

    fn input(turn: u64, uri: &str, length: u64) -> PlannedInput {
        PlannedInput { kind: Kind::ResourceList, length: Some(length), ..PlannedInput::new(0, turn, uri.into()) }
    }

    #[test]
    fn a_host_has_at_most_its_lanes_and_every_input_is_in_one_partition() {
        let division = Division { own_hosts: ["own.example".into()].into(), least: 3, ..Division::default() };
        let inputs: Vec<PlannedInput> = (0..50)
            .map(|at| input(at, &format!("https://{}.example/{at}.xml", ["a", "b", "own"][at as usize % 3]), 1 << 20))
            .collect();
        let partitions = division.divide(inputs.clone());
        for name in ["a.example", "b.example"] {
            let own = partitions.iter().filter(|own| own.host.as_deref() == Some(name));
            assert_eq!(own.clone().count(), 4);
            assert!(own.flat_map(|own| &own.inputs).all(|input| server(&input.uri).as_deref() == Some(name)));
        }
        let free: Vec<&Partition> = partitions.iter().filter(|own| own.host.is_none()).collect();
        assert_eq!(free.len(), 3);
        assert!(free.iter().all(|own| own.inputs.iter().all(|input| input.uri.starts_with("https://own.example/"))));
        let mut all: Vec<u64> = partitions.iter().flat_map(|own| &own.inputs).map(|input| input.turn).collect();
        all.sort_unstable();
        assert_eq!(all, (0..50).collect::<Vec<_>>());
        assert!(partitions.iter().all(|own| own.inputs.is_sorted_by_key(|input| input.turn)));
        assert_eq!(division.divide(inputs), partitions);
    }

    #[test]
    fn the_lanes_of_a_host_have_all_of_its_requests_and_no_more() {
        for (lanes, rate) in [(4, 10), (4, 3), (1, 10), (7, 10), (10, 10), (4, 4)] {
            let division = Division { lanes, requests_per_second: rate, ..Division::default() };
            // Ports of a host are the same server.
            let uri = |at: u64| format!("https://a.example{}/{at}.xml", ["", ":8443", ":9443"][at as usize % 3]);
            let partitions = division.divide((0..u64::from(rate) * 30).map(|at| input(at, &uri(at), 1)));
            assert!(partitions.len() <= lanes as usize, "{lanes} {rate}");
            assert!(partitions.iter().all(|own| own.host.as_deref() == Some("a.example")));
            let shares: Vec<u32> = partitions.iter().filter_map(|own| own.requests_per_second).collect();
            assert_eq!(shares.iter().sum::<u32>(), rate, "{shares:?}");
            // All of them end at the same time.
            let seconds = partitions.iter().zip(&shares).map(|(own, share)| own.inputs.len() / *share as usize);
            assert!(seconds.clone().all(|seconds| seconds == 30), "{lanes} {rate}: {:?}", seconds.collect::<Vec<_>>());
        }
        let own = ["a.example".into(), "b.example:8443".into()].into();
        let division = Division { own_hosts: own, ..Division::default() };
        let hosts = |uri: &str| division.divide([input(0, uri, 1)])[0].host.clone();
        assert_eq!((hosts("https://a.example:8443/"), hosts("https://b.example:8443/")), (None, None));
        assert_eq!(hosts("https://b.example/").as_deref(), Some("b.example"));
        assert_eq!(hosts("http://[::1]:8080/").as_deref(), Some("[::1]"));
        assert_eq!(hosts("http://[::1]/").as_deref(), Some("[::1]"));
    }

    #[test]
    fn packages_are_divided_and_documents_are_not() {
        let division = Division { piece_bytes: Some(10), bytes: 20, ..Division::default() };
        let package = PlannedInput { kind: Kind::ResourceDumpManifest, ..input(0, "/mnt/1.zip", 25) };
        let unknown = PlannedInput { kind: Kind::Unknown, ..input(2, "/mnt/2.zip", 11) };
        let lost = PlannedInput { problem: Some(Reason::new(ReasonCode::NotThere)), ..unknown.clone() };
        let partitions = division.divide([package, input(1, "/mnt/1.xml", 25), unknown, lost]);
        let all = partitions.iter().flat_map(|own| &own.inputs);
        let pieces = |turn| {
            let own = all.clone().filter(move |input| input.turn == turn && input.problem.is_none());
            let mut own: Vec<_> = own.map(|input| (input.piece, input.length)).collect();
            own.sort_by_key(|(piece, _)| piece.map(|piece| piece.number));
            own
        };
        let piece = |number, of| Some(Piece { number, of });
        assert_eq!(pieces(0), [0, 1, 2].map(|number| (piece(number, 3), Some(9))));
        assert_eq!(pieces(1), [(None, Some(25))]);
        assert_eq!(pieces(2), [0, 1].map(|number| (piece(number, 2), Some(6))));
        assert_eq!(all.filter(|input| input.problem.is_some()).count(), 1);
    }

    #[test]
    fn large_inputs_are_apart_and_what_was_not_found_needs_no_lane() {
        let sizes = [100_u64, 1, 90, 2, 80, 3];
        let inputs = sizes.iter().zip(0..).map(|(size, at)| input(at, &format!("/mnt/{at}.xml"), size << 20));
        let partitions = Division::default().divide(inputs);
        let bytes = |own: &Partition| own.inputs.iter().filter_map(|input| input.length).sum::<u64>() >> 20;
        assert_eq!(partitions.len(), 3);
        assert!(partitions.iter().all(|own| bytes(own) <= 100), "{partitions:?}");
        let gone =
            PlannedInput { problem: Some(Reason::new(ReasonCode::NotThere)), ..input(0, "https://a.example/", 0) };
        let partitions = Division::default().divide(vec![gone]);
        assert_eq!((partitions.len(), partitions[0].host.as_deref()), (1, None));
        assert_eq!(Division { lanes: 0, ..Division::default() }.divide([input(0, "https://a.example/x", 1)]).len(), 1);
        assert!(Division::default().divide([]).is_empty());
    }
}
