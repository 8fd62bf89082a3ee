/** Declarations for the platforms. */

/** The result of importing a wasm file in Cloudflare Workers. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

/** A file as base64, inserted by the build. */
declare module "*.base64" {
  const text: string;
  export default text;
}

/** Available in workers of browsers. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
