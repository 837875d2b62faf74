import { describe, expect, it } from 'vitest';

import type { Reply } from '@callsign/core';

import type { Connection } from './connection.js';
import { openSession, type Greeting } from './handshake.js';

const SELF = { name: 'gateway', version: '1' };

/** The handshake with a server that answers like this. */
function greeted(reply: Reply): Promise<Greeting> {
  const connection = { request: () => Promise.resolve(reply), notify: () => undefined };
  return openSession(connection as unknown as Connection, SELF, 1_000);
}

const result = (members: object): Reply => ({ ok: true, json: JSON.stringify(members) });

describe('the handshake', () => {
  it('keeps the instructions of a server, up to a limit', async () => {
    const protocolVersion = '2025-11-25';
    const of = async (instructions: unknown): Promise<string | undefined> =>
      (await greeted(result({ protocolVersion, instructions }))).instructions;
    expect(await of('# Use it well.\n')).toBe('# Use it well.\n');
    expect(await of(7)).toBeUndefined();
    expect(await of('\n'.repeat(9_000_000))).toHaveLength(65_536);
    expect(await of(`x${'😀'.repeat(50_000)}`)).toBe(`x${'😀'.repeat(32_767)}`);
  });

  it('repeats only the beginning of what a server says, on one line', async () => {
    const long = ' '.repeat(5_000_000);
    const refused = greeted({ ok: false, json: JSON.stringify({ code: 1, message: `a${long}b` }) });
    await expect(refused).rejects.toThrow(/it refused the handshake: "a…?$/);
    const message = 'no\n'.repeat(100_000);
    const wordy = await greeted({ ok: false, json: JSON.stringify({ message }) }).catch(String);
    expect(String(wordy).length).toBeLessThan(500);
    const data = { status: 401 };
    const ours = JSON.stringify({ code: -32000, message: 'sign in with: x', data });
    await expect(greeted({ ok: false, json: ours })).rejects.toThrow(/ sign in with: x$/);
    const unknown = await greeted(result({ protocolVersion: 'v'.repeat(100_000) })).catch(String);
    expect(unknown).toMatch(/unknown protocol version: "v{299}…/);
    await expect(greeted(result({}))).rejects.toThrow('protocol version: undefined');
  });
});
