//! The publication itself: sets, their sections, and the Source Description.

use alloc::{
    boxed::Box,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    ChangeHistory, DumpHistory, Settings, Store,
    change_lists::ChangeLists,
    dump::Dump,
    files::{Files, Listed, PublishedDocument},
    layout::{DESCRIPTION, Frame, SetLayout},
    resource_lists::ResourceLists,
};
use crate::{
    build::{Accepted, Builder, CapabilityEntry, CapabilityListEntry, Deflated, PublishError},
    model::{Entry, Head, Kind, Link},
    value::{Capability, Datetime, Relation, Uri},
};

/// A Source being published: takes resources and changes, writes files, and links them as the standard
/// requires.
///
/// Sets are written one after the other, and the sections of a set (Resource Lists, Change Lists, dumps) in any order. Documents are written
/// before those that link to them, the Source Description last, so there is never a dangling link. Memory does not grow with the number of
/// resources: at most one document is buffered. There is no clock, so output is reproducible.
///
/// ```
/// use resourcesync::build::{ChangeHistory, MemoryStore, Publication, Resource, ResourceChange, Settings};
///
/// let mut settings = Settings::default();
/// settings.describedby = Some("https://example.com/about.html".parse()?);
/// let mut store = MemoryStore::default();
/// let at = "2024-05-02T00:00:00Z".parse()?;
/// let mut source = Publication::new(&mut store, "https://example.com/".parse()?, at, settings)?;
/// source.set("theses", Some("https://example.com/theses.html".parse()?))?;
/// source.resource_list([Resource::new("https://example.com/1.pdf".parse()?).length(8876)])?;
/// let history = ChangeHistory::since("2024-05-01T00:00:00Z".parse()?);
/// let created = ResourceChange::created("https://example.com/1.pdf".parse()?).at("2024-05-01T09:00:00Z".parse()?);
/// source.change_lists(history, None, [created])?;
/// let published = source.finish()?;
/// assert_eq!(published.written, [
///     "theses/resourcelist.xml", "theses/changelist.xml",
///     "theses/capabilitylist.xml", ".well-known/resourcesync",
/// ]);
/// assert!(store.files["theses/capabilitylist.xml"].starts_with(b"<?xml"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Publication<S: Store> {
    frame: Frame,
    files: Files<S>,
    set: Option<SetLayout>,
    section: Section,
    /// Capability Lists, and the descriptions of their sets.
    lists: Vec<CapabilityListEntry>,
    published: Published,
    /// A list is not complete, so that nothing can be published.
    failed: bool,
    /// The Capability Lists and the Source Description stay as they are published.
    only_changes: bool,
}

#[derive(Debug)]
enum Section {
    None,
    Resources(Box<ResourceLists>),
    Changes(Box<ChangeLists>),
    Dump(Box<Dump>),
}

/// The result of a publication.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Published {
    /// The files written, in order.
    pub written: Vec<String>,
    /// Files of earlier publications that are still linked.
    pub kept: Vec<String>,
    /// The sets, in order.
    pub sets: Vec<PublishedSet>,
    /// The Source Description, with [`Settings::digests`].
    pub description: Option<PublishedDocument>,
    /// Findings below [`BuildOptions::fail_on`](crate::build::BuildOptions::fail_on).
    pub accepted: Accepted,
}

/// The result for one set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PublishedSet {
    /// Its name.
    pub name: String,
    /// Resources in its Resource Lists.
    pub resources: u64,
    /// Its Change Lists; pass them to the next publication.
    pub changes: Option<ChangeHistory>,
    /// Changes in the open one of them: a list that is full is closed.
    pub open: u64,
    /// Its Change Dump; pass it to the next publication.
    pub dump: Option<DumpHistory>,
    /// The documents written, the Capability List last, with [`Settings::digests`]. Indexes are not included, but the documents they
    /// list are.
    pub documents: Vec<PublishedDocument>,
}

impl<S: Store> Publication<S> {
    /// Starts a publication below a base URI at a point in time.
    ///
    /// # Errors
    ///
    /// If the base does not end with a slash or has user information, or the settings allow no entry in a document.
    pub fn new(
        store: S,
        base: Uri,
        at: Datetime,
        settings: Settings,
    ) -> Result<Publication<S>, PublishError<S::Error>> {
        // What is published would contain the password.
        let has_user = base.authority().is_some_and(|authority| authority.contains('@'));
        if has_user || !base.as_str().ends_with('/') || base.as_str().contains(['?', '#']) {
            let why = "the base URI must end with a slash and have neither user information, query nor fragment";
            return Err(PublishError::Misuse(why));
        }
        if settings.max_document_entries == 0 || settings.max_package_entries == 0 {
            return Err(PublishError::Misuse("a document and a package must allow at least one entry"));
        }
        let digests = settings.digests;
        Ok(Publication {
            frame: Frame { base, at, settings },
            files: Files::new(store, digests),
            set: None,
            section: Section::None,
            lists: Vec::new(),
            published: Published::default(),
            failed: false,
            only_changes: false,
        })
    }

    /// Starts a publication of changes: only Change Lists are written, and the Capability Lists, the Source Description, and an index
    /// without new lists stay as they are published.
    ///
    /// # Errors
    ///
    /// As [`Publication::new`].
    pub fn of_changes(
        store: S,
        base: Uri,
        at: Datetime,
        settings: Settings,
    ) -> Result<Publication<S>, PublishError<S::Error>> {
        Ok(Publication { only_changes: true, ..Publication::new(store, base, at, settings)? })
    }

    /// Starts a set of resources, in its own folder or in none; ends the previous set.
    ///
    /// # Errors
    ///
    /// If the name is not a relative path or is already used, or if the previous set cannot be ended.
    pub fn set(&mut self, name: &str, describedby: Option<Uri>) -> Result<(), PublishError<S::Error>> {
        self.end_set()?;
        if self.published.sets.iter().any(|set| set.name == name) {
            return Err(PublishError::Misuse("two sets have the same name"));
        }
        self.set = Some(SetLayout::new(&self.frame, name, describedby).map_err(PublishError::widen)?);
        self.published.sets.push(PublishedSet { name: name.to_string(), ..PublishedSet::default() });
        Ok(())
    }

    /// Starts the Resource Lists of the set. If the number of resources is known, nothing is buffered.
    ///
    /// # Errors
    ///
    /// If there is no set yet, or if the previous section cannot be ended.
    pub fn begin_resource_list(&mut self, expected: Option<u64>) -> Result<(), PublishError<S::Error>> {
        self.end_section()?;
        let set = self.set.as_ref().ok_or_else(no_set)?;
        let lists = ResourceLists::begin(set, &self.frame.settings, &mut self.files, expected)?;
        self.section = Section::Resources(Box::new(lists));
        Ok(())
    }

    /// Starts the Change Lists of the set. Push all changes since the start of the open list, old and new, ordered by datetime. If `close` is
    /// given, the list is closed at that moment and the next one starts.
    ///
    /// # Errors
    ///
    /// As [`Publication::begin_resource_list`].
    pub fn begin_change_lists(
        &mut self,
        history: ChangeHistory,
        close: Option<Datetime>,
    ) -> Result<(), PublishError<S::Error>> {
        self.end_section()?;
        let set = self.set.as_ref().ok_or_else(no_set)?;
        let lists = ChangeLists::begin(set, &self.frame.settings, history, close)?;
        let lists = if self.only_changes { lists.keep_index() } else { lists };
        self.published.kept.extend(lists.kept(set));
        self.section = Section::Changes(Box::new(lists));
        Ok(())
    }

    /// The changes in the open Change List of the set, so far.
    pub(crate) fn open(&self) -> u64 {
        if let Section::Changes(lists) = &self.section { lists.open() } else { 0 }
    }

    /// Writes the Change List that is closed under the number of the published open list, too.
    pub(crate) fn supersede(&mut self, number: u64) {
        if let Section::Changes(lists) = &mut self.section {
            lists.supersede(number);
        }
    }

    /// Starts the Resource Dump of the set: push each resource, then write its bytes.
    ///
    /// # Errors
    ///
    /// As [`Publication::begin_resource_list`].
    pub fn begin_resource_dump(&mut self) -> Result<(), PublishError<S::Error>> {
        self.end_section()?;
        let set = self.set.as_ref().ok_or_else(no_set)?;
        self.section = Section::Dump(Box::new(Dump::of_resources(set)));
        Ok(())
    }

    /// Starts the Change Dump of the set: push each change since the last package, then write its bytes, except for deletions.
    ///
    /// # Errors
    ///
    /// As [`Publication::begin_resource_list`].
    pub fn begin_change_dump(&mut self, history: DumpHistory) -> Result<(), PublishError<S::Error>> {
        self.end_section()?;
        let set = self.set.as_ref().ok_or_else(no_set)?;
        let dump = Dump::of_changes(history);
        self.published.kept.extend(dump.kept(set));
        self.section = Section::Dump(Box::new(dump));
        Ok(())
    }

    /// Adds a resource or a change to the section.
    ///
    /// # Errors
    ///
    /// If it is invalid; lists are then unchanged. In a dump also if the bytes of the previous entry did not match its description.
    pub fn push(&mut self, entry: impl Into<Entry>) -> Result<(), PublishError<S::Error>> {
        let (entry, settings) = (entry.into(), &self.frame.settings);
        let set = self.set.as_ref().ok_or_else(no_set)?;
        match &mut self.section {
            Section::None => Err(PublishError::Misuse("an entry outside a section")),
            Section::Resources(lists) => lists.push(entry, set, settings, &mut self.files),
            Section::Changes(lists) => lists.push(entry, set, settings, &mut self.files),
            Section::Dump(dump) => dump.push(entry, set, settings, &mut self.files),
        }
    }

    /// Adds a resource or a change with its bytes, which were deflated before, to the dump.
    ///
    /// # Errors
    ///
    /// As [`push`](Publication::push); also if the bytes do not match the description of the entry.
    pub fn push_deflated(&mut self, deflated: Deflated) -> Result<(), PublishError<S::Error>> {
        let set = self.set.as_ref().ok_or_else(no_set)?;
        match &mut self.section {
            Section::Dump(dump) => dump.push_deflated(deflated, set, &self.frame.settings, &mut self.files),
            _ => Err(PublishError::Misuse("bytes outside a dump")),
        }
    }

    /// Adds bytes of the bitstream of the entry that was pushed last to the dump.
    ///
    /// # Errors
    ///
    /// If there is no such entry.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), PublishError<S::Error>> {
        match &mut self.section {
            Section::Dump(dump) => dump.write(bytes, &mut self.files),
            _ => Err(PublishError::Misuse("bytes outside a dump")),
        }
    }

    /// Adds to the Capability List something that is published by other means, such as a notification
    /// channel.
    ///
    /// # Errors
    ///
    /// If there is no set yet.
    pub fn announce(&mut self, entry: CapabilityEntry) -> Result<(), PublishError<S::Error>> {
        self.set.as_mut().ok_or_else(no_set)?.announced.push(entry);
        Ok(())
    }

    /// The Resource Lists of the set, from all its resources. After an error the list is not complete, and [`Publication::finish`] fails, too.
    ///
    /// # Errors
    ///
    /// As [`Publication::begin_resource_list`] and [`Publication::push`].
    pub fn resource_list(
        &mut self,
        resources: impl IntoIterator<Item = impl Into<Entry>>,
    ) -> Result<(), PublishError<S::Error>> {
        let mut resources = resources.into_iter();
        let (least, most) = resources.size_hint();
        let begun = self.begin_resource_list(most.filter(|most| *most == least).map(|count| count as u64));
        let listed = begun.and_then(|()| resources.try_for_each(|resource| self.push(resource)));
        self.failed |= listed.is_err();
        listed
    }

    /// The Change Lists of the set, from all changes since the open one began. After an error [`Publication::finish`] fails, too.
    ///
    /// # Errors
    ///
    /// As [`Publication::begin_change_lists`] and [`Publication::push`].
    pub fn change_lists(
        &mut self,
        history: ChangeHistory,
        close: Option<Datetime>,
        changes: impl IntoIterator<Item = impl Into<Entry>>,
    ) -> Result<(), PublishError<S::Error>> {
        let begun = self.begin_change_lists(history, close);
        let listed = begun.and_then(|()| changes.into_iter().try_for_each(|change| self.push(change)));
        self.failed |= listed.is_err();
        listed
    }

    /// The URI of the Capability List of the set.
    pub fn capability_list(&self) -> Option<&Uri> {
        self.set.as_ref().map(|set| &set.up)
    }

    /// The store.
    pub fn store(&mut self) -> &mut S {
        &mut self.files.store
    }

    fn end_section(&mut self) -> Result<(), PublishError<S::Error>> {
        let section = core::mem::replace(&mut self.section, Section::None);
        let (Some(set), Some(published)) = (&mut self.set, self.published.sets.last_mut()) else { return Ok(()) };
        match section {
            Section::None => {}
            Section::Resources(lists) => {
                published.resources = lists.entries;
                lists.end(set, &mut self.files)?;
            }
            Section::Changes(lists) => {
                let (history, open) = lists.end(set, &self.frame.settings, &mut self.files)?;
                (published.changes, published.open) = (Some(history), open);
            }
            Section::Dump(dump) => {
                let of_changes = dump.is_of_changes();
                let history = dump.end(set, &mut self.files)?;
                published.dump = if of_changes { Some(history) } else { published.dump.take() };
            }
        }
        Ok(())
    }

    /// Writes the Capability List of the set.
    fn end_set(&mut self) -> Result<(), PublishError<S::Error>> {
        self.end_section()?;
        let Some(set) = self.set.take() else { return Ok(()) };
        if self.only_changes {
            self.take_documents();
            return Ok(());
        }
        let description = self.frame.uri(DESCRIPTION).map_err(PublishError::widen)?;
        let mut links = Vec::from([Link::new(Relation::UP, description)]);
        links.extend(set.describedby.clone().map(|uri| Link::new(Relation::DESCRIBEDBY, uri)));
        let head = Head { links, ..Head::default() };
        let mut list = Builder::new(Kind::CapabilityList, head, set.options.clone())?;
        for capability in set.capabilities.iter().chain(&set.announced) {
            list.push(capability.clone().into())?;
        }
        let listed = set.listed(Capability::CapabilityList, "capabilitylist", None);
        let text = list.finish_into(&mut self.files.accepted)?;
        self.files.put_document(set.path("capabilitylist"), listed, &text)?;
        self.take_documents();
        let entry = CapabilityListEntry::new(set.up);
        self.lists.push(set.describedby.into_iter().fold(entry, CapabilityListEntry::describedby));
        Ok(())
    }

    fn take_documents(&mut self) {
        self.published.sets.iter_mut().last().into_iter().for_each(|set| set.documents = self.files.take_documents());
    }

    /// Ends the last set and writes the Source Description.
    ///
    /// # Errors
    ///
    /// If either is invalid or could not be stored, or if a list failed.
    pub fn finish(mut self) -> Result<Published, PublishError<S::Error>> {
        if self.failed {
            return Err(PublishError::Misuse("a list of this publication failed, so nothing can be published"));
        }
        self.end_set()?;
        if self.only_changes {
            let Files { written, accepted, .. } = self.files;
            return Ok(Published { written, accepted, ..self.published });
        }
        let uri = self.frame.uri(DESCRIPTION).map_err(PublishError::widen)?;
        let settings = self.frame.settings;
        let described = settings.describedby.into_iter().map(|uri| Link::new(Relation::DESCRIBEDBY, uri));
        let links = described.chain(settings.index.map(|uri| Link::new(Relation::INDEX, uri))).collect();
        let head = Head { links, ..Head::default() };
        let mut description = Builder::new(Kind::SourceDescription, head, settings.options)?;
        for list in self.lists {
            description.push(list.into())?;
        }
        let listed = Listed { capability: Capability::Description, uri, index: None };
        let text = description.finish_into(&mut self.files.accepted)?;
        self.files.put_document(DESCRIPTION.to_string(), listed, &text)?;
        let description = self.files.take_documents().pop();
        let Files { written, accepted, .. } = self.files;
        Ok(Published { written, accepted, description, ..self.published })
    }
}

fn no_set<E>() -> PublishError<E> {
    PublishError::Misuse("no set was started")
}
