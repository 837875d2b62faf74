import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { memberText } from '../json/json-text.js';
import { CALLER, fakeCall } from '../testing/fake-call.js';
import { Call, type CallChanges } from './call.js';
import type { Target } from './target.js';

describe('the parameters of a call', () => {
  it.each([
    [
      'name first',
      '{"name":"fs:a","x":1.0,"_meta":{"progressToken":"p","y":[ ]}}',
      '{"name":"a","x":1.0,"_meta":{"progressToken":7,"y":[ ]}}',
    ],
    [
      'token first',
      '{"_meta": {"z":0,"progressToken" : 12345678901234567890} ,"arguments":{},"name" :"fs:a"}',
      '{"_meta": {"z":0,"progressToken" : 7} ,"arguments":{},"name" :"a"}',
    ],
    ['no token', '{"name":"fs:a","_meta":{}}', '{"name":"a","_meta":{}}'],
    ['a URI', '{"uri":"a://1"}', '{"uri":"a"}'],
    ['nothing to put', '{"arguments":{"name":"fs:a"}}', '{"arguments":{"name":"fs:a"}}'],
  ])('are sent with another name and token: %s', (_, params, sent) => {
    expect(fakeCall(params).paramsWith('"a"', '7')).toBe(sent);
  });

  it('keep the caller’s name if no other is given, and still get the token', () => {
    const call = fakeCall('{"uri":"a://1","_meta":{"progressToken":1}}');
    expect(call.paramsWith(undefined, '7')).toBe('{"uri":"a://1","_meta":{"progressToken":7}}');
    expect(fakeCall('{"uri":"a://1"}').paramsWith(undefined, '7')).toBe('{"uri":"a://1"}');
  });

  it('get the server’s own name where the client uses another one', () => {
    const call = fakeCall('{"_meta":{"progressToken":1},"uri":"b:a://\\u0031"}').with({
      nameForServer: 'a://"1"',
    });
    expect(call.paramsWith(undefined, '7')).toBe(
      '{"_meta":{"progressToken":7},"uri":"a://\\"1\\""}',
    );
    expect(call.paramsWith('"own"', '7')).toContain('"uri":"own"');
  });

  it('are the same as after assigning name and token, for any parameters', () => {
    const rest = fc.dictionary(
      fc.string().filter((key) => !['name', 'uri', '_meta', '__proto__'].includes(key)),
      fc.jsonValue(),
    );
    const options = [rest, rest, fc.boolean(), fc.boolean(), fc.string(), fc.string()] as const;
    fc.assert(
      fc.property(...options, (members, meta, tokenFirst, hasToken, name, token) => {
        const own = { _meta: hasToken ? { ...meta, progressToken: token } : meta };
        const before = tokenFirst ? { ...own, ...members, name } : { name, ...members, ...own };
        const sent = fakeCall(JSON.stringify(before)).paramsWith('"put"', '"mine"');
        const expected = {
          ...before,
          name: 'put',
          _meta: hasToken ? { ...meta, progressToken: 'mine' } : meta,
        };
        // In text, so that the order of members counts too.
        expect(sent).toBe(JSON.stringify(expected));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a call', () => {
  it('knows whether its caller wants progress notifications', () => {
    expect(fakeCall('{"name":"a","_meta":{"progressToken":0}}').wantsProgress).toBe(true);
    expect(fakeCall('{"name":"a","_meta":{}}').wantsProgress).toBe(false);
  });

  it('is cancelled once, even if that is requested several times', () => {
    const call = fakeCall('{"name":"a"}');
    const stopped = vi.fn<(reason: string | undefined) => void>();
    call.context.onCancel(stopped);
    expect(call.context.isCancelled).toBe(false);
    call.context.cancel('enough');
    call.context.cancel('again');
    expect(call.context.isCancelled).toBe(true);
    expect(stopped.mock.calls).toEqual([['enough']]);
  });

  it('can be cancelled before any work on it starts', () => {
    const call = fakeCall('{"name":"a"}');
    call.context.cancel();
    expect(call.context.isCancelled).toBe(true);
  });

  it('has its parameters and its caller', () => {
    const places = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };
    const made = { method: 'm', params: '{}', name: 'n', caller: CALLER };
    expect(new Call({ ...made, ...places })).toMatchObject({ ...made, target: undefined });
  });

  it.each([
    ['{"name":"x","arguments":{"a": 1}}', '{"a": 1}'],
    [' { "arguments" : [1, 2] , "name":"x" } ', '[1, 2]'],
    ['{"name":"x","arguments":{"a":1},"arguments":{"a":2}}', '{"a":2}'],
    ['{"name":"x","_meta":{"arguments":{}}}', undefined],
    ['{"name":"x"}', undefined],
    ['{}', undefined],
    ['[]', undefined],
    ['{"arguments":{"a":1},', undefined],
  ])('finds its arguments in %s', (params, text) => {
    expect(fakeCall('{"name":"x"}').with({ params }).argumentsJson).toBe(text);
  });

  it('uses the arguments that its listener found, until the parameters change', () => {
    const places = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };
    const made = { method: 'm', params: '{}', name: 'n', caller: CALLER, argumentsJson: '{"a":1}' };
    const call = new Call({ ...made, ...places });
    expect(call.argumentsJson).toBe('{"a":1}');
    expect(call.with({ sight: undefined }).argumentsJson).toBe('{"a":1}');
    expect(call.with({ params: '{"arguments":{"b":2}}' }).argumentsJson).toBe('{"b":2}');
    expect(call.with({ params: '{}' }).argumentsJson).toBeUndefined();
  });

  it.each([
    ['{"arguments":{"a":1},"inputResponses":{"q":2}}', '{"a":1,"inputResponses":{"q":2}}'],
    ['{"arguments":{ },"inputResponses":{"q":2}}', '{"inputResponses":{"q":2}}'],
    ['{"inputResponses":{"q":2}}', '{"inputResponses":{"q":2}}'],
    [
      '{"arguments":{"inputResponses":1},"inputResponses":2}',
      '{"inputResponses":1,"inputResponses":2}',
    ],
    ['{"arguments":[1],"inputResponses":2}', '{"arguments":[1],"inputResponses":2}'],
    ['{"arguments":{"a":1}}', '{"a":1}'],
    ['{}', undefined],
  ])('gives its arguments and its answers: %s', (params, text) => {
    const call = fakeCall('{"name":"x"}').with({ params });
    expect(call.givenJson).toBe(text);
    const { argumentsJson } = call;
    const answersJson = memberText(params, 'inputResponses');
    const places = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };
    const made = { method: 'm', params, name: 'n', caller: CALLER, argumentsJson, answersJson };
    expect(new Call({ ...made, ...places }).givenJson).toBe(text);
  });

  it('keeps the entries of its _meta and adds new ones', () => {
    const call = fakeCall('{"name":"x","_meta":{"own":1,"progressToken":"t"}}').with({
      carried: { traceparent: '"00-1"', own: '2' },
    });
    expect(JSON.parse(call.paramsWith('"y"', '7'))).toEqual({
      name: 'y',
      _meta: { own: 2, progressToken: 7, traceparent: '00-1' },
    });
    const bare = fakeCall('{"name":"x"}').with({ carried: { traceparent: '"00-1"' } });
    expect(bare.paramsWith('"y"', '7')).toBe('{"name":"y","_meta":{"traceparent":"00-1"}}');
  });

  it.each(['{"name":"x","_meta":7}', '{"name":"x","_meta":[1]}'])(
    'leaves a _meta that is not an object as it is: %s',
    (params) => {
      const call = fakeCall(params).with({ carried: { a: '1' } });
      expect(call.paramsWith('"x"', '7')).toBe(params);
    },
  );
});

describe('a call that is derived from another', () => {
  const target = { canonical: 'a:t' } as Target;
  const changes = {
    caller: { ...CALLER, id: 'other' },
    target,
    nameForServer: 'own',
    subject: { canonical: 'a:s' } as Target,
    sight: () => true,
    carried: { a: '1' },
  } satisfies CallChanges;

  it('has the changes, and everything else of the first', () => {
    const first = fakeCall('{"name":"t","_meta":{"progressToken":1}}');
    const { method, params, name, context } = first;
    const second = first.with(changes);
    expect(second).toMatchObject({ method, params, name, ...changes });
    expect(second.context).toBe(context);
    expect(second.sight).toBe(changes.sight);
    expect(first).toMatchObject({ caller: CALLER, target: undefined, sight: undefined });
    expect(first.carried).toBeUndefined();
  });

  it('passes the changes on to calls that are derived from it', () => {
    const third = fakeCall('{"name":"t"}').with(changes).with({});
    expect(third).toMatchObject(changes);
    const none = fakeCall('{"name":"t"}').with({});
    expect([none.nameForServer, none.subject, none.sight, none.carried]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('finds name and token again in other parameters', () => {
    const call = fakeCall('{"name":"t"}').with({
      params: '{"arguments":{"n":1},"_meta":{"progressToken":5},"name":"t"}',
    });
    expect(call.wantsProgress).toBe(true);
    expect(call.paramsWith('"u"', '7')).toBe(
      '{"arguments":{"n":1},"_meta":{"progressToken":7},"name":"u"}',
    );
    expect(fakeCall('{"name":"t","_meta":{"progressToken":5}}').with({}).wantsProgress).toBe(true);
    expect(fakeCall('not an object').wantsProgress).toBe(false);
  });
});
