//! Which of the planned inputs are read, where not all of them are wanted.

use alloc::{collections::BTreeSet, string::String};

use serde::{Deserialize, Serialize};

use super::PlannedInput;
use crate::{
    model::Kind,
    value::{Datetime, Precision},
};

const DAY: i64 = 86_400;

/// What is wanted of a Source. Nothing is left out of which it is not known that it is not wanted: what could not be read while planning stays.
///
/// ```
/// use resourcesync::api::{PlannedInput, PlanFilter};
///
/// let filter: PlanFilter = serde_json::from_str(r#"{"since": "2024-05-01T00:00:00Z"}"#)?;
/// let listed = r#"{"source": 0, "turn": 0, "uri": "https://a.example/1.xml", "kind": "change-list", "times": {"until": "2024-04-01T00:00:00Z"}}"#;
/// assert!(!filter.has(&serde_json::from_str::<PlannedInput>(listed)?));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanFilter {
    /// The kinds of inputs; all if there are none. An input of unknown kind may be of any.
    pub kinds: BTreeSet<Kind>,
    /// The URIs of the Capability Lists of the sets of resources; all sets if there are none.
    pub sets: BTreeSet<String>,
    /// The URIs of the inputs; all if there are none.
    pub documents: BTreeSet<String>,
    /// The moment from which on changes are wanted, as in documents: a closed Change List that is listed as ending before is not.
    #[serde(with = "moment", skip_serializing_if = "Option::is_none")]
    pub since: Option<Datetime>,
}

impl PlanFilter {
    /// True if the input is wanted.
    pub fn has(&self, input: &PlannedInput) -> bool {
        let is_any = |names: &BTreeSet<String>, name: &str| names.is_empty() || names.contains(name);
        let is_kind = self.kinds.is_empty() || input.kind == Kind::Unknown || self.kinds.contains(&input.kind);
        let is_of_set = match &input.set {
            Some(set) => is_any(&self.sets, set),
            // What leads to sets, and could not be read, may lead to any of them.
            None => input.problem.is_some() || self.sets.is_empty(),
        };
        let until = input.times.until.as_ref().and_then(|until| until.parse::<Datetime>().ok());
        is_kind && is_of_set && is_any(&self.documents, &input.uri) && until.is_none_or(|until| self.reaches(&until))
    }

    /// True if a change of this date is wanted. One that is dated by the day may have happened at its end.
    pub fn reaches(&self, date: &Datetime) -> bool {
        let days = match date.precision() {
            Precision::Year => 366,
            Precision::Month => 31,
            Precision::Day => 1,
            _ => 0_i64,
        };
        self.since.as_ref().is_none_or(|since| {
            let end = date.to_unix().0.saturating_add(days.saturating_mul(DAY));
            date.start() >= since.start() || (days > 0 && end > since.to_unix().0)
        })
    }
}

/// A datetime as text.
mod moment {
    use alloc::string::String;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::value::Datetime;

    pub(super) fn serialize<S: Serializer>(moment: &Option<Datetime>, to: S) -> Result<S::Ok, S::Error> {
        match moment {
            Some(moment) => to.collect_str(moment),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Datetime>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse().map_err(|error| D::Error::custom(alloc::format!("since: `{text}`: {error}"))))
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        diagnostic::{Reason, ReasonCode},
        report::Times,
    };

    fn input(kind: Kind, set: Option<&str>, until: Option<&str>) -> PlannedInput {
        let times = Times { until: until.map(Into::into), ..Times::default() };
        PlannedInput {
            kind,
            set: set.map(Into::into),
            times,
            ..PlannedInput::new(0, 0, "https://a.example/1.xml".into())
        }
    }

    fn since(text: &str) -> PlanFilter {
        PlanFilter { since: text.parse().ok(), ..PlanFilter::default() }
    }

    #[test]
    fn what_may_lead_to_a_set_stays() {
        let filter = PlanFilter { sets: ["https://a.example/c.xml".into()].into(), ..PlanFilter::default() };
        assert!(filter.has(&input(Kind::ResourceList, Some("https://a.example/c.xml"), None)));
        assert!(!filter.has(&input(Kind::ResourceList, Some("https://a.example/d.xml"), None)));
        let unset = input(Kind::ResourceList, None, None);
        assert!(!filter.has(&unset));
        assert!(filter.has(&PlannedInput { problem: Some(Reason::new(ReasonCode::NotReadToEnd)), ..unset }));
    }

    #[test]
    fn unknown_kinds_may_be_any() {
        let filter = PlanFilter { kinds: [Kind::ChangeList].into(), ..PlanFilter::default() };
        let wanted =
            [Kind::ChangeList, Kind::Unknown, Kind::ResourceList].map(|kind| filter.has(&input(kind, None, None)));
        assert_eq!(wanted, [true, true, false]);
        assert!(!PlanFilter { documents: ["https://a.example/2.xml".into()].into(), ..filter }.has(&input(
            Kind::Unknown,
            None,
            None
        )));
    }

    #[test]
    fn only_lists_that_end_before_are_left_out() {
        let filter = since("2024-05-01T12:00:00Z");
        let wanted = |until| filter.has(&input(Kind::ChangeList, None, until));
        assert!(wanted(None) && wanted(Some("2024-05-01T12:00:00Z")) && wanted(Some("some time")));
        assert!(!wanted(Some("2024-05-01T11:59:59.999Z")) && !wanted(Some("2024-05-01T13:00:00+02:00")));
        // It may end with the day.
        assert!(wanted(Some("2024-05-01")) && wanted(Some("2024-05")) && wanted(Some("2024")));
        assert!(!wanted(Some("2024-04-30")) && !wanted(Some("2024-03")) && !wanted(Some("2023")));
    }
}
