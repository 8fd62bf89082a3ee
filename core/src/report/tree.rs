//! A whole Source in text: the tree of documents, and a summary of each set of resources.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    Input, ResourceSet, Via,
    escape::visible,
    i18n::{
        labels::{counted, fill},
        of_report,
    },
    outline::Outline,
};
use crate::model::Kind;

/// The maximum indentation of the tree.
const DEPTH: usize = 8;

impl<'a> Outline<'a> {
    /// True if a whole Source was crawled.
    pub(super) fn is_walk(&self) -> bool {
        !self.report.sets.is_empty()
            || self.report.inputs.iter().any(|input| input.parent.is_some() && input.via != Via::Zip)
    }

    /// The first inputs, each below the one that linked to it, then the number of further ones.
    pub(super) fn tree(&self, most: usize) -> Vec<String> {
        let order = self.walk();
        let line = |(depth, input): &(usize, &Input)| format!("{}{}", "  ".repeat(*depth), self.branch(input));
        let mut lines: Vec<String> = order.iter().take(most).map(line).collect();
        lines.extend(self.and_more(self.report.inputs.len().saturating_sub(most)));
        lines
    }

    /// The inputs with their depth, each below the one that linked to it.
    pub(super) fn walk(&self) -> Vec<(usize, &'a Input)> {
        let mut below: BTreeMap<Option<u64>, Vec<&'a Input>> = BTreeMap::new();
        for input in &self.report.inputs {
            // Ignores cycles, which a foreign report may contain.
            below.entry(input.parent.filter(|parent| *parent < input.id)).or_default().push(input);
        }
        let mut waiting: Vec<(usize, &'a Input)> = Vec::new();
        let mut order = Vec::new();
        let mut next = |parent: Option<u64>, depth: usize, waiting: &mut Vec<_>| {
            waiting.extend(below.remove(&parent).unwrap_or_default().into_iter().rev().map(|input| (depth, input)));
        };
        next(None, 0, &mut waiting);
        while let Some((depth, input)) = waiting.pop() {
            order.push((depth.min(DEPTH), input));
            next(Some(input.id), depth.saturating_add(1), &mut waiting);
        }
        order
    }

    fn branch(&self, input: &Input) -> String {
        let (name, verdict) = (visible(&input.name), self.phrases.verdict(input.verdict));
        match &input.reason {
            Some(told) => {
                let told = visible(&of_report(told, input.cause.as_ref(), self.lang));
                fill(self.phrases.left_out_line, &[("name", &name), ("verdict", verdict), ("reason", &told)])
            }
            None => {
                let entries = counted(self.phrases.entries, input.entries);
                let kind = visible(self.kind(input));
                let values = [("name", &*name), ("verdict", verdict), ("kind", &*kind), ("entries", &*entries)];
                fill(self.phrases.input_line, &values)
            }
        }
    }

    /// The first sets of resources, one line each, then the number of further ones.
    pub(super) fn sets(&self, most: usize) -> Vec<String> {
        let sets = &self.report.sets;
        let mut lines: Vec<String> = sets.iter().take(most).map(|set| self.set(set)).collect();
        lines.extend(self.and_more(sets.len().saturating_sub(most)));
        lines
    }

    fn set(&self, set: &ResourceSet) -> String {
        let phrases = self.phrases;
        let kind = |name: &str| match Kind::find(name) {
            #[cfg(feature = "texts")]
            Some(kind) if self.lang != super::Lang::En => kind.title_ja().to_string(),
            _ => name.to_string(),
        };
        let documents = |(name, count): (&String, &u64)| {
            fill(phrases.set_documents, &[("n", &count.to_string()), ("kind", &kind(name))])
        };
        let mut parts: Vec<String> = set.documents.iter().map(documents).collect();
        parts.push(counted(phrases.resources, set.resources));
        if set.bytes > 0 {
            parts.push(phrases.size(set.bytes));
        }
        if set.resources_read > 0 {
            parts.push(counted(phrases.resources_read, set.resources_read));
        }
        let changes = counted(phrases.changes, set.changes);
        parts.push(match &set.newest_change {
            Some(newest) => fill(phrases.newest_change, &[("changes", &changes), ("newest", &visible(newest))]),
            None => changes,
        });
        let name = visible(&super::outline::name(self.report, set.input));
        fill(phrases.set_line, &[("name", &name), ("parts", &parts.join(phrases.comma))])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Lang, sample};

    fn walk() -> crate::report::Report {
        let mut report = sample::clean();
        report.inputs = (0..4).map(sample::input).collect();
        for (at, parent) in [(1, 0), (2, 1), (3, 0)] {
            report.inputs[at].parent = Some(parent);
            report.inputs[at].via = Via::Loc;
        }
        report.inputs[3].reason = Some("another host".into());
        report
    }

    #[test]
    fn documents_stand_below_what_led_to_them() {
        let report = walk();
        let outline = Outline::new(&report, Lang::En);
        let line = "list.xml: valid resource-list, 3 entries";
        let expected = [
            line.to_string(),
            format!("  {line}"),
            format!("    {line}"),
            "  list.xml: valid, not checked: another host".into(),
        ];
        assert_eq!(outline.tree(9), expected);
        assert_eq!(outline.tree(1), [line, "… and 3 more"]);
        assert!(outline.is_walk());
    }

    #[test]
    #[cfg(feature = "texts")]
    fn a_set_counts_its_documents_as_each_language_does() {
        let mut report = walk();
        report.sets = alloc::vec![ResourceSet {
            input: 0,
            documents: [("change-list".to_string(), 2)].into(),
            resources: 3,
            changes: 0,
            bytes: 0,
            resources_read: 0,
            newest_change: None,
        }];
        let set = |lang| Outline::new(&report, lang).sets(9).concat();
        assert_eq!(set(Lang::En), "set list.xml: 2 change-list, 3 resources, 0 changes");
        assert_eq!(set(Lang::Ja), "セット list.xml: 変更リスト 2 件、リソース 3 件、変更 0 件");
    }

    #[test]
    fn a_report_that_goes_in_circles_ends() {
        let mut report = walk();
        report.inputs[1].parent = Some(2);
        report.inputs[2].parent = Some(1);
        assert_eq!(Outline::new(&report, Lang::En).tree(9).len(), 4);
    }
}
