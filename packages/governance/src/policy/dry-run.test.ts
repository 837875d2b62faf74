/** A call that is described instead of made, as the official client sees it. */

import { outcomeOfReply } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { v2 } from '../../../../test/e2e/clients/sdk.js';
import { describedCall } from './policy-module.js';
import { doorTransport } from './testing/listener-transport.js';
import { Governed, tool } from './testing/governed.js';
import { plainCall, plainCaller } from './testing/plain-call.js';

const OUTPUT = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

/** The official client at the gateway's listener. */
async function connected(governed: Governed): Promise<InstanceType<typeof v2.Client>> {
  const client = new v2.Client({ name: 'test', version: '1' });
  await client.connect(doorTransport(governed.listener()) as never);
  return client;
}

describe('a described call (S18)', () => {
  const policy = { dryRun: true };

  it('is a result with the tool and the arguments', async () => {
    const governed = new Governed({ policy });
    const client = await connected(governed);
    await client.listTools();
    const args = { path: '/a', password: 'hunter2' };
    const result = await client.callTool({ name: 's:destructive', arguments: args });
    expect(result).toMatchObject({
      isError: false,
      content: [
        {
          type: 'text',
          text: 'Dry run: s:destructive was not called. It would have been called with {"path":"/a","password":"[redacted]"}',
        },
      ],
      _meta: { 'callsign/dry-run': true },
    });
    expect(governed.server.calls).toEqual([]);
    await client.close();
  });

  it.each([
    ['no arguments', undefined, '{}'],
    ['a value that the schema calls a password', { pad: 'x' }, '{"pad":"[redacted]"}'],
    ['a value that the settings call a secret', { iban: 'x' }, '{"iban":"[redacted]"}'],
    ['other arguments', { a: 'x' }, '{"a":"x"}'],
  ])('describes a call with %s', (_, args, shown) => {
    const call = plainCall(plainCaller('session'), 'drop', args ? { arguments: args } : {});
    const inputSchema = { properties: { pad: { type: 'string', format: 'password' } } };
    const target = { ...call.target!, item: tool('drop', { inputSchema }) };
    const reply = describedCall(call.with({ target }), { keys: ['iban'] });
    const { ok, json } = reply;
    expect(ok).toBe(true);
    expect(outcomeOfReply(reply), 'S18').toBe('dry-run');
    expect(JSON.parse(json)).toEqual({
      content: [
        {
          type: 'text',
          text: `Dry run: s:drop was not called. It would have been called with ${shown}`,
        },
      ],
      isError: false,
      _meta: { 'callsign/dry-run': true },
    });
  });

  it('is accepted if the tool promises structured output, without having any', async () => {
    const promising = tool('destructive', { outputSchema: OUTPUT });
    const governed = new Governed({ policy, tools: [promising, tool('read')] });
    const client = await connected(governed);
    await client.listTools();
    const result = await client.callTool({ name: 's:destructive' });
    expect(result).toMatchObject({ isError: true, _meta: { 'callsign/dry-run': true } });
    await client.close();
  });

  it('would be refused there if it were not marked as an error', async () => {
    const governed = new Governed({ tools: [tool('read', { outputSchema: OUTPUT })] });
    const client = await connected(governed);
    await client.listTools();
    await expect(client.callTool({ name: 's:read' })).rejects.toThrow('structured content');
    await client.close();
  });
});
