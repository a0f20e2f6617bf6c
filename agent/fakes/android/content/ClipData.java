package android.content;

public class ClipData {
    public static class Item {
        private final CharSequence text;

        Item(CharSequence text) {
            this.text = text;
        }

        public CharSequence getText() {
            return text;
        }
    }

    private final ClipDescription description = new ClipDescription();
    private final Item item;

    ClipData(CharSequence text) {
        item = new Item(text);
    }

    public static ClipData newPlainText(CharSequence label, CharSequence text) {
        return new ClipData(text);
    }

    public ClipDescription getDescription() {
        return description;
    }

    public Item getItemAt(int index) {
        return item;
    }

    public int getItemCount() {
        return 1;
    }
}
