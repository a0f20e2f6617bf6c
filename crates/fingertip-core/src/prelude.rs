//! [`Target`] and all the parts of one, for code that implements them or calls them on concrete types.

pub use crate::target::{
    AppCloser, Applications, Changes, Clipboard, Elements, Endings, Keyboard, Logs, Look, Pictures, Pointer,
    Survey, SystemKeys, Target, TextFields, Touch, Values, Watching, WindowManager,
};
