import { Call, type Caller } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { packEnvelope, readCaller, withCaller } from './carried-caller.js';

const caller: Caller = {
  id: 'c1',
  era: 'stateless',
  client: { name: 'test', version: '1' },
  capabilities: '{"elicitation":{}}',
  can: () => true,
};
const NOWHERE = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };

function callOf(params: string): Call {
  return new Call({ method: 'tools/call', params, name: 't', caller, ...NOWHERE });
}

/** The parameters as they are between instances. */
function sent(params: string, credential?: string): string {
  return packEnvelope(withCaller(callOf(params), credential).paramsWith(undefined, '1'));
}

describe('the caller of a call that runs on another instance', () => {
  it('is sent with the call, with its credential', () => {
    const there = readCaller(callOf(sent('{"name":"t","arguments":{"a":1}}', 'Bearer key')))!;
    expect(there.caller).toEqual({
      id: 'c1',
      era: 'stateless',
      client: { name: 'test', version: '1' },
      capabilities: '{"elicitation":{}}',
      credential: 'Bearer key',
    });
  });

  it.each([
    '{"name":"t","arguments":{"a":1.0}}',
    '{"name":"t","_meta":{"x/y":1}}',
    '{"name":"t","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","x/y":"ü"}}',
  ])('is not in the message for the server: %s', (params) => {
    const there = readCaller(callOf(sent(params)))!.call.params;
    expect(JSON.parse(there)).toEqual(JSON.parse(params));
    expect(there).toContain(params.includes('1.0') ? '1.0' : '');
  });

  it('does not look like a stateless request between instances', () => {
    const meta = '{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';
    expect(sent(`{"name":"t","_meta":${meta}}`)).not.toContain('io.modelcontextprotocol');
  });

  it('must be named', () => {
    expect(readCaller(callOf('{"name":"t"}'))).toBeUndefined();
  });
});
