/** Vite finds the worker and the module by itself when it builds; while developing it must not touch the package. */
export default { optimizeDeps: { exclude: ["resourcesync"] } };
