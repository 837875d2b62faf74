/** Instances that differ in what they should share: their secrets, and their clocks. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, it } from 'vitest';

import { describePostgres } from '../../testing/postgres.js';
import { temporaryFolder } from '../gateway-process.js';
import { type Machine, machines } from './machines.js';

const instances = { secrets: ['a secret of the instances in this test'] };
const CONFIRM = {
  destructive: 'confirm',
  confirm: { whenClientCannotAsk: 'wait', timeoutMs: 60_000 },
};
/** Moves the clock of a process by ten minutes. */
const OTHER_CLOCK = `
const Real = Date;
const shift = 10 * 60_000;
globalThis.Date = class Date extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + shift);
    else super(...given);
  }
  static now() {
    return Real.now() + shift;
  }
};
`;

describePostgres('instances that are not alike', (postgres) => {
  it('say so if their secrets differ', async () => {
    const [a] = await machines(postgres, 1, { instances });
    const other = { secrets: ['another secret, which the first does not have'] };
    const [b] = await machines(postgres, 1, { instances: other }, { beside: a! });
    const words = 'does not prove that it has the same "instances.secrets"';
    for (const { gateway } of [a!, b!]) {
      await expect.poll(() => gateway.stderr).toContain(`warning: Instance `);
      expect(gateway.stderr).toContain(words);
    }
    // The first secret opens connections, and all are accepted.
    const both = { secrets: [...instances.secrets, ...other.secrets] };
    const [c] = await machines(postgres, 1, { instances: both }, { beside: a! });
    const unproved = ({ gateway }: Machine): string[] =>
      Array.from(gateway.stderr.matchAll(/Instance (\w+) \(https:/g), ([, id]) => id!);
    await expect.poll(() => unproved(c!)).toHaveLength(1);
    await expect.poll(() => unproved(a!)).toEqual(unproved(c!));
    const client = await c!.gateway.connect();
    await client.result('kid:echo', {});
  });

  it('are named if their file cannot be read, even if they run what it said before (L11)', async () => {
    const [a, b] = await machines(postgres, 2, { instances });
    expect(await a!.command('reload', '--all')).toMatchObject({ code: 0 });
    const text = readFileSync(b!.gateway.config);
    rmSync(b!.gateway.config);
    const { code, stderr } = await a!.command('reload', '--all');
    expect(code).toBe(6);
    const { answer, code: shown } = await a!.command('status', '--all');
    expect(shown).toBe(6);
    const listed = answer['instances'] as { id: string; pid: number; configProblem?: string }[];
    const [one, other] = [a!, b!].map(({ gateway }) =>
      listed.find(({ pid }) => pid === gateway.pid),
    );
    expect([one!.configProblem, other!.configProblem]).toEqual([undefined, 'it does not exist']);
    expect(stderr).toContain(`${other!.id} on `);
    expect(stderr).toContain('its file: it does not exist');
    expect(stderr).not.toContain(one!.id);
    writeFileSync(b!.gateway.config, text);
    expect(await a!.command('reload', '--all')).toMatchObject({ code: 0 });
  });

  it('work together if a clock is ten minutes ahead', async () => {
    const file = join(temporaryFolder(), 'other-clock.mjs');
    writeFileSync(file, OTHER_CLOCK);
    const env = { NODE_OPTIONS: `--import ${pathToFileURL(file).href}` };
    const settings = { instances, policy: CONFIRM, quota: { perServer: { perMinute: 600 } } };
    const [a] = await machines(postgres, 1, settings);
    const [ahead] = await machines(postgres, 1, settings, { beside: a!, env });
    for (const [here, there] of [
      [a!, ahead!],
      [ahead!, a!],
    ] as const) {
      const client = await here.gateway.connect();
      await client.result('kid:add', { a: 1, b: 2 });
      const call = client.call('kid:echo', { text: 'wait' });
      let id = '';
      await expect
        .poll(async () => {
          const { answer } = await there.command('approvals', 'list');
          const [waiting] = (answer['approvals'] ?? []) as { id: string; remainingMs: number }[];
          id = waiting?.id ?? '';
          return waiting?.remainingMs ?? 0;
        })
        .toBeGreaterThan(0);
      expect(await there.command('approvals', 'approve', id)).toMatchObject({ code: 0 });
      expect((await call).result).toBeDefined();
    }
    const { code, answer } = await a!.command('status', '--all');
    expect(code).toBe(0);
    expect(answer['instances']).toMatchObject([{ state: 'ready' }, { state: 'ready' }]);
    await expect
      .poll(async () => (await a!.command('audit', 'verify')).answer)
      .toMatchObject({ ok: true, journals: 2, flaws: [] });
  });
});
