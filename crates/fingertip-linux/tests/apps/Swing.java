import javax.swing.JButton;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.SwingUtilities;

/** A window with a button that says when it was pressed. Its frame reports no place to AT-SPI. */
public class Swing {
    public static void main(String[] arguments) {
        SwingUtilities.invokeLater(() -> {
            JFrame frame = new JFrame("Swing");
            JPanel panel = new JPanel();
            JLabel label = new JLabel("nothing");
            JButton button = new JButton("Press");
            button.addActionListener(event -> label.setText("pressed"));
            panel.add(button);
            panel.add(label);
            frame.add(panel);
            frame.setBounds(200, 150, 400, 300);
            frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
            frame.setVisible(true);
        });
    }
}
