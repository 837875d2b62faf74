import { Call, type Caller } from '@callsign/core';
import type { StatedCaller } from '@callsign/wire';
import { describe, expect, it } from 'vitest';

import { CallerSeal } from '../keys/caller-seal.js';
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

const SECRETS = ['a secret of all instances'];
const [here, there] = [new CallerSeal('here', SECRETS), new CallerSeal('there', SECRETS)];

/** The parameters as they are between instances. */
function sent(params: string, stated?: StatedCaller, seal = here): string {
  const call = withCaller(callOf(params), stated, (carried) => seal.seal(carried, 'there'));
  return packEnvelope(call.paramsWith(undefined, '1'));
}

describe('the caller of a call that runs on another instance', () => {
  const ann = { name: 'key:ann', roles: ['dev'] };

  it('is sent with the call', () => {
    const read = readCaller(callOf(sent('{"name":"t","arguments":{"a":1}}', ann)), there)!;
    expect(read.caller).toEqual({
      id: 'c1',
      era: 'stateless',
      client: { name: 'test', version: '1' },
      capabilities: '{"elicitation":{}}',
      stated: ann,
    });
  });

  it('can be named only by an instance with the secret, for the instance that it is meant for (L2)', () => {
    const params = '{"name":"t"}';
    const forged = new CallerSeal('here', ['another secret']);
    expect(readCaller(callOf(sent(params, ann, forged)), there)).toBeUndefined();
    expect(readCaller(callOf(sent(params, ann)), here)).toBeUndefined();
    const plain = JSON.stringify({ ...caller, stated: ann });
    for (const claim of [plain, JSON.stringify(plain), '"x"', 'null']) {
      const claimed = `{"name":"t","_meta":{"callsign.instances/caller":${claim}}}`;
      expect(readCaller(callOf(claimed), there)).toBeUndefined();
    }
  });

  it('is not what its client writes into the call (L2)', () => {
    const own = { name: 'key:bob', roles: [] };
    const other = here.seal({ ...caller, stated: ann }, 'elsewhere');
    for (const key of ['callsign.instances/caller', 'callsign.instances\\/caller']) {
      const params = sent(`{"name":"t","_meta":{"${key}":"${other}"}}`, own);
      expect(readCaller(callOf(params), there)?.caller.stated).not.toEqual(ann);
    }
  });

  it.each([
    '{"name":"t","arguments":{"a":1.0}}',
    '{"name":"t","_meta":{"x/y":1}}',
    '{"name":"t","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","x/y":"ü"}}',
  ])('is not in the message for the server: %s', (params) => {
    const read = readCaller(callOf(sent(params)), there)!.call.params;
    expect(JSON.parse(read)).toEqual(JSON.parse(params));
    expect(read).toContain(params.includes('1.0') ? '1.0' : '');
  });

  it('does not look like a stateless request between instances', () => {
    const meta = '{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';
    expect(sent(`{"name":"t","_meta":${meta}}`)).not.toContain('io.modelcontextprotocol');
  });

  it('must be named', () => {
    expect(readCaller(callOf('{"name":"t"}'), there)).toBeUndefined();
  });
});
