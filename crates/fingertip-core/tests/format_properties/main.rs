//! What must hold of every format for arbitrary trees and texts.

mod compact;
mod fingerprint;
mod outline;
mod select;
mod trees;
