/** Errors in JSON-RPC itself: what the specification says, and the same on stdio and over HTTP. */

import { expect, it } from 'vitest';

import { plain, startGateway } from '../gateway-process.js';
import type { LineClient } from '../lifecycle/raw-client.js';
import { openSession, post } from './http-session.js';

/** A text, and the id and the code of its answer. */
const CASES: readonly (readonly [string, unknown, number])[] = [
  ['{"jsonrpc":"2.0","id":1,', null, -32700],
  ['{"id":2,"method":"ping"}', 2, -32600],
  ['{"jsonrpc":"1.0","id":3,"method":"ping"}', 3, -32600],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600],
  ['{"jsonrpc":"2.0","id":true,"method":"ping"}', null, -32600],
  ['{"jsonrpc":"2.0","id":4,"method":7}', 4, -32600],
  ['{"jsonrpc":"2.0","id":5}', 5, -32600],
  ['{"jsonrpc":"2.0","id":6,"method":"ping","params":"text"}', 6, -32600],
  ['{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', 7, -32602],
  ['{"hello":"there"}', null, -32600],
  ['7', null, -32600],
  [call(8, '[1]'), 8, -32602],
  [call(9, '"text"'), 9, -32602],
  [call(10, 'null'), 10, -32602],
  [
    '{"jsonrpc":"2.0","id":12,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"plain:greet"},"argument":null}}',
    12,
    -32602,
  ],
  [
    `{"jsonrpc":"2.0","id":11,"method":"ping","params":{"a":${'['.repeat(600)}${']'.repeat(600)}}}`,
    11,
    -32600,
  ],
];

function call(id: number, args: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"plain:echo","arguments":${args}}}`;
}

it('F12: has the same codes on stdio and over HTTP, those of the specification', async () => {
  const [pipe, http] = await Promise.all([
    startGateway({ servers: { plain: plain() } }),
    startGateway({ servers: { plain: plain() }, listener: 'http' }),
  ]);
  const expected = CASES.map(([, id, code]) => ({ id, code }));

  const client = (await pipe.connect()) as LineClient;
  const before = client.lines.length;
  void client.sendText(CASES.map(([text]) => text).join('\n'), 'never');
  await expect.poll(() => client.lines.length - before).toBe(CASES.length);
  const lines = client.lines.slice(before);
  const overPipe = lines
    .map((line) => JSON.parse(line))
    .map(({ id, error }) => ({ id, code: error.code }));
  expect(overPipe.toSorted(byId)).toEqual(expected.toSorted(byId));

  const session = await openSession(http.url);
  for (const [text, id, code] of CASES) {
    const reply = await post(http.url, text, session);
    const { id: said, error } = (await reply.json()) as { id: unknown; error: { code: number } };
    expect([text.slice(0, 80), said, error?.code]).toEqual([text.slice(0, 80), id, code]);
  }
});

it('F12: never answers a notification, with any parameters', async () => {
  const gateway = await startGateway({ servers: { plain: plain() } });
  const client = (await gateway.connect()) as LineClient;
  const before = client.lines.length;
  const notification = '{"jsonrpc":"2.0","method":"notifications/x","params":[1]}';
  await client.sendText(`${notification}\n{"jsonrpc":"2.0","id":"last","method":"ping"}`, 'last');
  expect(client.lines.length - before).toBe(1);
});

function byId(a: { id: unknown; code: number }, b: { id: unknown; code: number }): number {
  return Number(a.id) - Number(b.id) || a.code - b.code;
}
