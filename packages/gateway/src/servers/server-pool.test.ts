import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { temporaryFolder } from '../../../../test/e2e/serve/callsign-process.js';
import { isAlive, until } from '../../../../test/e2e/serve/until.js';
import { configured, faulty, plain, serveAll } from '../testing/served.js';

describe('the status of a server', () => {
  it('counts the tools that its entry leaves switched on (M8)', async () => {
    const { gateway } = await serve({
      all: plain('--tools=5'),
      some: { ...plain('--tools=5'), excludeTools: ['t_0', 't_1', 'none'] },
    });
    await gateway.settled();
    const [all, some] = gateway.status().map(({ tools }) => tools);
    expect(some).toBe(all! - 2);
  });
});

describe('a reload of the servers', () => {
  it('restarts only servers that changed, and notifies clients', async () => {
    const { gateway, connect } = await serve({ stays: plain(), goes: plain(), changes: plain() });
    const client = await connect();
    const stays = await client.pid('stays');
    const goes = await client.pid('goes');
    const changes = await client.pid('changes');

    await client.toolNames();
    client.heard.length = 0;
    await gateway.apply(
      configured({ stays: plain(), comes: plain(), changes: plain('--tools=1') }),
    );
    await gateway.settled();
    await until(() => client.heard.includes('notifications/tools/list_changed'));
    const names = await client.toolNames();
    expect(await client.pid('stays')).toBe(stays);
    expect(await client.pid('changes')).not.toBe(changes);
    expect(await client.pid('comes')).toBeGreaterThan(0);
    expect(names).toContain('changes:t_0');
    expect(names.filter((name) => name.startsWith('goes:'))).toEqual([]);
    expect((await client.call('goes:echo')).error?.message).toMatch(/^Tool not found: goes:echo/);
    // In the order of the file, with new servers at their places.
    const keys = names.map((name) => name.split(':')[0]);
    expect([...new Set(keys)]).toEqual(['stays', 'comes', 'changes']);
    await until(() => !isAlive(goes) && !isAlive(changes));
    expect(gateway.status().map(({ key }) => key)).toEqual(['stays', 'comes', 'changes']);
  });

  it('lets a server that is removed finish its calls', async () => {
    const { gateway, connect, logged } = await serve({ a: plain(), b: plain() });
    const client = await connect();
    const pid = await client.pid('a');
    const morning = join(temporaryFolder(), 'morning');
    const slow = client.call('a:sleep', { until: morning });
    // A call of the same risk waits for its intent too, so the first one has been sent by then.
    await client.call('a:sleep', { ms: 1 });
    const gone = gateway.apply(configured({ b: plain() }));
    expect((await client.call('a:echo')).error?.message).toMatch(/^Tool not found/);
    writeFileSync(morning, '');
    expect((await slow).result?.content[0]?.text).toBe('Slept until the file came.');
    await gone;
    expect(isAlive(pid)).toBe(false);
    expect(logged).toEqual([]);
  });

  it('keeps a changed server until its successor is ready and its calls are done', async () => {
    const { gateway, connect } = await serve({ s: plain() });
    const client = await connect();
    const before = await client.pid('s');
    const morning = join(temporaryFolder(), 'morning');
    const slow = client.call('s:sleep', { until: morning });
    const mayAnswer = join(temporaryFolder(), 'may-answer');
    void gateway.apply(configured({ s: plain(`--start-when=${mayAnswer}`) }));
    const seen = new Set([await client.pid('s')]);
    writeFileSync(mayAnswer, '');
    await until(async () => seen.add(await client.pid('s')).size === 2);
    expect([...seen][0]).toBe(before);
    expect(isAlive(before)).toBe(true);
    writeFileSync(morning, '');
    expect((await slow).result).toBeDefined();
    await until(() => !isAlive(before));
    expect(await client.pid('s')).toBe([...seen][1]);
  });

  it('fails no call, even if reloads come often', async () => {
    const { gateway, connect } = await serve({ s: plain(), other: plain() });
    const client = await connect();
    const over = new AbortController();
    const failures: unknown[] = [];
    const callers = ['s:echo', 's:sleep', 'other:echo', 's:echo', 's:sleep'].map(async (name) => {
      while (!over.signal.aborted) {
        const { error } = await client.call(name, { ms: 30 });
        if (error) failures.push(error);
      }
    });
    for (const pauseMs of [300, 10, 500]) {
      void gateway.apply(configured({ s: plain(`--tools=${pauseMs}`), other: plain() }));
      // Reloads come at different points of a start. The result must not depend on the point.
      await sleep(pauseMs);
    }
    over.abort();
    await Promise.all(callers);
    expect(failures).toEqual([]);
    await gateway.settled();
    expect(await client.toolNames()).toContain('s:t_499');
  });

  it('waits for calls no longer than its limit, and logs it', async () => {
    const { gateway, connect, logged } = await serve({ a: plain(), b: plain() }, { drainMs: 200 });
    const client = await connect();
    const slow = client.call('a:sleep', { ms: 600_000 });
    // A call of the same risk waits for its intent too, so the first one has been sent by then.
    await client.call('a:sleep', { ms: 1 });
    await gateway.apply(configured({ b: plain() }));
    expect((await slow).error?.message).toMatch(/^Server "a" did not answer the call/);
    expect(logged).toEqual(['warning: [a] 1 call did not finish in time; it is stopped anyway.']);
  });

  it('does not delay the end of the gateway', async () => {
    const { gateway, connect } = await serve({ a: plain(), b: plain() });
    const client = await connect();
    const pid = await client.pid('a');
    // Longer than the test may take: a stop that waited for it would fail the test.
    void client.call('a:sleep', { ms: 600_000 });
    await client.call('a:echo');
    void gateway.apply(configured({ b: plain() }));
    await gateway.stop();
    expect(isAlive(pid)).toBe(false);
  });

  it('drops a successor that is replaced before it is ready', async () => {
    const { gateway, connect } = await serve({ s: plain() });
    const client = await connect();
    const first = await client.pid('s');
    void gateway.apply(configured({ s: faulty('--mode=never-answers') }));
    expect(await client.pid('s')).toBe(first);
    void gateway.apply(configured({ s: plain('--tools=1') }));
    await gateway.settled();
    expect(await client.toolNames()).toContain('s:t_0');
    await until(() => !isAlive(first));
  });

  it('keeps the old process when the new command has a typo, until it is repaired (K3)', async () => {
    const { gateway, connect, logged } = await serve({ s: plain(), other: plain() });
    const client = await connect();
    const before = await client.pid('s');
    await gateway.apply(configured({ s: { command: 'no-such-command' }, other: plain() }));
    await gateway.settled();
    expect(await client.pid('s')).toBe(before);
    const told =
      'its new process could not be started: no-such-command is not on the PATH. The process that ran before stays in use';
    expect(logged).toContain(`warning: [s] ${told}.`);
    const [status] = gateway.status();
    expect(status).toMatchObject({ key: 's', state: { is: 'ready', failures: [told] } });
    expect(status!.tools).toBe(gateway.servers.offered('s').tools.length);
    expect(status!.tools).toBeGreaterThan(0);
    expect(gateway.status()[1]).toMatchObject({ key: 'other', state: { is: 'ready' } });
    await gateway.apply(configured({ s: plain('--tools=1'), other: plain() }));
    await gateway.settled();
    await until(() => !isAlive(before));
    expect(await client.toolNames()).toContain('s:t_0');
    expect(gateway.status()[0]!.state).toEqual({ is: 'ready' });
  });

  it('goes back to the old process if a change that failed is undone (K3)', async () => {
    const { gateway, connect } = await serve({ s: plain() });
    const client = await connect();
    const before = await client.pid('s');
    await gateway.apply(configured({ s: faulty('--mode=exits-at-once') }));
    await gateway.settled();
    await gateway.apply(configured({ s: plain() }));
    await gateway.settled();
    expect(await client.pid('s')).toBe(before);
    expect(gateway.status()).toMatchObject([{ state: { is: 'ready' }, restarts: 0 }]);
    await gateway.stop();
    expect(isAlive(before)).toBe(false);
  });

  it('ends the old process with the gateway, though its successor failed (K3)', async () => {
    const { gateway, connect } = await serve({ s: plain() });
    const before = await (await connect()).pid('s');
    await gateway.apply(configured({ s: { command: 'no-such-command' } }));
    await gateway.settled();
    await gateway.stop();
    expect(isAlive(before)).toBe(false);
  });

  it('restarts servers for changed limits, but not for changed restart settings or labels', async () => {
    const { gateway, connect } = await serve({ s: plain() });
    const client = await connect();
    const pid = await client.pid('s');
    const labels = { trust: 'full', displayName: 'Files', startTimeoutMs: 9_000 };
    await gateway.apply(
      configured(
        { s: plain() },
        { restart: { giveUpAfter: 1 }, listWaitMs: 5, servers: { s: labels } },
      ),
    );
    await gateway.settled();
    expect(await client.pid('s')).toBe(pid);
    expect((await client.tools())[0]?.title).toBe('Files — Echo');

    await gateway.apply(configured({ s: plain() }, { limits: { maxPendingPerServer: 5 } }));
    await gateway.settled();
    expect(await client.pid('s')).not.toBe(pid);
  });

  it('applies changed restart settings at the next crash of a server', async () => {
    const { gateway, connect } = await serve({ s: plain() });
    const client = await connect();
    await gateway.apply(configured({ s: plain() }, { restart: { giveUpAfter: 1 } }));
    await client.call('s:crash');
    await until(() => gateway.status()[0]?.state.is === 'failed');
  });
});

async function serve(
  servers: Parameters<typeof serveAll>[0],
  options: Parameters<typeof serveAll>[2] = {},
) {
  const served = await serveAll(servers, {}, options);
  const { gateway, logged } = served;
  return { gateway, logged, connect: () => served.connect() };
}
