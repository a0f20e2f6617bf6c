// A reverse proxy that adds `Authorization: Bearer …` and changes nothing else.
//
// The conformance suite cannot send a token, and the server has no way in without one. Method, path, headers (Host and
// Origin among them: the suite attacks with forged ones), bodies and streams pass through as they come.
//
// Usage: UPSTREAM=http://127.0.0.1:PORT TOKEN=… node bearer-proxy.mjs      prints its own address

import http from "node:http";

const upstream = new URL(process.env.UPSTREAM);
const authorization = `Bearer ${process.env.TOKEN}`;

const proxy = http.createServer((request, response) => {
  const forwarded = http.request({
    host: upstream.hostname,
    port: upstream.port,
    method: request.method,
    path: request.url,
    headers: [...request.rawHeaders, "Authorization", authorization],
    setHost: false,
  });
  forwarded.on("response", (reply) => {
    response.writeHead(reply.statusCode, reply.statusMessage, reply.rawHeaders);
    // An event stream may stay silent for long after its headers; the client must see them at once.
    response.flushHeaders();
    reply.pipe(response);
    reply.on("error", () => response.destroy());
  });
  forwarded.on("error", () => response.destroy());
  response.on("close", () => forwarded.destroy());
  request.pipe(forwarded);
});

proxy.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${proxy.address().port}`));
