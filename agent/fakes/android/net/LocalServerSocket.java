package android.net;

import dev.fingertip.fakes.Bridge;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A port of this computer, to which the phone leads who asks for the name. */
public class LocalServerSocket implements Closeable {
    private static final int BACKLOG = 8;

    private final ServerSocket server;

    public LocalServerSocket(String name) throws IOException {
        server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Bridge.call("listen", "name", name, "port", server.getLocalPort());
    }

    public LocalSocket accept() throws IOException {
        Socket socket = server.accept();
        socket.setTcpNoDelay(true);
        return new LocalSocket(socket);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
