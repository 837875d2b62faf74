import { fakeClock } from '@callsign/core/testing';
import { leaseName, type InstanceReport } from '@callsign/instances';
import { describe, expect, it } from 'vitest';

import { memoryDirectory } from '../../../../test/memory/memory-directory.js';
import { memoryLeases } from '../../../../test/memory/memory-leases.js';
import { announcement, REPORT } from '../../../../test/contracts/instance-directory.js';
import { surveyInstances } from './instance-survey.js';

const servers = [
  { key: 'alone', placement: 'one', state: 'ready', tools: 1, restarts: 0 },
  { key: 'twin', placement: 'each', state: 'ready', tools: 1, restarts: 0 },
] as const;
const report: InstanceReport = { ...REPORT, servers };

describe('a survey of all instances', () => {
  it('says which instance runs a server, and which are connected to it', async () => {
    const clock = fakeClock();
    const [directory, leases] = [memoryDirectory(clock), memoryLeases(clock)];
    for (const id of ['a', 'b']) await directory.announce(announcement(id), report);
    await leases.take(leaseName('alone'), 'b', 60_000);
    const found = await surveyInstances({ directory, leases }, 'sha256:00');
    const runs = found.map((each) => each.servers!.map(({ runsHere }) => runsHere));
    expect(runs).toEqual([
      [false, true],
      [true, true],
    ]);
    expect(found.map((each) => each.leases)).toEqual([[], ['server:alone']]);
    // What other instances recognise it by is of no use to an operator.
    expect(JSON.stringify(found)).not.toContain('key of a');
  });

  it('compares configurations', async () => {
    const clock = fakeClock();
    const [directory, leases] = [memoryDirectory(clock), memoryLeases(clock)];
    await directory.announce(announcement('same'));
    await directory.announce(announcement('other', { configuration: 'sha256:01' }));
    const found = await surveyInstances({ directory, leases }, 'sha256:00');
    expect(found.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  });

  it('calls an instance silent, and later gone, until its entry is a day old', async () => {
    const clock = fakeClock();
    const [directory, leases] = [memoryDirectory(clock), memoryLeases(clock)];
    await directory.announce(announcement('a', { state: 'draining' }), report);
    const states = async (): Promise<string[]> =>
      (await surveyInstances({ directory, leases }, '')).map(({ state }) => state);
    expect(await states()).toEqual(['draining']);
    await clock.pass(6_000);
    expect(await states()).toEqual(['silent']);
    await clock.pass(9_000);
    expect(await states()).toEqual(['gone']);
    await clock.pass(24 * 60 * 60_000);
    expect(await states()).toEqual([]);
  });
});
