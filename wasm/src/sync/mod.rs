//! Copies of Sources, in a separate module: what changed, and whether bytes are those that are listed. Values are passed as JSON, bodies as bytes.

pub mod follower;
pub mod pull;
pub mod resource;
