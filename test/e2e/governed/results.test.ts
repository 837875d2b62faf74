/** A result that no model could read at once is answered in three calls, in both protocol eras. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { startGateway, temporaryFolder } from '../gateway-process.js';
import { ENVELOPE } from '../stateless-envelope.js';

const ROWS = 200_000;

/** A server with one tool. Its result has 20 MB of JSON, in its text alone. */
const SERVER = `
import { createInterface } from 'node:readline';
const rows = Array.from({ length: ${ROWS} }, (_, id) => ({ id, name: 'row ' + id, note: 'n'.repeat(70) }));
const report = { content: [{ type: 'text', text: JSON.stringify({ rows }) }] };
const RESULTS = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'r', version: '1' } },
  'tools/list': { tools: [{ name: 'report', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] },
  'tools/call': report,
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  const answer = RESULTS[method]
    ? { result: RESULTS[method] }
    : { error: { code: -32601, message: 'not found' } };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
}
`;

describe('a result of 20 MB', () => {
  it.each([
    ['session', {}],
    ['stateless', { _meta: ENVELOPE }],
  ])('is answered in three calls (%s)', async (era, envelope) => {
    const script = join(temporaryFolder(), 'report.mjs');
    writeFileSync(script, SERVER);
    const gateway = await startGateway({
      servers: { r: { command: process.execPath, args: [script] } },
      settings: {
        results: { previewAbove: 20_000 },
        limits: { maxMessageBytes: 64 * 1024 * 1024 },
      },
      env: { XDG_STATE_HOME: temporaryFolder() },
    });
    const client = era === 'session' ? await gateway.connect() : gateway.open();
    let characters = 0;
    const call = async (name: string, args: object): Promise<string> => {
      const { result } = await client.request('tools/call', { name, arguments: args, ...envelope });
      const text = (result as { content: { text?: string }[] }).content[0]!.text!;
      characters += JSON.stringify(result).length;
      return text;
    };
    const preview = await call('r:report', {});
    expect(preview).toContain(
      `{ "rows": array of ${ROWS}: { "id": number, "name": string, "note": string } }`,
    );
    const id = /with the id "([^"]+)"/.exec(preview)![1]!;
    const count = await call('callsign:read_result', { id, jmespath: 'length(rows)' });
    const last = await call('callsign:read_result', { id, jmespath: 'rows[-1].name' });
    expect([count, last]).toEqual([String(ROWS), `"row ${ROWS - 1}"`]);
    expect(characters).toBeLessThan(25_000);
  });
});
