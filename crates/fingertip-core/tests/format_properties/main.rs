//! What must hold of every format for trees and texts nobody thought of.

mod compact;
mod fingerprint;
mod outline;
mod select;
mod trees;
