/** What the compiler has to be told of the places this runs in. */

/** What importing a wasm file gives under Cloudflare's workers. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

/** A file as base64; the build puts it there. */
declare module "*.base64" {
  const text: string;
  export default text;
}

/** Workers of browsers have it. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
