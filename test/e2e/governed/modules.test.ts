/** A user's module in a configuration: loaded, checked, reloaded, and refused if it is wrong. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, describe, vi } from 'vitest';

import { loadWithModules } from '../../../packages/gateway/src/gateway/create-gateway.js';
import { Served, plain } from '../../../packages/gateway/src/testing/served.js';
import { scratch } from '../../testing/scratch.js';

const MODULE = `
export default {
  name: 'shout',
  settings: { safeParse: (value) => typeof value.word === 'string'
    ? { success: true, data: value }
    : { success: false, error: { issues: [{ path: ['word'], message: 'must be a string' }] } } },
  create: ({ settings }) => ({
    decide: (call) => call.params.includes('undecided') ? undefined : call.params.includes('unclear') ? {} : call.params.includes(settings.word)
      ? { decision: 'deny', rule: 'the word is ' + settings.word }
      : { decision: 'allow', rule: 'no such word' },
    intercept: async (call, next) => {
      if (call.params.includes('throw')) throw new Error('it broke');
      return next();
    },
  }),
};
`;

/** A configuration with one module, in its own folder. */
function write(
  module: string,
  entry: object = {},
): { readonly file: string; save(entry: object): void } {
  const folder = scratch();
  const file = join(folder, 'callsign.json');
  writeFileSync(join(folder, 'shout.mjs'), module);
  const save = (changed: object): void => {
    const modules = [{ use: './shout.mjs', settings: { word: 'secret' }, ...changed }];
    writeFileSync(file, JSON.stringify({ mcpServers: { s: plain() }, callsign: { modules } }));
  };
  save(entry);
  return { file, save };
}

describe('a module in the configuration', () => {
  it('decides about calls, and its settings are applied on reload (C2)', async () => {
    const { file, save } = write(MODULE);
    const loaded = await loadWithModules(file);
    if (!loaded.ok) throw new Error('not loaded');
    const served = new Served(loaded.config);
    await served.gateway.settled();
    const client = await served.connect();
    const echo = (text: string) =>
      client.request('tools/call', { name: 's:echo', arguments: { text } });
    expect(await echo('hello')).toHaveProperty('result');
    const refused = await echo('secret');
    expect(JSON.stringify(refused)).toContain('the word is secret');
    expect(JSON.stringify(await echo('throw'))).toContain('Module \\"shout\\" failed');
    expect(await echo('undecided')).toHaveProperty('result');
    expect(JSON.stringify(await echo('unclear'))).toContain('decide must return');
    save({ settings: { word: 'other' } });
    const again = await loadWithModules(file);
    if (!again.ok) throw new Error('not loaded');
    await served.gateway.apply(again.config);
    expect(await echo('secret')).toHaveProperty('result');
    expect(JSON.stringify(await echo('other'))).toContain('the word is other');
  });

  it.each([
    ['is missing', { use: './nowhere.mjs' }, MODULE, '"./nowhere.mjs" cannot be loaded'],
    ['has no default export', {}, 'export const x = 1;', 'is not a module of Callsign'],
    ['has settings that do not fit', { settings: { word: 1 } }, MODULE, 'must be a string'],
    ['throws when it is loaded', {}, 'throw new Error("boom")', 'boom'],
  ])('is a problem where it %s', async (_, entry, module, message) => {
    const loaded = await loadWithModules(write(module, entry).file);
    expect(loaded.ok).toBe(false);
    const [problem] = loaded.ok ? [] : loaded.problems;
    expect(problem).toMatchObject({ code: 'module' });
    expect(problem!.message).toContain(message);
    expect(problem!.path).toMatch(/^callsign\.modules\[0\]/);
    vi.restoreAllMocks();
  });
});
