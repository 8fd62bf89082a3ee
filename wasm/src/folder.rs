//! Folders: which files count where one is validated, and which file a URI stands for where one mirrors a Source.

use resourcesync::api::{self, FetchError};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::object::object;

/// True for the path of a file, joined with `/`, that is looked at where a folder is validated.
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
    /// Of what is below a URI.
    #[wasm_bindgen(constructor)]
    pub fn new(base: &str) -> Mirror {
        Mirror(api::Mirror::new(base))
    }

    /// The URI of the folder, with a slash at its end.
    #[wasm_bindgen(getter)]
    pub fn base(&self) -> String {
        self.0.base().to_owned()
    }

    /// The path that a URI leads to below the folder, joined with `/`.
    ///
    /// # Errors
    ///
    /// Why it leads nowhere, as an object with `notFound` or `skipped`, if it is not below the base, has a query, or has no file name.
    pub fn path(&self, uri: &str) -> Result<String, JsValue> {
        self.0.path(uri).map(|names| names.join("/")).map_err(|error| {
            let (key, reason) = match error {
                FetchError::NotFound { reason } => ("notFound", reason),
                FetchError::Skipped { reason } => ("skipped", reason),
                FetchError::Failed { reason } => ("failed", reason),
            };
            let thrown = js_sys::Object::new();
            // A fresh object takes any property.
            let _ = js_sys::Reflect::set(&thrown, &key.into(), &object(&reason));
            thrown.into()
        })
    }

    /// The URI of the file at a path below the folder.
    pub fn uri(&self, path: &str) -> String {
        self.0.uri(path)
    }

    /// Where to begin, given the paths that have a file; nothing if there is no place to begin at.
    pub fn start(&self, paths: Vec<String>) -> Option<String> {
        self.0.start(|path| paths.iter().any(|own| own == path))
    }
}
