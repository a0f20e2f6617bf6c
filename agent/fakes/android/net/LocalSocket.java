package android.net;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

public class LocalSocket implements Closeable {
    private final Socket socket;

    LocalSocket(Socket socket) {
        this.socket = socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    public InputStream getInputStream() throws IOException {
        return socket.getInputStream();
    }

    public OutputStream getOutputStream() throws IOException {
        return socket.getOutputStream();
    }

    public void setSoTimeout(int milliseconds) throws IOException {
        socket.setSoTimeout(milliseconds);
    }

    public void shutdownInput() throws IOException {
        socket.shutdownInput();
    }
}
