//! Stores of the library for object stores.

use std::{
    collections::BTreeMap,
    fmt,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use async_trait::async_trait;
use futures_util::stream::BoxStream;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartId, MultipartUpload, ObjectMeta, ObjectStore,
    ObjectStoreExt as _, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
    memory::InMemory,
    multipart::{MultipartStore, PartId},
    path::Path as Key,
};
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

/// A store in memory that names another ETag whenever the bytes of a resource are looked at. Leases need conditional writes, and so the same one.
#[derive(Debug, Default)]
pub(crate) struct OtherTags {
    store: InMemory,
    looks: AtomicU64,
}

impl fmt::Display for OtherTags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.store.fmt(f)
    }
}

#[async_trait]
impl ObjectStore for OtherTags {
    async fn put_opts(&self, key: &Key, bytes: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.store.put_opts(key, bytes, options).await
    }

    async fn put_multipart_opts(&self, key: &Key, options: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        self.store.put_multipart_opts(key, options).await
    }

    async fn get_opts(&self, key: &Key, options: GetOptions) -> Result<GetResult> {
        let mut found = self.store.get_opts(key, options).await?;
        if !key.as_ref().contains(".resourcesync") {
            found.meta.e_tag = Some(format!("look-{}", self.looks.fetch_add(1, Ordering::Relaxed)));
        }
        Ok(found)
    }

    fn delete_stream(&self, keys: BoxStream<'static, Result<Key>>) -> BoxStream<'static, Result<Key>> {
        self.store.delete_stream(keys)
    }

    fn list(&self, prefix: Option<&Key>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.store.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Key>) -> Result<ListResult> {
        self.store.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Key, to: &Key, options: CopyOptions) -> Result<()> {
        self.store.copy_opts(from, to, options).await
    }
}

#[async_trait]
impl MultipartStore for OtherTags {
    async fn create_multipart(&self, key: &Key) -> Result<MultipartId> {
        self.store.create_multipart(key).await
    }

    async fn put_part(&self, key: &Key, id: &MultipartId, number: usize, bytes: PutPayload) -> Result<PartId> {
        self.store.put_part(key, id, number, bytes).await
    }

    async fn complete_multipart(&self, key: &Key, id: &MultipartId, parts: Vec<PartId>) -> Result<PutResult> {
        self.store.complete_multipart(key, id, parts).await
    }

    async fn abort_multipart(&self, key: &Key, id: &MultipartId) -> Result<()> {
        self.store.abort_multipart(key, id).await
    }
}

/// A library in such a store.
pub(crate) struct WithoutVersions(Library<OtherTags>);

impl Subject for WithoutVersions {
    fn keep(&self, place: &Place) -> Keep {
        self.0.keep(place)
    }

    fn holds(&self, place: &Place) -> Bodies {
        self.0.holds(place)
    }

    fn damage(&self, place: &Place, name: &str, removes: bool) {
        self.0.damage(place, name, removes);
    }

    fn has_versions(&self) -> bool {
        false
    }
}

pub(crate) fn other_tags() -> WithoutVersions {
    WithoutVersions(Library(Arc::default(), "p".to_owned()))
}
