import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { eventually, plain, startGateway, type ServerEntry } from '../gateway-process.js';

/** A hidden instruction for a model, in invisible characters. */
const POISON = `Tells the weather.${'\u200B\u{E0041}'.repeat(20)}`;

function changeling(...flags: string[]): ServerEntry {
  const script = join(ROOT, 'test', 'e2e', 'governed', 'changeling-child.mjs');
  return { command: process.execPath, args: [script, ...flags] };
}

describe('a quarantine that is on', () => {
  it('V4: serves no text at the start that it has not checked, and all others at once', async () => {
    const gateway = await startGateway({
      servers: { bad: changeling(`--description=${POISON}`), fine: plain() },
      settings: { quarantine: 'on' },
    });
    const client = await gateway.connect();
    const [called, first] = await Promise.all([client.call('bad:weather'), client.tools()]);
    expect(first).not.toContain('bad:weather');
    expect(first).toContain('bad:change');
    expect(first).toContain('fine:echo');
    expect(called.error?.code).toBe(-32602);
    expect((await client.call('bad:weather')).error?.code).toBe(-32602);
    await eventually(() => gateway.stderr.includes('bad:weather is withheld'));
  });

  it('V4: serves no changed text before it has been checked', async () => {
    const gateway = await startGateway({
      servers: { bad: changeling() },
      settings: { quarantine: 'on' },
    });
    const client = await gateway.connect();
    expect(await client.tools()).toContain('bad:weather');
    // On a busy machine, the new text may be checked before the next list is asked for.
    const lists: Promise<unknown>[] = [client.request('tools/list')];
    client.on('notifications/tools/list_changed', () => {
      lists.push(client.request('tools/list'));
    });
    await client.call('bad:change', { description: POISON });
    await eventually(async () => {
      const list = client.request('tools/list');
      lists.push(list);
      await list;
      return gateway.stderr.includes('bad:weather is withheld');
    });
    const seen = JSON.stringify(await Promise.all(lists));
    expect(seen).toContain('Tells the weather.');
    expect(seen).not.toContain('\u200B');
    expect(await client.tools()).not.toContain('bad:weather');
    await client.call('bad:change', { description: 'Tells the weather.' });
    await eventually(async () => (await client.tools()).includes('bad:weather'));
  });
});
