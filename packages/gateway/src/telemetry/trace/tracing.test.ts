import { SpanKind } from '@opentelemetry/api';
import { type Call, CallsignError, type Interceptor } from '@callsign/core';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { CALLER, callOf, labelledHub } from '../../../../../test/testing/labelled-hub.js';
import { otlpReceiver, type ReceivedSpan } from './testing/otlp-receiver.js';
import { createTracing, type TracingOptions } from './tracing.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

afterEach(() => vi.unstubAllEnvs());

/** Traces that are sent to a receiver, or to another address. */
async function traced(url?: string) {
  const receiver = await otlpReceiver();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url ?? receiver.url);
  const tracing = await createTracing({
    env: process.env,
    log: () => undefined,
    version: '1.2.3',
  });
  const carried: Call['carried'][] = [];
  /** The parameters that the server gets. */
  const seen: Interceptor = (call, next) => {
    carried.push(call.carried);
    return next();
  };
  return { tracing: tracing!, carried, seen, receiver };
}

function attributesOf({ attributes }: ReceivedSpan): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
  );
}

describe('traces', () => {
  it('are not loaded if they are not configured', async () => {
    const log = vi.fn<TracingOptions['log']>();
    expect(await createTracing({ env: {}, log, version: '1' })).toBeUndefined();
    expect(log).not.toHaveBeenCalled();
  });

  it('have one span per call, which the server gets too', async () => {
    const { tracing, carried, seen, receiver } = await traced();
    const { call } = labelledHub({ interceptors: [tracing.trace, seen] });
    await call('read_file');
    await tracing.close();
    expect(receiver.spans).toHaveLength(1);
    const [span] = receiver.spans;
    expect(span!.name).toBe('tools/call fs:read_file');
    expect(span!.parentSpanId ?? '').toBe('');
    expect(attributesOf(span!)).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'fs:read_file',
      'mcp.session.id': CALLER.id,
      'callsign.server': 'fs',
      'callsign.risk': 'read',
      'callsign.client': 'test',
    });
    expect(carried).toEqual([{ traceparent: `"00-${span!.traceId}-${span!.spanId}-01"` }]);
    expect(receiver.resources).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'callsign' },
    });
  });

  it('have a span below it each time that the call is sent, with the server’s own names', async () => {
    const { tracing, carried, seen, receiver } = await traced();
    const again: Interceptor = async (call, next) => {
      await next(call);
      return await next(call);
    };
    const { call } = labelledHub({ interceptors: [tracing.trace, again, tracing.attempt, seen] });
    await call('read_file');
    await tracing.close();
    const [first, second, whole] = receiver.spans;
    expect(whole).toMatchObject({ name: 'tools/call fs:read_file', kind: SpanKind.SERVER + 1 });
    for (const span of [first!, second!]) {
      expect(span).toMatchObject({
        name: 'tools/call read_file',
        kind: SpanKind.CLIENT + 1,
        traceId: whole!.traceId,
        parentSpanId: whole!.spanId,
      });
      expect(attributesOf(span)).toEqual({
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'read_file',
        'callsign.server': 'fs',
      });
    }
    expect(carried).toEqual(
      [first!, second!].map(({ traceId, spanId }) => ({
        traceparent: `"00-${traceId}-${spanId}-01"`,
      })),
    );
  });

  it('continue the client’s trace, with its state', async () => {
    const { tracing, carried, seen, receiver } = await traced();
    const { hub } = labelledHub({ interceptors: [tracing.trace, seen] });
    const plain = callOf('fs__read_file');
    const meta = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'vendor=1' };
    const params = plain.params.replace('}', `,"_meta":${JSON.stringify(meta)}}`);
    const call = Object.assign(plain, { params });
    await hub.route('tool', 'fs:read_file')!.send(call);
    await tracing.close();
    expect(receiver.spans).toMatchObject([{ traceId: TRACE, parentSpanId: SPAN }]);
    const { spanId } = receiver.spans[0]!;
    expect(carried).toEqual([
      { traceparent: `"00-${TRACE}-${spanId}-01"`, tracestate: '"vendor=1"' },
    ]);
  });

  it('have the outcome of a call, the decision and the number of retries', async () => {
    const { tracing, receiver } = await traced();
    const { call } = labelledHub({
      interceptors: [tracing.trace],
      answer: (each) => {
        each.context.verdict = { decision: 'confirm', rule: 'secret rule text' };
        each.context.retries = 2;
        return Promise.reject(new CallsignError('upstream-closed', { server: 'fs' }));
      },
    });
    await expect(call('delete_file', { password: 'hunter2' })).rejects.toThrow();
    await tracing.close();
    expect(receiver.spans[0]!.status.code).toBe(2);
    expect(attributesOf(receiver.spans[0]!)).toMatchObject({
      'callsign.decision': 'confirm',
      'callsign.retries': 2,
      'error.type': 'upstream-closed',
      'rpc.response.status_code': '-32000',
    });
    expect(JSON.stringify(receiver.spans)).not.toMatch(/hunter2|secret rule/);
  });

  it('have the id and the version of the request, and the number of an error that the server sent', async () => {
    const { tracing, receiver } = await traced();
    const { hub } = labelledHub({
      interceptors: [tracing.trace, tracing.attempt],
      answer: () => Promise.resolve({ ok: false, json: '{"code":-32001,"message":"hunter2"}' }),
    });
    const caller = { ...CALLER, version: '2025-11-25' };
    for (const id of ['7', '"a-1"']) {
      const call = callOf('fs__read_file', {}, caller);
      Object.assign(call.context, { requestId: id });
      await hub.route('tool', 'fs:read_file')!.send(call);
    }
    await tracing.close();
    const error = { 'error.type': 'server-error', 'rpc.response.status_code': '-32001' };
    const [attempt, first, , second] = receiver.spans.map(attributesOf);
    expect(attempt).toMatchObject(error);
    const version = { 'mcp.protocol.version': '2025-11-25' };
    expect(first).toMatchObject({ ...error, ...version, 'jsonrpc.request.id': '7' });
    expect(second).toMatchObject({ 'jsonrpc.request.id': 'a-1' });
    expect(JSON.stringify(receiver.spans)).not.toContain('hunter2');
  });

  it('have no number of an answer that did not come', async () => {
    const { tracing, receiver } = await traced();
    const { call } = labelledHub({
      interceptors: [tracing.attempt],
      answer: () => Promise.reject(new CallsignError('upstream-closed', { server: 'fs' })),
    });
    await expect(call('read_file')).rejects.toThrow();
    await tracing.close();
    expect(attributesOf(receiver.spans[0]!)).not.toHaveProperty(['rpc.response.status_code']);
  });

  it('are bounded for any client name', async () => {
    const { tracing, receiver } = await traced();
    const { call } = labelledHub({ interceptors: [tracing.trace] });
    const client = { name: 'n'.repeat(100_000), version: '1' };
    await call('read_file', {}, { ...CALLER, client });
    await tracing.close();
    expect(JSON.stringify(receiver.spans).length).toBeLessThan(2_000);
  });

  it('do not fail a call, or the shutdown, if the receiver is down', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '200');
    const { tracing } = await traced('http://127.0.0.1:1');
    const { call } = labelledHub({ interceptors: [tracing.trace] });
    expect(await call('read_file')).toMatchObject({ ok: true });
    await tracing.close();
  });
});
