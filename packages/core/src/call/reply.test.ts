import { describe, expect, it } from 'vitest';

import { resultOf, withMeta } from './reply.js';

const noted = (json: string, ok = true) => withMeta({ ok, json }, 'callsign/x', { a: 1 });

describe('a note in the _meta of a reply', () => {
  it.each([
    ['{}', '{"_meta":{"callsign/x":{"a":1}}}'],
    [
      '{"content":[ ],"n":1.0, "_meta" : {"b":12345678901234567890 }}',
      '{"content":[ ],"n":1.0, "_meta" : {"b":12345678901234567890 ,"callsign/x":{"a":1}}}',
    ],
    ['{"_meta":{"callsign/x":0,"b":0}}', '{"_meta":{"callsign/x":{"a":1},"b":0}}'],
    ['{"_meta":null,"isError":true}', '{"_meta":{"callsign/x":{"a":1}},"isError":true}'],
    ['{"_meta":5,"a":1}', '{"_meta":{"callsign/x":{"a":1}},"a":1}'],
    ['{"_meta":[1]}', '{"_meta":{"callsign/x":{"a":1}}}'],
    ['{"_meta":{"a":1},"_meta":{"b":2}}', '{"_meta":{"a":1},"_meta":{"b":2,"callsign/x":{"a":1}}}'],
  ])('turns %s into %s', (json, expected) => {
    expect(noted(json)).toEqual({ ok: true, json: expected });
  });

  it('is not put into errors', () => {
    const reply = { ok: false, json: '{"code":-32000,"message":"no"}' };
    expect(withMeta(reply, 'x', 1)).toBe(reply);
  });

  it.each(['"text"', '5', 'null', '[{}]', 'not JSON'])('leaves the result %s unchanged', (json) => {
    expect(noted(json)).toEqual({ ok: true, json });
  });
});

describe('our own result', () => {
  it('is the value as text', () => {
    expect(resultOf({ content: [], isError: true })).toEqual({
      ok: true,
      json: '{"content":[],"isError":true}',
    });
  });
});
