/** From an OpenAPI document to labelled tools: imported, served as it came, reviewed, and served again. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { startHarbour } from '../harbour/api.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const bin = here('../../packages/cli/bin/callsign.cjs');
const token = 'let-me-in';
const harbour = await startHarbour({ token });
const folder = await mkdtemp(join(tmpdir(), 'callsign-'));
const file = join(folder, 'harbour.adapter.md');

/** A client of the adapter as it is in the file now. */
async function serve() {
  const client = new Client({ name: 'my-agent', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [bin, 'adapter', 'serve', file, '--base-url', harbour.url],
      env: { ...process.env, CALLSIGN_HARBOUR_TOKEN: token },
    }),
  );
  return client;
}

async function ask(client, endpoint, operation, params) {
  const name = `harbour_mcpaql_${endpoint}`;
  const { content } = await client.callTool({ name, arguments: { operation, params } });
  return JSON.parse(content[0].text);
}

execFileSync(process.execPath, [
  bin,
  'adapter',
  'from-openapi',
  here('openapi.yaml'),
  '--out',
  file,
  '--quiet',
]);

// As it came: labelled, good for reading only, and without credentials. The harbour wants some.
const generated = await serve();
const { tools } = await generated.listTools();
assert.deepEqual(
  tools.map(({ name, annotations }) => [
    name,
    annotations.readOnlyHint,
    annotations.destructiveHint,
  ]),
  [
    ['harbour_mcpaql_create', false, false],
    ['harbour_mcpaql_read', true, false],
    ['harbour_mcpaql_delete', false, true],
  ],
);
const unsigned = await ask(generated, 'read', 'list_ships', { flag: 'NO' });
assert.equal(unsigned.error.code, 'PERMISSION_REVIEW_REQUIRED');
const refused = await ask(generated, 'create', 'register_ship', { name: 'Argo', flag: 'GR' });
assert.equal(refused.error.code, 'PERMISSION_TRUST_LEVEL_INSUFFICIENT');
await generated.close();

// A person has reviewed it.
execFileSync(process.execPath, [bin, 'adapter', 'review', file, '--yes', '--quiet']);
const reviewed = await serve();
const ships = await ask(reviewed, 'read', 'list_ships', { flag: 'NO' });
assert.deepEqual(
  ships.data.items.map(({ name }) => name),
  ['Alba'],
);
const registered = await ask(reviewed, 'create', 'register_ship', { name: 'Argo', flag: 'GR' });
assert.equal(registered.data.name, 'Argo');

// What destroys something is asked back first.
const booking_id = 'booking-1';
const asked = await ask(reviewed, 'delete', 'delete_booking', { booking_id });
assert.equal(asked.error.code, 'CONFIRMATION_REQUIRED');
const { confirmation_token: _confirmation } = asked.error.details;
const gone = await ask(reviewed, 'delete', 'delete_booking', { booking_id, _confirmation });
assert.equal(gone.success, true);
await reviewed.close();

assert.deepEqual(harbour.requests, [
  'GET /api/v1/ships?flag=NO',
  'GET /api/v1/ships?flag=NO',
  'POST /api/v1/ships',
  'DELETE /api/v1/bookings/booking-1',
]);
await harbour.close();
await rm(folder, { recursive: true });
process.stdout.write('Three operations, labelled by what they do, and nothing done unasked.\n');
