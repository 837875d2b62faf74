// The older transport over HTTP: requests are posted, answers come on one stream that never ends.
import { idOf, ignore } from './client.mjs';
import { headOf } from './http-client.mjs';
import { HttpConnection } from './http-connection.mjs';
import { HttpConnections } from './http-connections.mjs';

/**
 * @returns {Promise<import('./client.mjs').Client>} resolves when the stream has sent the address
 * for requests
 */
export function sseClient(address) {
  const url = new URL(address);
  const feed = new HttpConnection(url);
  const connections = new HttpConnections(url);
  const waiting = new Map();
  let listener = ignore;
  let head;

  const post = (text, refused = ignore) => {
    connections.post(head, text, ({ headers, body }) => {
      if (!headers.startsWith('http/1.1 2')) refused(body);
    });
  };
  const client = {
    send(text, id, done) {
      waiting.set(id, done);
      post(text, done);
    },
    notify: post,
    onNotice(given) {
      listener = given;
    },
    close() {
      feed.close();
      connections.close();
    },
  };
  return new Promise((resolve) => {
    const onEvent = (event) => {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data === undefined) return;
      if (event.includes('event: endpoint')) {
        head = headOf(new URL(data, url), {});
        return resolve(client);
      }
      const line = Buffer.from(data, 'latin1');
      const done = waiting.get(idOf(line));
      if (done === undefined) return listener(line);
      waiting.delete(idOf(line));
      done(line);
    };
    let held = '';
    feed.stream(
      `GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\naccept: text/event-stream\r\n\r\n`,
      (piece) => {
        held += piece;
        for (let end = held.indexOf('\n\n'); end !== -1; end = held.indexOf('\n\n')) {
          onEvent(held.slice(0, end));
          held = held.slice(end + 2);
        }
      },
    );
  });
}
