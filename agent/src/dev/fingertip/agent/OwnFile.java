package dev.fingertip.agent;

import java.io.File;

/**
 * The file this program was started from.
 *
 * <p>It is deleted before anything else happens, so that nothing stays on the phone however the program ends. The
 * runtime has the code mapped by then; the name is not needed again.
 */
final class OwnFile {
    private OwnFile() {}

    /** Deletes what the class path names, if that is one of ours; says so if it could not. */
    static void remove(String classPath) {
        if (classPath == null) {
            return;
        }
        File file = new File(classPath);
        if (file.getName().matches("fingertip-[0-9a-f]+\\.jar") && file.exists() && !file.delete()) {
            System.err.println("could not delete " + file);
        }
    }
}
