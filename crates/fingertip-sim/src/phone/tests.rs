//! The phone through its public face: touches at places found in the tree, and what the tree says then.

mod apps;
mod device;
mod hand;
mod input;
mod property;
mod scene;
mod system;
