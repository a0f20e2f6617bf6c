//! [`Target`] and all that one may hand out, for who implements or uses them by their concrete types.

pub use crate::target::{
    AppCloser, Applications, Changes, Clipboard, Elements, Endings, Keyboard, Logs, Look, Pictures, Pointer,
    Survey, SystemKeys, Target, TextFields, Touch, Values, Watching, WindowManager,
};
