//! The colours of the demo phone, in one place.

use crate::phone::scene::Color;

pub(crate) const BACKGROUND: Color = Color(0xFFFA_FAFD);
pub(crate) const SURFACE: Color = Color(0xFFFF_FFFF);
pub(crate) const SURFACE_DIM: Color = Color(0xFFE9_EBF3);
pub(crate) const INK: Color = Color(0xFF1A_1C22);
pub(crate) const INK_SOFT: Color = Color(0xFF5A_5E6B);
pub(crate) const ACCENT: Color = Color(0xFF1F_5FBF);
pub(crate) const ON_ACCENT: Color = Color(0xFFFF_FFFF);
pub(crate) const ACCENT_SOFT: Color = Color(0xFFD6_E3FF);
pub(crate) const DANGER: Color = Color(0xFFB3_261E);
pub(crate) const LINE: Color = Color(0xFFC6_C9D4);
pub(crate) const DARK: Color = Color(0xFF12_141A);
pub(crate) const ON_DARK: Color = Color(0xFFF2_F3F8);
pub(crate) const SCRIM: Color = Color(0x9900_0000);
pub(crate) const PRESSED: Color = Color(0x2600_0000);
pub(crate) const SELECTION: Color = Color(0x661F_5FBF);
