import { describe, expect, it } from 'vitest';

import { shows } from '../../requirements/shows.js';
import { eventually, faulty, plain, startGateway } from '../gateway-process.js';
import { textOf } from './tool-results.js';

const CHANGED = 'notifications/tools/list_changed';

describe('the lists of a child', () => {
  it('that come in pages are complete', async () => {
    const gateway = await startGateway({
      servers: { paged: plain('--tools=50', '--pages=3'), whole: plain('--tools=50') },
    });
    const client = await gateway.connect();
    const tools = await client.tools();
    const of = (key: string): string[] =>
      tools.filter((name) => name.startsWith(`${key}:`)).map((name) => name.slice(key.length + 1));
    expect(of('paged')).toEqual(of('whole'));
    expect(of('paged')).toContain('t_49');
  });

  it.each(['""', 'null'])('may end with the cursor %s', async (cursor) => {
    const paged = plain('--tools=50', '--pages=3', `--last-cursor=${cursor}`);
    const gateway = await startGateway({ servers: { paged } });
    const client = await gateway.connect();
    expect(await client.tools()).toContain('paged:t_49');
    expect(gateway.stderr).toBe('');
  });

  it('with endless pages are cut off, with a warning', async () => {
    const gateway = await startGateway({ servers: { endless: plain('--pages=endless') } });
    const client = await gateway.connect();
    expect(await client.tools()).toContain('endless:add');
    expect(gateway.stderr).toContain('warning: [endless] tools/list has pages without end');
    expect(gateway.stderr).toMatch(
      /warning: \[endless\] \d+ items of tools\/list such as "\w+", .* are listed twice/,
    );
    expect(gateway.stderr.split('\n').length).toBeLessThan(5);
  });

  it('that fail are reported, and other lists and servers work', async () => {
    const gateway = await startGateway({ servers: { moody: faulty('lists-fail'), fine: plain() } });
    const client = await gateway.connect();
    const tools = await client.tools();
    expect(tools.filter((name) => name.startsWith('moody:'))).toEqual([]);
    expect(tools).toContain('fine:add');
    expect(gateway.stderr).toContain('warning: [moody] tools/list failed');
    expect(gateway.stderr).toContain('No list today');
    const { result } = await client.request('prompts/list');
    expect(JSON.stringify(result)).toContain('moody:greet');
  });

  it('that name a tool twice offer the first one, with a warning', async () => {
    const gateway = await startGateway({ servers: { twins: faulty('duplicate-tools') } });
    const client = await gateway.connect();
    const { result } = await client.request('tools/list');
    const twins = (result!['tools'] as { name: string; description: string }[]).filter(
      ({ name }) => name === 'twins:twin',
    );
    expect(twins.map(({ description }) => description)).toEqual(['The first twin.']);
    expect(textOf(await client.result('twins:twin'))).toBe('first');
    expect(gateway.stderr).toContain(
      'warning: [twins] "twin" is listed twice; the first one is used',
    );
  });

  it('that are huge are listed whole, in bounded memory', async () => {
    const gateway = await startGateway({
      servers: { huge: faulty('huge-list=5000'), fine: plain() },
      settings: { listWaitMs: 60_000 },
    });
    const client = await gateway.connect();
    const tools = await client.tools();
    expect(tools.filter((name) => /^huge:t_\d+$/.test(name))).toHaveLength(5_000);
    expect(textOf(await client.result('huge:t_4999'))).not.toBe('');
    expect(gateway.peakMegabytes()).toBeLessThan(400);
  });

  it(
    'that change are fetched again, and clients are told',
    shows('AGG-37', async () => {
      const gateway = await startGateway({ servers: { busy: plain(), still: plain() } });
      const client = await gateway.connect();
      const before = await client.tools();
      const told = client.count(CHANGED);
      await client.result('busy:add_tool', { name: 'fresh' });
      await eventually(() => client.count(CHANGED) > told);
      await eventually(async () => (await client.tools()).length > before.length);
      const after = await client.tools();
      expect(after.filter((name) => !before.includes(name))).toEqual(['busy:fresh']);
      expect(textOf(await client.result('busy:fresh'))).not.toBe('');

      await client.result('busy:remove_tool', { name: 'fresh' });
      await eventually(async () => !(await client.tools()).includes('busy:fresh'));
      expect(await client.tools()).toEqual(before);
    }),
  );

  it('that change many times at once are fetched once or twice, and end up right', async () => {
    const gateway = await startGateway({ servers: { busy: plain() } });
    const client = await gateway.connect();
    await client.tools();
    const told = client.count(CHANGED);
    const names = Array.from({ length: 40 }, (_, n) => `new_${n}`);
    await Promise.all(names.map((name) => client.result('busy:add_tool', { name })));
    await eventually(async () => (await client.tools()).includes('busy:new_39'));
    const tools = await client.tools();
    expect(names.every((name) => tools.includes(`busy:${name}`))).toBe(true);
    expect(client.count(CHANGED) - told).toBeLessThan(10);
  });
});
