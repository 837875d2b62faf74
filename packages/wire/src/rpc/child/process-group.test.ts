import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { ChildGroups, GROUP_SPAWN_OPTIONS, isGroupAlive, signalGroup } from './process-group.js';

/** Higher than any process id. */
const NO_PROCESS = 99_999_999;

/** The shells that watch our groups. */
function watchers(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const isOurs = readFileSync(`/proc/${name}/stat`, 'utf8').includes(` S ${process.pid} `);
      const isWatcher = readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('groups=" "');
      return isOurs && isWatcher ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

describe.runIf(process.platform === 'linux')('a group of processes', () => {
  it('has ended when its leader and everything that it started have ended', async () => {
    const child = spawn('sh', ['-c', 'sleep 30 & echo started; exit'], GROUP_SPAWN_OPTIONS);
    await once(child, 'exit');
    expect(isGroupAlive(child.pid!)).toBe(true);
    signalGroup(child.pid!, 'SIGKILL');
    // It may stay a zombie for long. That is not waited for.
    await expect.poll(() => isGroupAlive(child.pid!)).toBe(false);
    signalGroup(child.pid!, 'SIGKILL');
  });

  it('is watched by one shell for all groups, and by a new one if that shell dies', async () => {
    // Other tests may have run in this process.
    const others = new Set(watchers());
    const ours = (): number[] => watchers().filter((pid) => !others.has(pid));
    const groups = new ChildGroups();
    const guards = [groups.watch(NO_PROCESS), groups.watch(NO_PROCESS + 1)];
    await expect.poll(ours).toHaveLength(1);
    const [fallen] = ours();
    process.kill(fallen!, 'SIGKILL');
    await expect.poll(ours).toEqual([]);
    // The next message fails because the shell is gone, or starts a new one.
    await expect
      .poll(() => {
        guards.push(groups.watch(NO_PROCESS + guards.length));
        return ours().filter((pid) => pid !== fallen);
      })
      .toHaveLength(1);
    groups.close();
    for (const guard of guards) guard.release();
    // Programs may open and close many gateways.
    await expect.poll(ours).toEqual([]);
  });
});
