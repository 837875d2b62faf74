/** The configuration that `npm start` serves. */

import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { Home } from '../cli/callsign.js';

const CONFIG = join(ROOT, 'examples', 'showcase', 'callsign.json');

it('keeps its memory in a folder of the user, not in the temporary folder (M19)', async () => {
  const home = new Home();
  const temporary = join(home.folder, 'temporary');
  mkdirSync(temporary);
  const entities = [{ name: 'pier 9', entityType: 'pier', observations: ['closed'] }];
  const create = ['call', 'memory:create_entities', `entities:=${JSON.stringify(entities)}`];
  const called = await home.run([...create, '--config', CONFIG], { env: { TMPDIR: temporary } });
  expect([called.code, called.stderr]).toEqual([0, expect.any(String)]);
  const folder = join(home.env()['XDG_STATE_HOME']!, 'callsign', 'showcase');
  expect(readFileSync(join(folder, 'memory.jsonl'), 'utf8')).toContain('pier 9');
  expect(statSync(folder).mode & 0o077).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
});
