/** Vite finds the worker and the module in production builds; in development it must not pre-bundle the package. */
export default { optimizeDeps: { exclude: ["resourcesync"] } };
