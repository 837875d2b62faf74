import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { createGateway, loadWithModules } from '../gateway/create-gateway.js';
import { plain } from '../testing/served.js';
import { scratch } from '../../../../test/testing/scratch.js';

const OPTIONS = { self: { name: 'callsign', version: '0' }, log: () => undefined };
const STORE = `export default {
  name: 'mine',
  open: ({ settings }) => { globalThis.opened = settings; return { close: async () => undefined }; },
};`;

/** A configuration beside a store module. */
function configured(callsign: object, store = STORE): string {
  const folder = scratch();
  writeFileSync(join(folder, 'store.mjs'), store);
  const file = join(folder, 'callsign.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { s: plain() }, callsign }));
  return file;
}

describe('stores of a configuration', () => {
  it('are loaded, and the one that the settings name is opened with its settings', async () => {
    const stores = [{ use: './store.mjs', settings: { table: 'x' } }];
    const file = configured({ stores, audit: { store: 'mine' } });
    const gateway = await createGateway(file, OPTIONS);
    gateway.start();
    await gateway.stop();
    expect((globalThis as { opened?: unknown }).opened).toEqual({ table: 'x' });
  });

  it('can be passed in code', async () => {
    let isOpen = false;
    const store = {
      name: 'theirs',
      open: () => {
        isOpen = true;
        return { close: () => Promise.resolve() } as never;
      },
    };
    const file = configured({ audit: { store: 'theirs' } });
    const gateway = await createGateway(file, { ...OPTIONS, stores: [store] });
    gateway.start();
    await gateway.stop();
    expect(isOpen).toBe(true);
  });

  it('that do not exist, or are not stores, are reported', async () => {
    const missing = await loadWithModules(configured({ stores: [{ use: './none.mjs' }] }));
    expect(missing).toMatchObject({ ok: false, problems: [{ path: 'callsign.stores[0]' }] });
    const file = configured({ stores: [{ use: './store.mjs' }] }, 'export default {};');
    expect(await loadWithModules(file)).toMatchObject({
      problems: [{ message: '"./store.mjs" is not a store of Callsign' }],
    });
    const gateway = await createGateway(configured({ audit: { store: 'mine' } }), OPTIONS);
    expect(() => gateway.start()).toThrow('There is no store "mine". Known stores: sqlite.');
  });
});

describe('code that hangs while it is loaded', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is named after a while, and can be corrected without a restart (G10)', async () => {
    const file = configured({ stores: [{ use: './store.mjs' }] }, 'await new Promise(() => {});');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const hanging = loadWithModules(file);
    // The timer starts after the file was read.
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await hanging).toMatchObject({
      ok: false,
      problems: [{ path: 'callsign.stores[0]', message: '"./store.mjs" did not load within 10 s' }],
    });
    writeFileSync(join(file, '..', 'store.mjs'), STORE);
    expect(await loadWithModules(file)).toMatchObject({ ok: true });
  });
});
