package dev.fingertip.agent;

/** The command line, checked. */
final class Arguments {
    /** The command line is wrong; the message says how. */
    static final class Wrong extends Exception {
        Wrong(String message) {
            super(message);
        }
    }

    private static final int MAX_BUILD = 64;

    String build;
    int idleSeconds = 1800;
    int releaseSeconds = 10;
    int connectSeconds = 30;

    static Arguments parse(String[] words) throws Wrong {
        Arguments arguments = new Arguments();
        if (words.length % 2 != 0) {
            throw new Wrong("every option takes a value");
        }
        for (int index = 0; index < words.length; index += 2) {
            arguments.take(words[index], words[index + 1]);
        }
        if (arguments.build == null) {
            throw new Wrong("--build is missing");
        }
        return arguments;
    }

    private void take(String option, String value) throws Wrong {
        switch (option) {
            case "--build":
                if (value.length() > MAX_BUILD || !value.matches("[0-9a-f]+")) {
                    throw new Wrong("--build takes up to " + MAX_BUILD + " hex digits");
                }
                build = value;
                break;
            case "--idle-seconds":
                idleSeconds = seconds(option, value, 86_400);
                break;
            case "--release-seconds":
                releaseSeconds = seconds(option, value, 3_600);
                break;
            case "--connect-seconds":
                connectSeconds = seconds(option, value, 600);
                break;
            default:
                throw new Wrong("there is no option " + option);
        }
    }

    private static int seconds(String option, String value, int most) throws Wrong {
        try {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException noNumber) {
            // Said below, in the same words as a number out of range.
        }
        throw new Wrong(option + " takes a number from 1 to " + most);
    }
}
