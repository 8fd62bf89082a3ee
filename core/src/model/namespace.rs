//! The two namespaces of the standard.

/// The Sitemap namespace (Z39.99-2017 §4).
pub const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
/// The ResourceSync namespace (Z39.99-2017 §4).
pub const RESOURCESYNC: &str = "http://www.openarchives.org/rs/terms/";
