//! Stores of the library for object stores.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use object_store::{ObjectStoreExt as _, PutPayload, memory::InMemory, path::Path as Key};
use resourcesync_client::{
    destination::Keep,
    objects::{self, Objects},
};

use crate::{Bodies, Subject, last, source::Place};

/// A store of the library.
pub(crate) struct Library<S>(pub(crate) Arc<S>, pub(crate) String);

pub(crate) fn own(place: &Place) -> PathBuf {
    place.copy().join(".resourcesync")
}

impl<S: objects::Store> Library<S> {
    pub(crate) fn objects(&self, place: &Place) -> Objects {
        Objects::new(self.0.clone(), &self.1, &own(place)).unwrap()
    }

    /// The keys below the prefix, with the objects.
    pub(crate) fn all(&self) -> BTreeMap<String, Vec<u8>> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            use futures_util::TryStreamExt as _;
            let prefix = Key::parse(&self.1).unwrap();
            let metas: Vec<_> = self.0.list(Some(&prefix)).try_collect().await.unwrap();
            let mut found = BTreeMap::new();
            for meta in metas {
                let body = self.0.get(&meta.location).await.unwrap().bytes().await.unwrap();
                let key = meta.location.as_ref().strip_prefix(&self.1).unwrap().trim_start_matches('/').to_owned();
                found.insert(key, body.to_vec());
            }
            found
        })
    }
}

impl<S: objects::Store> Subject for Library<S> {
    fn keep(&self, place: &Place) -> Keep {
        Keep::named("s3://bucket/prefix", self.objects(place))
    }

    fn holds(&self, _: &Place) -> Bodies {
        let is_resource = |key: &String| !key.starts_with(".resourcesync");
        self.all().into_iter().filter(|(key, _)| is_resource(key)).map(|(key, body)| (last(&key), body)).collect()
    }

    fn damage(&self, _: &Place, name: &str, removes: bool) {
        let (key, body) = self.all().into_iter().find(|(key, _)| last(key) == name).unwrap();
        let key = Key::parse(format!("{}/{key}", self.1)).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        match removes {
            true => runtime.block_on(self.0.delete(&key)).unwrap(),
            false => drop(runtime.block_on(self.0.put(&key, PutPayload::from(vec![b'!'; body.len()]))).unwrap()),
        }
    }
}

pub(crate) fn memory(prefix: &str) -> Library<InMemory> {
    Library(Arc::new(InMemory::new()), prefix.to_owned())
}
