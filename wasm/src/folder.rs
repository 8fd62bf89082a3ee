//! Folders: the files that are validated, and the mapping of URIs to files in a mirror of a Source.

use resourcesync::api::{self, FetchError};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::object::object;

/// True for the path of a file, with `/` as separator, that is validated as part of a folder.
#[wasm_bindgen(js_name = countsInFolder)]
pub fn counts_in_folder(path: &str) -> bool {
    api::counts_in_folder(path)
}

/// A folder that mirrors a Source.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Mirror(api::Mirror);

#[wasm_bindgen]
impl Mirror {
    /// Creates a mirror of the URIs below a base.
    #[wasm_bindgen(constructor)]
    pub fn new(base: &str) -> Mirror {
        Mirror(api::Mirror::new(base))
    }

    /// The URI of the folder, with a trailing slash.
    #[wasm_bindgen(getter)]
    pub fn base(&self) -> String {
        self.0.base().to_owned()
    }

    /// The path of a URI below the folder, with `/` as separator.
    ///
    /// # Errors
    ///
    /// An object with `notFound` or `skipped`, if it is not below the base, has a query, or has no file name.
    pub fn path(&self, uri: &str) -> Result<String, JsValue> {
        self.0.path(uri).map(|names| names.join("/")).map_err(|error| {
            let (key, reason) = match error {
                FetchError::NotFound { reason } => ("notFound", reason),
                FetchError::Skipped { reason } => ("skipped", reason),
                FetchError::Failed { reason } => ("failed", reason),
            };
            let thrown = js_sys::Object::new();
            // Setting a property of a new object cannot fail.
            let _ = js_sys::Reflect::set(&thrown, &key.into(), &object(&reason));
            thrown.into()
        })
    }

    /// The URI of the file at a path below the folder.
    pub fn uri(&self, path: &str) -> String {
        self.0.uri(path)
    }

    /// The starting point, given the paths of existing files; `undefined` if there is none.
    pub fn start(&self, paths: Vec<String>) -> Option<String> {
        self.0.start(|path| paths.iter().any(|own| own == path))
    }
}
