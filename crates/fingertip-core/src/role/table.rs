//! The table of roles: the only place where a role and its names are written down.
//!
//! A row is the variant, its name, and what macOS, AT-SPI, Android and ARIA call it. Within one platform a
//! name stands once. Order has no meaning but for [`Role::Unknown`], which is the default.

use super::Entry;

macro_rules! roles {
    ($(
        #[doc = $doc:literal]
        $variant:ident $name:literal
            ax $ax:tt
            atspi $atspi:tt
            android $android:tt
            aria $aria:tt
    )*) => {
        /// What a node is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[non_exhaustive]
        pub enum Role {
            /// Not known.
            #[default]
            Unknown,
            $( #[doc = $doc] $variant, )*
        }

        impl Role {
            /// Every role.
            pub const ALL: &'static [Self] = &[Self::Unknown, $( Self::$variant, )*];
        }

        pub(super) const TABLE: &[Entry] = &[
            Entry {
                role: Role::Unknown,
                name: "unknown",
                ax: &["AXUnknown"],
                atspi: &["unknown", "invalid", "extended", "redundant object"],
                android: &[],
                aria: &[],
            },
            $( Entry {
                role: Role::$variant,
                name: $name,
                ax: &$ax,
                atspi: &$atspi,
                android: &$android,
                aria: &$aria,
            }, )*
        ];
    };
}

roles! {
    /// Does something when pressed.
    Button "button"
        ax ["AXButton", "AXCloseButton", "AXMinimizeButton", "AXZoomButton", "AXFullScreenButton"]
        atspi ["button", "push button"]
        android ["Button", "ImageButton", "FloatingActionButton"]
        aria ["button"]
    /// Stays pressed until pressed again.
    ToggleButton "toggle_button"
        ax ["AXToggle"]
        atspi ["toggle button"]
        android ["ToggleButton", "CompoundButton"]
        aria ["toggle"]
    /// Opens a menu when pressed.
    MenuButton "menu_button"
        ax ["AXMenuButton"]
        atspi ["push button menu", "button menu"]
        android ["ActionMenuItemView"]
        aria []
    /// Holds text, of one line or many, open or secret.
    TextField "text_field"
        ax ["AXTextField", "AXTextArea", "AXSecureTextField", "AXSearchField", "AXDateField", "AXTimeField"]
        atspi ["entry", "text", "password text", "autocomplete", "editbar", "terminal", "date editor"]
        android ["EditText", "AutoCompleteTextView", "MultiAutoCompleteTextView", "TextInputEditText", "SearchView"]
        aria ["textbox", "searchbox", "text area", "input", "edit", "password field", "search field"]
    /// On, off or mixed.
    CheckBox "check_box"
        ax ["AXCheckBox"]
        atspi ["check box"]
        android ["CheckBox", "CheckedTextView", "Chip"]
        aria ["checkbox"]
    /// One of several that exclude each other.
    RadioButton "radio_button"
        ax ["AXRadioButton"]
        atspi ["radio button"]
        android ["RadioButton"]
        aria ["radio"]
    /// On or off, at once.
    Switch "switch"
        ax ["AXSwitch"]
        atspi ["switch"]
        android ["Switch"]
        aria ["switch"]
    /// Leads elsewhere.
    Link "link"
        ax ["AXLink"]
        atspi ["link"]
        android ["ClickableSpan", "URLSpan"]
        aria ["hyperlink"]
    /// Text that is only read.
    Label "label"
        ax ["AXStaticText"]
        atspi [
            "label", "static", "caption", "accelerator label", "paragraph", "subscript", "superscript",
            "description term", "description value", "footnote", "mark", "timer"
        ]
        android ["TextView"]
        aria ["text", "static text", "paragraph", "time"]
    /// A heading.
    Heading "heading"
        ax ["AXHeading"]
        atspi ["heading"]
        android []
        aria ["header"]
    /// A picture.
    Image "image"
        ax ["AXImage"]
        atspi ["image", "image map", "animation"]
        android ["ImageView"]
        aria ["img", "picture"]
    /// A small picture that stands for something.
    Icon "icon"
        ax ["AXDockItem"]
        atspi ["icon", "desktop icon"]
        android []
        aria []
    /// Items one after the other.
    List "list"
        ax ["AXList", "AXContentList"]
        atspi ["list", "list box", "description list"]
        android ["ListView", "RecyclerView", "ExpandableListView", "AbsListView"]
        aria ["listbox"]
    /// One item of a list.
    ListItem "list_item"
        ax []
        atspi ["list item"]
        android []
        aria ["listitem", "option"]
    /// Rows and columns.
    Table "table"
        ax ["AXTable", "AXGrid"]
        atspi ["table", "tree table", "document spreadsheet"]
        android ["GridView", "TableLayout"]
        aria ["grid", "treegrid"]
    /// One row of a table.
    Row "row"
        ax ["AXRow", "AXTableRow"]
        atspi ["table row"]
        android ["TableRow"]
        aria []
    /// One cell of a table.
    Cell "cell"
        ax ["AXCell"]
        atspi ["table cell"]
        android []
        aria ["gridcell"]
    /// The head of a column.
    ColumnHeader "column_header"
        ax ["AXSortButton"]
        atspi ["column header", "table column header"]
        android []
        aria []
    /// The head of a row.
    RowHeader "row_header"
        ax []
        atspi ["row header", "table row header"]
        android []
        aria []
    /// One column of a table.
    Column "column"
        ax ["AXColumn"]
        atspi []
        android []
        aria []
    /// Items that open and close.
    Tree "tree"
        ax ["AXOutline", "AXBrowser"]
        atspi ["tree"]
        android []
        aria ["tree view"]
    /// One item of a tree.
    TreeItem "tree_item"
        ax ["AXOutlineRow"]
        atspi ["tree item"]
        android []
        aria ["treeitem"]
    /// The tabs of which one is in front.
    TabList "tab_list"
        ax ["AXTabGroup"]
        atspi ["page tab list"]
        android ["TabWidget", "TabHost", "TabLayout"]
        aria ["tablist"]
    /// One tab.
    Tab "tab"
        ax ["AXTabButton"]
        atspi ["page tab"]
        android ["Tab", "TabView"]
        aria []
    /// The menus of a window or application.
    MenuBar "menu_bar"
        ax ["AXMenuBar"]
        atspi ["menu bar"]
        android []
        aria ["menubar"]
    /// An open menu.
    Menu "menu"
        ax ["AXMenu"]
        atspi ["menu", "popup menu"]
        android ["MenuView"]
        aria ["context menu"]
    /// One item of a menu.
    MenuItem "menu_item"
        ax ["AXMenuItem", "AXMenuBarItem"]
        atspi ["menu item", "check menu item", "radio menu item", "tearoff menu item"]
        android ["MenuItem", "ListMenuItemView"]
        aria ["menuitem", "menuitemcheckbox", "menuitemradio"]
    /// One choice of a list that drops down.
    ComboBox "combo_box"
        ax ["AXComboBox", "AXPopUpButton"]
        atspi ["combo box"]
        android ["Spinner"]
        aria ["combobox", "drop down", "dropdown list", "select"]
    /// A value between two ends, set by dragging.
    Slider "slider"
        ax ["AXSlider"]
        atspi ["slider", "dial"]
        android ["SeekBar", "Slider", "RangeSlider"]
        aria ["range"]
    /// A value set in steps.
    SpinButton "spin_button"
        ax ["AXIncrementor", "AXStepper"]
        atspi ["spin button"]
        android ["NumberPicker"]
        aria ["spinbutton", "stepper"]
    /// How far something has come, or how much there is.
    ProgressBar "progress_bar"
        ax ["AXProgressIndicator", "AXLevelIndicator", "AXBusyIndicator", "AXRelevanceIndicator", "AXRatingIndicator"]
        atspi ["progress bar", "level bar", "rating"]
        android ["ProgressBar", "RatingBar", "LinearProgressIndicator", "CircularProgressIndicator"]
        aria ["progressbar", "meter"]
    /// Shows and sets how far content is scrolled.
    ScrollBar "scroll_bar"
        ax ["AXScrollBar"]
        atspi ["scroll bar"]
        android []
        aria ["scrollbar"]
    /// Content larger than its place.
    ScrollArea "scroll_area"
        ax ["AXScrollArea"]
        atspi ["scroll pane", "viewport"]
        android ["ScrollView", "HorizontalScrollView", "NestedScrollView", "ViewPager", "ViewPager2"]
        aria ["scroll view"]
    /// Controls in a row.
    ToolBar "tool_bar"
        ax ["AXToolbar"]
        atspi ["tool bar"]
        android ["Toolbar", "ActionBar", "BottomNavigationView", "ActionMenuView"]
        aria ["toolbar"]
    /// What is going on, at the edge of a window.
    StatusBar "status_bar"
        ax ["AXApplicationStatus"]
        atspi ["status bar"]
        android []
        aria ["status"]
    /// A window.
    Window "window"
        ax ["AXWindow", "AXFloatingWindow"]
        atspi ["window", "frame", "internal frame", "desktop frame", "input method window"]
        android []
        aria []
    /// A window that wants an answer.
    Dialog "dialog"
        ax ["AXSheet", "AXDialog", "AXSystemDialog", "AXApplicationDialog"]
        atspi ["dialog", "file chooser", "color chooser", "font chooser", "option pane"]
        android ["Dialog", "AlertDialog", "BottomSheetDialog"]
        aria ["sheet"]
    /// Says something important, by itself.
    Alert "alert"
        ax ["AXApplicationAlert", "AXApplicationAlertDialog", "AXNotificationCenterBanner"]
        atspi ["alert", "notification", "info bar"]
        android ["Toast", "Snackbar"]
        aria ["alertdialog", "notification"]
    /// A short explanation that comes and goes.
    Tooltip "tooltip"
        ax ["AXHelpTag"]
        atspi ["tool tip"]
        android []
        aria ["tool tip"]
    /// A part of a window that floats over it.
    Popover "popover"
        ax ["AXPopover"]
        atspi ["glass pane"]
        android ["PopupWindow"]
        aria ["popup"]
    /// Holds others and means nothing more.
    Group "group"
        ax [
            "AXGroup", "AXSplitGroup", "AXRadioGroup", "AXLayoutArea", "AXLayoutItem", "AXMatte", "AXLandmarkMain",
            "AXLandmarkNavigation", "AXLandmarkSearch", "AXLandmarkRegion", "AXLandmarkBanner"
        ]
        atspi [
            "panel", "filler", "section", "grouping", "root pane", "layered pane", "split pane", "form", "landmark",
            "header", "footer", "title bar", "block quote", "comment", "embedded", "page", "html container",
            "directory pane", "content deletion", "content insertion", "suggestion", "definition", "log", "marquee"
        ]
        android ["ViewGroup", "View", "FrameLayout", "LinearLayout", "RelativeLayout", "RadioGroup", "CardView"]
        aria [
            "region", "form", "main", "navigation", "banner", "complementary", "content info", "search", "radiogroup",
            "figure", "generic", "log", "pane", "panel", "container"
        ]
    /// A text or other work of an application.
    Document "document"
        ax ["AXDocumentArticle"]
        atspi [
            "document frame", "document text", "document email", "document presentation", "article"
        ]
        android []
        aria ["article"]
    /// A web page.
    WebView "web_view"
        ax ["AXWebArea"]
        atspi ["document web"]
        android ["WebView"]
        aria ["web area"]
    /// A line between others, or one that can be dragged.
    Separator "separator"
        ax ["AXSplitter", "AXContentSeparator"]
        atspi ["separator"]
        android []
        aria ["divider", "splitter"]
    /// Drawn by its application; holds nothing that can be named.
    Canvas "canvas"
        ax []
        atspi ["canvas", "drawing area", "chart", "arrow", "math", "math fraction", "math root"]
        android ["SurfaceView", "TextureView", "GLSurfaceView"]
        aria ["graphics document"]
    /// Moving pictures or sound.
    Media "media"
        ax ["AXVideo", "AXAudio"]
        atspi ["video", "audio"]
        android ["VideoView", "MediaController"]
        aria []
    /// Days to choose from, or a date.
    Calendar "calendar"
        ax ["AXDateTimeArea"]
        atspi ["calendar"]
        android ["CalendarView", "DatePicker", "TimePicker"]
        aria []
    /// A colour to choose.
    ColorWell "color_well"
        ax ["AXColorWell"]
        atspi []
        android []
        aria ["color picker"]
    /// Shows or hides what belongs to it.
    Disclosure "disclosure"
        ax ["AXDisclosureTriangle"]
        atspi []
        android []
        aria ["expander"]
    /// A whole application.
    Application "application"
        ax ["AXApplication"]
        atspi ["application"]
        android []
        aria ["app"]
}
