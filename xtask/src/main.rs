//! Writes the JavaScript and the types for a wasm module: `xtask MODULE.wasm FOLDER`.

use std::{env, process::ExitCode};

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        eprintln!("usage: xtask MODULE.wasm FOLDER");
        return ExitCode::from(2);
    };
    let written = Bindgen::new().input_path(module).web(true).and_then(|bindgen| {
        bindgen
            .typescript(true)
            .omit_default_module_path(true)
            .remove_name_section(true)
            .reset_state_function(true)
            .out_name("glue")
            .generate(folder)
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:?}");
            ExitCode::from(1)
        }
    }
}
