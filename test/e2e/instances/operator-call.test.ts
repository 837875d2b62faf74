/** `callsign call` on an instance that does not run the server. */

import { createHash } from 'node:crypto';

import { expect, it } from 'vitest';

import { describePostgres } from '../../testing/postgres.js';
import { machines } from './machines.js';

const instances = { secrets: ['a secret of the instances in this test'] };
const hash = `sha256:${createHash('sha256').update('callsign_key').digest('hex')}`;

describePostgres('a call of the operator to a server on another instance', (postgres) => {
  it('works if callers need no credential', async () => {
    const both = await machines(postgres, 2, { instances });
    for (const machine of both) {
      const { code, answer } = await machine.command('call', 'kid:add', 'a=1', 'b=2');
      expect({ code, answer }).toMatchObject({ code: 0 });
    }
  });

  it('gives the reason if callers need one', async () => {
    const auth = { keys: [{ name: 'ann', hash }] };
    const both = await machines(postgres, 2, { instances, auth });
    const done = await Promise.all(
      both.map((each) => each.command('call', 'kid:add', 'a=1', 'b=2')),
    );
    // One of them runs the server.
    expect(done.map(({ code }) => code).toSorted()).toEqual([0, 3]);
    const { stderr } = done.find(({ code }) => code === 3)!;
    expect(stderr).toContain('runs on another instance, which requires a credential');
    expect(stderr).toContain('Run this command on the machine of that instance');
  });
});
