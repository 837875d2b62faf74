import type { AuditStatus } from '@callsign/audit';
import { CallsignError, observe, type Interceptor } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { labelledHub, type LabelledHubOptions } from '../../../../../test/testing/labelled-hub.js';
import { createMetrics, type MetricsOptions, type ServerMetrics } from './metrics.js';

interface Setup extends Partial<LabelledHubOptions>, Partial<MetricsOptions> {
  readonly inner?: readonly Interceptor[];
}

const READY: ServerMetrics = { key: 'fs', state: 'ready', restarts: 2 };

function measured({ inner = [], key, answer, ...options }: Setup = {}) {
  const metrics = createMetrics({
    settings: { tools: [], accounts: [] },
    servers: () => [READY],
    ...options,
  });
  const hub = labelledHub({
    interceptors: [observe([metrics], () => performance.now()), ...inner, metrics.attempt],
    ...(key ? { key } : {}),
    ...(answer ? { answer } : {}),
  });
  return { ...hub, metrics };
}

/** The lines of one metric, without its explanation. */
async function figure(metrics: { text(): Promise<string> }, name: string): Promise<string[]> {
  const text = await metrics.text();
  return text.split('\n').filter((line) => line.startsWith(name));
}

describe('metrics', () => {
  it('count calls by server, risk, decision and outcome', async () => {
    const judge: Interceptor = (call, next) => {
      if (call.target!.risk !== 'destructive') return next();
      call.context.verdict = { decision: 'deny', rule: 'no' };
      return Promise.reject(new CallsignError('policy-denied', {}));
    };
    const { call, metrics } = measured({ inner: [judge] });
    await call('read_file');
    await call('read_file');
    await call('write_file');
    await expect(call('delete_file')).rejects.toThrow();
    expect(await figure(metrics, 'callsign_calls_total')).toEqual([
      'callsign_calls_total{server="fs",risk="read",tool="",decision="none",outcome="ok"} 2',
      'callsign_calls_total{server="fs",risk="write",tool="",decision="none",outcome="ok"} 1',
      'callsign_calls_total{server="fs",risk="destructive",tool="",decision="deny",outcome="policy-denied"} 1',
    ]);
  });

  it('count calls to unknown names, without using the names as labels', async () => {
    const { metrics } = measured();
    metrics.unknown();
    metrics.unknown();
    const name = 'callsign_unknown_names_total';
    expect(await figure(metrics, name)).toEqual([`${name} 2`]);
  });

  it('count the calls under way', async () => {
    let finish: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const { call, metrics } = measured({
      answer: () => held.then(() => ({ ok: true, json: '{}' })),
    });
    const calls = [call('read_file'), call('read_file')];
    const name = 'callsign_calls_in_flight';
    expect(await figure(metrics, name)).toEqual([`${name}{server="fs",risk="read",tool=""} 2`]);
    finish!();
    await Promise.all(calls);
    expect(await figure(metrics, name)).toEqual([`${name}{server="fs",risk="read",tool=""} 0`]);
  });

  it('have the durations of calls, in a consistent histogram', async () => {
    const { call, metrics } = measured();
    for (let i = 0; i < 5; i++) await call('read_file');
    const lines = await figure(metrics, 'mcp_server_operation_duration_seconds');
    const values = lines.map((line) => Number(line.split(' ').at(-1)));
    expect(lines[0]).toMatch(
      /_bucket\{mcp_method_name="tools\/call",gen_ai_tool_name="",gen_ai_operation_name="execute_tool",error_type="",server="fs",risk="read",le="0.001"\} \d$/,
    );
    expect(lines.at(-3)).toMatch(/_bucket\{.*le="\+Inf"\} 5$/);
    expect(lines.at(-2)).toMatch(/_sum\{.*\} 0\.\d+$/);
    expect(lines.at(-1)).toMatch(/_count\{.*\} 5$/);
    const buckets = values.slice(0, -2);
    expect(buckets).toEqual(buckets.toSorted((a, b) => a - b));
  });

  it('time the server each time that a call is sent', async () => {
    const again: Interceptor = async (call, next) => {
      await expect(next(call)).rejects.toThrow();
      return await next(call);
    };
    let isFirst = true;
    const { call, metrics } = measured({
      inner: [again],
      answer: () => {
        if (!isFirst) return Promise.resolve({ ok: true, json: '{}' });
        isFirst = false;
        return Promise.reject(new CallsignError('upstream-closed', { server: 'fs' }));
      },
    });
    await call('read_file');
    const counts = async (name: string) =>
      (await figure(metrics, `${name}_operation_duration_seconds_count`)).map((line) =>
        line.replace(/^.*error_type="([^"]*)".* (\d+)$/, '$1 $2'),
      );
    expect(await counts('mcp_client')).toEqual(['upstream-closed 1', ' 1']);
    expect(await counts('mcp_server')).toEqual([' 1']);
  });

  it('have no label from a server, unless the operator named the tool', async () => {
    const tools = ['fs:write_file'];
    const { call, metrics } = measured({ settings: { tools, accounts: [] } });
    await call('read_file');
    await call('write_file');
    const text = await metrics.text();
    expect(text).toContain('tool="fs:write_file"');
    expect(text).not.toContain('read_file');
  });

  it('count servers that the configuration does not name, or too many of them, together', async () => {
    const { call, metrics } = measured({ key: 'stranger' });
    await call('read_file');
    expect((await figure(metrics, 'callsign_calls_total'))[0]).toContain('server="other"');
    const many = Array.from({ length: 1_000 }, (_, i) => ({ ...READY, key: `s${i}` }));
    const crowded = createMetrics({ settings: { tools: [], accounts: [] }, servers: () => many });
    for (const { key } of many) {
      await labelledHub({ interceptors: [observe([crowded], () => performance.now())], key }).call(
        'read_file',
      );
    }
    const lines = await figure(crowded, 'callsign_calls_total');
    expect(lines).toHaveLength(257);
    expect(lines.at(-1)).toBe(
      'callsign_calls_total{server="other",risk="read",tool="",decision="none",outcome="ok"} 744',
    );
    expect(await figure(crowded, 'callsign_server_state')).toHaveLength(256);
  });

  it('keep hostile server keys inside their quotes', async () => {
    const key = 'a"} 1\nfake_metric{x="\\';
    const { call, metrics } = measured({ key: 'fs', servers: () => [{ ...READY, key }] });
    await call('read_file');
    const text = await metrics.text();
    expect(text.split('\n').filter((line) => line.startsWith('fake_metric'))).toEqual([]);
  });

  it('have the state of servers, of the log and of the configuration', async () => {
    let audit: AuditStatus | undefined = { mode: 'strict', waiting: 3, lost: 4, trouble: 'full' };
    const { metrics } = measured({ audit: () => audit });
    metrics.reloaded(true);
    metrics.reloaded(false);
    const text = await metrics.text();
    for (const line of [
      'callsign_server_state{server="fs",state="ready"} 1',
      'callsign_server_restarts_total{server="fs"} 2',
      'callsign_audit_waiting 3',
      'callsign_audit_trouble 1',
      'callsign_audit_lost_total 4',
      'callsign_config_reloads_total{result="success"} 1',
      'callsign_config_reloads_total{result="failure"} 1',
      'callsign_config_last_reload_successful 0',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    audit = undefined;
    expect(await metrics.text()).toContain('callsign_audit_trouble 0');
    metrics.reloaded(true);
    expect(await metrics.text()).toContain('callsign_config_last_reload_successful 1');
    expect(metrics.contentType).toContain('text/plain');
  });

  it('have explanations', async () => {
    const { metrics } = measured({ audit: () => undefined });
    const lines = (await metrics.text()).split('\n');
    const named = lines
      .filter((line) => line.startsWith('# TYPE'))
      .map((line) => line.split(' ')[2]);
    expect(named).toContain('callsign_calls_total');
    for (const name of named)
      expect(lines.some((line) => line.startsWith(`# HELP ${name} `))).toBe(true);
  });
});
