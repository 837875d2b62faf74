import { describe, expect, it } from 'vitest';

import { readTraceContext, traceMeta } from './trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const parent = `00-${TRACE}-${SPAN}-01`;

describe('the trace that a call belongs to', () => {
  it('is read from its _meta', () => {
    const params = JSON.stringify({ name: 'x', _meta: { traceparent: parent, tracestate: 'a=1' } });
    expect(readTraceContext(params)).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      flags: 1,
      state: 'a=1',
    });
  });

  it.each([
    '{"name":"x"}',
    '{"_meta":{}}',
    '{"_meta":"traceparent"}',
    `{"traceparent":"${parent}"}`,
    '{"_meta":{"traceparent":7}}',
    '{"_meta":{"traceparent":"00-xyz"}}',
    `{"_meta":{"traceparent":"ff-${TRACE}-${SPAN}-01"}}`,
    `{"_meta":{"traceparent":"00-${'0'.repeat(32)}-${SPAN}-01"}}`,
    `{"_meta":{"traceparent":"00-${TRACE}-${'0'.repeat(16)}-01"}}`,
    `{"_meta":{"traceparent":"00-${TRACE.toUpperCase()}-${SPAN}-01"}}`,
  ])('is ignored if it is malformed: %s', (params) => {
    expect(readTraceContext(params)).toBeUndefined();
  });

  it('is read from a later version, and keeps no state that is too long', () => {
    const meta = { traceparent: `01-${TRACE}-${SPAN}-00-more`, tracestate: 'x'.repeat(600) };
    expect(readTraceContext(`{"_meta":${JSON.stringify(meta)}}`)).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      flags: 0,
    });
  });

  it('is written as it is read', () => {
    const context = { traceId: TRACE, spanId: SPAN, flags: 1, state: 'a="1"' };
    const meta = traceMeta(context);
    const params = `{"_meta":{"traceparent":${meta['traceparent']},"tracestate":${meta['tracestate']}}}`;
    expect(readTraceContext(params)).toEqual(context);
    expect(traceMeta({ traceId: TRACE, spanId: SPAN, flags: 1 })).toEqual({
      traceparent: JSON.stringify(parent),
    });
  });
});
