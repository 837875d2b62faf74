/** No start runs code that an earlier start has compiled: another user could have written it. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { BIN } from '../command.js';
import { pause, plain, startGateway, temporaryFolder } from '../gateway-process.js';

/** Notes whether the command turns on Node's cache, even on a version of Node that has none. */
const WATCH = `
const modules = require('node:module');
const { appendFileSync } = require('node:fs');
const note = (text) => appendFileSync(process.env.NOTES, text + '\\n');
const enable = modules.enableCompileCache;
modules.enableCompileCache = (...args) => {
  note('turned on');
  return enable?.(...args);
};
modules.syncBuiltinESMExports();
process.on('exit', () => note('kept in: ' + modules.getCompileCacheDir?.()));
`;

it('is neither read from a folder that another user may have made, nor kept (G1, G16)', async () => {
  const folder = temporaryFolder();
  const [watch, notes] = [join(folder, 'watch.cjs'), join(folder, 'notes')];
  writeFileSync(watch, WATCH);
  const prepared = join(folder, 'node-compile-cache');
  mkdirSync(prepared);
  const code = dirname(dirname(BIN));
  const installed = readdirSync(code, { recursive: true });
  const gateway = await startGateway({
    servers: { kid: plain() },
    env: { TMPDIR: folder, NOTES: notes, NODE_OPTIONS: `--require "${watch}"` },
  });
  const client = await gateway.connect();
  await client.call('kid:add', { a: 1, b: 2 });
  // An earlier version wrote compiled code beside its own five seconds after the start.
  await pause(6_000);
  gateway.endInput();
  await gateway.exited;
  expect(readFileSync(notes, 'utf8')).toMatch(/^(kept in: undefined\n)+$/);
  expect(readdirSync(prepared)).toEqual([]);
  expect(readdirSync(code, { recursive: true })).toEqual(installed);
});
