//! The URI of a place in an object store, and how that is opened.

use std::{env, io, path::Path, sync::Arc};

use object_store::{aws::AmazonS3Builder, azure::MicrosoftAzureBuilder, gcp::GoogleCloudStorageBuilder};

use super::{
    connector::Connector,
    error::failed,
    store::{Objects, Store},
};
use crate::http::Client;

/// Opens the place of a URI: `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX` or `az://CONTAINER/PREFIX`. Credentials, endpoints and accounts are those
/// of the environment variables that the tools of these stores use, such as `AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT` or `AZURE_STORAGE_ACCOUNT_NAME`. `own` is the private folder of the
/// copy; requests have the proxy and the certificate authorities of the client.
///
/// # Errors
///
/// If the URI is none of these, or the environment lacks something that is needed.
pub fn open(uri: &str, own: &Path, client: &Client) -> io::Result<Objects> {
    let invalid = || {
        let expected = "expected s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or az://CONTAINER/PREFIX";
        io::Error::new(io::ErrorKind::InvalidInput, format!("`{uri}`: {expected}"))
    };
    let (scheme, rest) = uri.split_once("://").ok_or_else(invalid)?;
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    if bucket.is_empty() || prefix.contains(['?', '#']) || bucket.contains(['?', '#', '@']) {
        return Err(invalid());
    }
    let connector = Connector::new(client, &named()).map_err(io::Error::other)?;
    let store: Arc<dyn Store> = match scheme {
        "s3" => Arc::new(
            AmazonS3Builder::from_env()
                .with_bucket_name(bucket)
                .with_http_connector(connector)
                .build()
                .map_err(failed)?,
        ),
        "gs" => Arc::new(
            GoogleCloudStorageBuilder::from_env()
                .with_bucket_name(bucket)
                .with_http_connector(connector)
                .build()
                .map_err(failed)?,
        ),
        "az" => Arc::new(
            MicrosoftAzureBuilder::from_env()
                .with_container_name(bucket)
                .with_http_connector(connector)
                .build()
                .map_err(failed)?,
        ),
        _ => return Err(invalid()),
    };
    Objects::new(store, prefix, own)
}

/// The services of the network that hand out credentials, if the user has named them.
fn named() -> Vec<String> {
    let variables =
        ["AWS_METADATA_ENDPOINT", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "GCE_METADATA_HOST", "IDENTITY_ENDPOINT"];
    variables.iter().filter_map(|name| env::var(name).ok()).collect()
}
