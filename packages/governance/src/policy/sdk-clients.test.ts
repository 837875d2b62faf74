/** The question as the official clients handle it, old and new, in both eras. */

import { describe, expect, it } from 'vitest';

import { v1, v2 } from '../../../../test/e2e/clients/sdk.js';
import { doorTransport } from './testing/listener-transport.js';
import { Governed } from './testing/governed.js';
import { choosing, type Form, type User } from './testing/test-client.js';

const INFO = { name: 'sdk', version: '1' };
const ABLE = { capabilities: { elicitation: { form: {} } } };

interface Connected {
  call(name: string): Promise<unknown>;
  close(): Promise<void>;
}

type Connect = (governed: Governed, user: User) => Promise<Connected>;

const newer =
  (mode: 'legacy' | { pin: '2026-07-28' }): Connect =>
  async (governed, user) => {
    const client = new v2.Client(INFO, { ...ABLE, versionNegotiation: { mode } });
    client.setRequestHandler(
      'elicitation/create',
      ({ params }) => user(params as unknown as Form) as never,
    );
    await client.connect(doorTransport(governed.listener()) as never);
    return {
      call: (name) => client.callTool({ name, arguments: {} }),
      close: () => client.close(),
    };
  };

const older: Connect = async (governed, user) => {
  const client = new v1.Client(INFO, ABLE);
  client.setRequestHandler(
    v1.ElicitRequestSchema,
    ({ params }) => user(params as unknown as Form) as never,
  );
  await client.connect(doorTransport(governed.listener()) as never);
  return {
    call: (name) => client.callTool({ name, arguments: {} }),
    close: () => client.close(),
  };
};

const CLIENTS: Readonly<Record<string, Connect>> = {
  'the old one': older,
  'the new one with a session': newer('legacy'),
  'the new one without': newer({ pin: '2026-07-28' }),
};

describe.each(Object.entries(CLIENTS))('the official client, %s', (_, connect) => {
  it('shows the form, and the call is made on a yes', async () => {
    const governed = new Governed();
    const client = await connect(governed, choosing('Yes, this once'));
    expect(await client.call('s:destructive')).toMatchObject({ content: [{ text: 'done' }] });
    expect(governed.server.calls.length).toBe(1);
    await client.close();
  });

  it('gets an error on a no', async () => {
    const governed = new Governed();
    const client = await connect(governed, () => ({ action: 'decline' }));
    await expect(client.call('s:destructive')).rejects.toThrow('the user declined');
    expect(governed.server.calls).toEqual([]);
    await client.close();
  });

  it('that fails while it asks has not approved', async () => {
    const governed = new Governed();
    const client = await connect(governed, () => {
      throw new Error('no window');
    });
    await expect(client.call('s:destructive')).rejects.toThrow();
    expect(governed.server.calls).toEqual([]);
    await client.close();
  });
});
