//! Class names, as stock Android has them.

pub(crate) const BUTTON: &str = "android.widget.Button";
pub(crate) const CHECK_BOX: &str = "android.widget.CheckBox";
pub(crate) const EDIT_TEXT: &str = "android.widget.EditText";
pub(crate) const FRAME_LAYOUT: &str = "android.widget.FrameLayout";
pub(crate) const IMAGE_BUTTON: &str = "android.widget.ImageButton";
pub(crate) const IMAGE_VIEW: &str = "android.widget.ImageView";
pub(crate) const LINEAR_LAYOUT: &str = "android.widget.LinearLayout";
pub(crate) const LIST_VIEW: &str = "android.widget.ListView";
pub(crate) const RECYCLER_VIEW: &str = "androidx.recyclerview.widget.RecyclerView";
pub(crate) const RELATIVE_LAYOUT: &str = "android.widget.RelativeLayout";
pub(crate) const SCROLL_VIEW: &str = "android.widget.ScrollView";
pub(crate) const SEEK_BAR: &str = "android.widget.SeekBar";
pub(crate) const SPINNER: &str = "android.widget.Spinner";
pub(crate) const SWITCH: &str = "android.widget.Switch";
pub(crate) const TEXT_VIEW: &str = "android.widget.TextView";
pub(crate) const VIEW: &str = "android.view.View";
pub(crate) const VIEW_GROUP: &str = "android.view.ViewGroup";
pub(crate) const COMPOSE_VIEW: &str = "androidx.compose.ui.platform.ComposeView";
pub(crate) const VIEW_PAGER: &str = "androidx.viewpager.widget.ViewPager";
pub(crate) const CARD_VIEW: &str = "androidx.cardview.widget.CardView";
