// Imports a document as people do, accepts every operation, and calls the adapter in front of a server on loopback.
import { once } from 'node:events';
import { createServer } from 'node:http';

import { adapterFromOpenApi, reviewAdapter } from '@callsign/mcpaql/authoring';
import { parseAdapter, toolNames } from '@callsign/mcpaql';
import { createAdapterCalls } from '@callsign/mcpaql/runtime';

/** The operations of a document, and how to call them. `undefined`: it was not imported. */
export async function serveDocument(text) {
  const imported = adapterFromOpenApi(text);
  if (!imported.ok) return undefined;
  const review = reviewAdapter(imported.adapter, 'api.adapter.md');
  const parsed = parseAdapter(
    review.accept(review.pending.map(({ name }) => name)),
    'api.adapter.md',
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  // Validators know nothing of other ways to sign in.
  const isHeader = parsed.adapter.auth.header_name !== undefined;
  const auth = isHeader ? parsed.adapter.auth : { type: 'none' };
  const adapter = { ...parsed.adapter, auth };
  const target = await startServer();
  const calls = createAdapterCalls(
    { adapter, toolNames: toolNames(adapter), tools: new Map() },
    { env: isHeader ? { [auth.key_env]: 'test' } : {}, baseUrl: target.origin },
  );
  const sources = new Map(imported.report.operations.map(({ name, source }) => [name, source]));
  // The report has the whole name where an operation has a short one.
  const plainly = new Map(imported.report.operations.map(({ source }) => [plain(source), source]));

  /** The request that a call sends, or the error of the adapter. */
  async function send(name, params) {
    target.seen = undefined;
    let answer = await calls.run(name, params);
    const { confirmation_token } = answer.error?.details ?? {};
    if (answer.error?.code === 'CONFIRMATION_REQUIRED') {
      answer = await calls.run(name, { ...params, confirmation_token });
    }
    return target.seen ? { request: target.seen } : { error: answer.error };
  }

  return {
    operations: [...adapter.operations.values()],
    /** The operation in the document: `GET /ships/{id}`. */
    sourceOf(name) {
      const { method, path } = adapter.operations.get(name).mapsTo;
      const written = path.map((part) => part.text ?? `{${part.name}}`).join('');
      return sources.get(name) ?? plainly.get(plain(`${method} ${written}`));
    },
    send,
    async close() {
      await calls.close();
      await target.close();
    },
  };
}

/** An operation as adapters and documents write it alike: `{ship_id}` is `{shipId}`. */
function plain(source) {
  return source.replace(/[^\p{L}\p{N}{}/:.]/gu, '').toLowerCase();
}

/** Records the last request, and answers an empty object. */
async function startServer() {
  const target = { seen: undefined, origin: '', close: undefined };
  const server = createServer((incoming, response) => {
    const chunks = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method, url, headers } = incoming;
      target.seen = { method, url, headers, body: Buffer.concat(chunks) };
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  // The validators may think for long between two requests.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  target.origin = `http://127.0.0.1:${server.address().port}`;
  target.close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return target;
}
