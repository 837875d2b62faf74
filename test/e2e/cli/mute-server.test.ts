/** A server that never answers: no command waits for it longer than its limit. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { child, PLAIN } from '../serve/callsign-process.js';
import { Home } from './callsign.js';

const SECONDS = 2;

let home: Home;
/** How often the server was started. */
const starts = (): number => {
  const file = join(home.folder, 'starts');
  return existsSync(file) ? readFileSync(file, 'utf8').length : 0;
};

beforeEach(() => {
  home = new Home();
  const script = 'printf x >> "$0"; while read -r line; do :; done';
  const mute = { command: 'sh', args: ['-c', script, join(home.folder, 'starts')] };
  const servers = { mute: { startTimeoutMs: SECONDS * 1_000 } };
  home.configure({ mute, fine: child(PLAIN), good: child(PLAIN) }, { servers });
});

describe('a server that never answers', () => {
  it('is started once by a command, which says why in one sentence', async () => {
    const { code, stdout, stderr } = await home.run(['tools']);
    expect({ code, starts: starts() }).toEqual({ code: 0, starts: 1 });
    expect(stdout).toContain('fine:add');
    const reason = `did not start: it did not answer within ${SECONDS} s`;
    expect(stderr).toContain(`Server "mute" ${reason}. To find out why: callsign doctor\n`);
    const doctor = await home.run(['doctor', '--json']);
    expect(doctor.stdout).toContain(`"${reason}"`);
    expect(starts()).toBe(2);
  });

  it('is not started for a name whose server is missing, if remembered lists have the tool', async () => {
    await home.run(['tools']);
    const bare = await home.run(['call', 'add']);
    expect(bare.code).toBe(1);
    expect(bare.stderr).toContain('Did you mean: fine:add or good:add?');
    expect(starts()).toBe(1);
  });

  it('is started once for a name that no remembered list has', async () => {
    await home.run(['tools']);
    expect(await home.run(['call', 'no_such_tool'])).toMatchObject({ code: 1 });
    expect(starts()).toBe(2);
    const { code, stderr } = await home.run(['call', 'mute:add']);
    expect({ code, starts: starts() }).toEqual({ code: 4, starts: 3 });
    expect(stderr).toContain(
      `Server "mute" did not start: it did not answer within ${SECONDS} s.\n`,
    );
  });
});
