//! The X display: windows, pointer, keys, pictures and clipboard.
