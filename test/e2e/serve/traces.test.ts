/** A real gateway sends its spans to a collector, as OpenTelemetry's conventions for MCP say. */

import { expect, it } from 'vitest';

import {
  otlpReceiver,
  type ReceivedSpan,
} from '../../../packages/gateway/src/telemetry/trace/testing/otlp-receiver.js';
import { HttpPeer } from '../clients/http-peer.js';
import type { Era } from '../clients/peer.js';
import { plain, startGateway } from '../gateway-process.js';

const REQUIRED = ['mcp.method.name', 'gen_ai.tool.name', 'gen_ai.operation.name'];

const attributesOf = ({ attributes }: ReceivedSpan): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));

it('sends a span for each call and one for its way to the server, in both eras', async () => {
  const collector = await otlpReceiver();
  const gateway = await startGateway({
    servers: { kid: plain('--dual') },
    settings: { sets: { small: { tools: ['kid:add'] } } },
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' },
    listener: 'http',
  });
  const call = async (era: Era, tool: string, path = '') => {
    const peer = new HttpPeer(`${gateway.url}${path}`, era, {});
    await peer.open();
    const sent = peer.start('tools/call', `"name":"kid:${tool}","arguments":{}`);
    await sent.reply();
    return { id: sent.id, session: peer.session, text: sent.text };
  };
  /** The spans of one call: that of the gateway, and that of its way to the server. */
  const spansOf = async (id: string, count = 2): Promise<ReceivedSpan[]> => {
    const found = (): ReceivedSpan[] => {
      const own = collector.spans.find((each) => attributesOf(each)['jsonrpc.request.id'] === id);
      return collector.spans
        .filter(({ traceId }) => traceId === own?.traceId)
        .toSorted((a, b) => (a.parentSpanId ?? '').length - (b.parentSpanId ?? '').length);
    };
    await expect.poll(() => found().length, { timeout: 20_000 }).toBe(count);
    return found();
  };
  // The first calls may come before the packages are loaded.
  await expect
    .poll(async () => (await call('session', 'pid')) && collector.spans.length, { timeout: 20_000 })
    .toBeGreaterThan(0);

  for (const [era, version] of [
    ['session', '2025-11-25'],
    ['stateless', '2026-07-28'],
  ] as const) {
    const good = await call(era, 'request');
    const [span, attempt] = await spansOf(good.id);
    expect([span!.name, attempt!.name]).toEqual(['tools/call kid:request', 'tools/call request']);
    expect(attempt!.parentSpanId).toBe(span!.spanId);
    expect(attributesOf(span!)).toMatchObject({ 'mcp.protocol.version': version });
    expect(attributesOf(span!)['mcp.session.id'] !== undefined).toBe(era === 'session');
    for (const key of REQUIRED) {
      expect(attributesOf(span!)).toHaveProperty([key]);
      expect(attributesOf(attempt!)).toHaveProperty([key]);
    }
    // The server gets the second one, in the metadata of its request.
    expect(good.text).toContain(`00-${attempt!.traceId}-${attempt!.spanId}-01`);

    const bad = await spansOf((await call(era, 'rpc_error')).id);
    for (const each of bad)
      expect(attributesOf(each)).toMatchObject({
        'error.type': 'server-error',
        'rpc.response.status_code': '-32099',
      });
    const [failed] = await spansOf((await call(era, 'fail')).id);
    expect(attributesOf(failed!)).toMatchObject({ 'error.type': 'tool_error' });
    const [refused] = await spansOf((await call(era, 'pid', '/set/small')).id, 1);
    expect(attributesOf(refused!)).toMatchObject({
      'error.type': 'policy-denied',
      'callsign.decision': 'deny',
    });
  }
});
