// Streamable HTTP as a client speaks it, with as many keep-alive connections as there are calls in flight.
import { eraHeaders, ignore } from './client.mjs';
import { HttpConnections } from './http-connections.mjs';

/**
 * @param {string} address
 * @param {{ era: import('./client.mjs').Era, name: string }} options `name` is the tool that is called
 * @returns {import('./client.mjs').Client}
 */
export function httpClient(address, { era, name }) {
  const url = new URL(address);
  const connections = new HttpConnections(url);
  let listener = ignore;
  let head = headOf(url, eraHeaders(era, name));

  return {
    send(text, _id, done) {
      connections.post(head, text, ({ headers, body }) => {
        const session = /\nmcp-session-id: (\S+)/.exec(headers)?.[1];
        // Only the handshake is answered with a session that we do not know yet.
        if (session !== undefined && !head.includes('mcp-session-id')) {
          head = headOf(url, { ...eraHeaders(era, name), 'mcp-session-id': session });
        }
        done(headers.includes('text/event-stream') ? answerIn(body, listener) : body);
      });
    },
    notify: (text) => connections.post(head, text, () => undefined),
    onNotice(given) {
      listener = given;
    },
    close: () => connections.close(),
  };
}

/** The start of every request, up to the length of its body. */
export function headOf({ host, pathname, search }, headers) {
  const all = {
    host,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  const lines = Object.entries(all).map(([key, value]) => `${key}: ${value}\r\n`);
  return `POST ${pathname}${search} HTTP/1.1\r\n${lines.join('')}`;
}

/** The last event of a stream is the answer; earlier events are not. */
function answerIn(body, listener) {
  const events = body
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => line.slice('data: '.length));
  for (const event of events.slice(0, -1)) listener(Buffer.from(event));
  return Buffer.from(events.at(-1) ?? '');
}
