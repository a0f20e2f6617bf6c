import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.swing.BoxLayout;
import javax.swing.JButton;
import javax.swing.JCheckBox;
import javax.swing.JComboBox;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JMenu;
import javax.swing.JMenuBar;
import javax.swing.JMenuItem;
import javax.swing.JOptionPane;
import javax.swing.JPanel;
import javax.swing.JTextField;
import javax.swing.SwingUtilities;

/** A small ledger: an item, its sum, a note, whether it is paid; added line by line and saved to a file by its menu. */
public class Ledger {
    private final StringBuilder lines = new StringBuilder();
    private final JTextField item = new JTextField(20);
    private final JTextField sum = new JTextField(8);
    private final JCheckBox paid = new JCheckBox("Paid");
    private final JComboBox<String> account = new JComboBox<>(new String[] {"House", "Garden", "Travel"});
    private final JLabel state = new JLabel("empty");
    private final JFrame frame = new JFrame("Ledger");

    public static void main(String[] arguments) {
        SwingUtilities.invokeLater(() -> new Ledger().show(Path.of(arguments[0])));
    }

    private void show(Path file) {
        JMenuItem save = new JMenuItem("Save");
        save.addActionListener(event -> save(file));
        JMenuItem clear = new JMenuItem("Clear all...");
        clear.addActionListener(event -> clear());
        JMenu menu = new JMenu("File");
        menu.add(save);
        menu.add(clear);
        JMenuBar bar = new JMenuBar();
        bar.add(menu);
        frame.setJMenuBar(bar);
        JButton add = new JButton("Add");
        add.addActionListener(event -> add());
        JPanel panel = new JPanel();
        panel.setLayout(new BoxLayout(panel, BoxLayout.Y_AXIS));
        panel.add(named("Item", item));
        panel.add(named("Sum", sum));
        panel.add(account);
        account.getAccessibleContext().setAccessibleName("Account");
        panel.add(paid);
        panel.add(add);
        panel.add(state);
        frame.add(panel);
        frame.setBounds(300, 200, 500, 400);
        frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
        frame.setVisible(true);
    }

    private static JPanel named(String name, JTextField field) {
        JLabel label = new JLabel(name);
        label.setLabelFor(field);
        JPanel row = new JPanel();
        row.add(label);
        row.add(field);
        return row;
    }

    private void add() {
        lines.append(String.join(";", item.getText(), sum.getText(), (String) account.getSelectedItem(),
                paid.isSelected() ? "paid" : "open")).append('\n');
        state.setText(lines.toString().lines().count() + " lines");
    }

    private void save(Path file) {
        try {
            Files.writeString(file, lines.toString());
            state.setText("saved");
        } catch (IOException error) {
            state.setText(error.getMessage());
        }
    }

    private void clear() {
        if (JOptionPane.showConfirmDialog(frame, "Clear all lines?") == JOptionPane.YES_OPTION) {
            lines.setLength(0);
            state.setText("cleared");
        }
    }
}
