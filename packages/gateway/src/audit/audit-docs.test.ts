import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { configOf } from '../config/testing/problems-of.js';
import { createMetrics } from '../telemetry/metrics.js';
import { METRICS_SETTINGS } from '../telemetry/metrics-settings.js';
import { AUDIT_SETTINGS } from './audit-settings.js';
import { callerFacts, toolFacts } from './tool-facts.js';
import { CALLER, labelledHub } from './testing/labelled-hub.js';
import { writeLine } from './write-line.js';

const PAGE = readFileSync(new URL('../../../../docs/audit.md', import.meta.url), 'utf8');
const EXAMPLES = [...PAGE.matchAll(/```json\n([^]*?)```/g)].map(([, json]) => json!);

interface Example {
  readonly callsign?: { readonly audit?: unknown; readonly metrics?: unknown };
  readonly kind?: string;
  readonly [key: string]: unknown;
}

const parsed = EXAMPLES.map((json) => JSON.parse(json) as Example);

describe('docs/audit.md', () => {
  it('shows settings that are accepted, in a file that is otherwise any client’s', () => {
    const audit = parsed.map(({ callsign }) => callsign?.audit).filter(Boolean);
    const metrics = parsed.map(({ callsign }) => callsign?.metrics).filter(Boolean);
    expect([audit.length, metrics.length]).toEqual([1, 1]);
    expect(AUDIT_SETTINGS.parse(audit[0])).toEqual(audit[0]);
    expect(METRICS_SETTINGS.parse(metrics[0])).toEqual(metrics[0]);
    for (const { callsign, mcpServers } of parsed) {
      if (callsign) expect(configOf(JSON.stringify({ mcpServers })).servers).toHaveLength(1);
    }
  });

  it('shows a record with the members that records have, in their order', () => {
    const { hub } = labelledHub({ interceptors: [] });
    const target = hub.entries('tool').get('fs:delete_file')!;
    const caller = callerFacts({ ...CALLER, principal: { name: 'ada', roles: [] } });
    const { body } = writeLine(
      {
        kind: 'call',
        n: 17,
        time: 0,
        tool: toolFacts(target, false),
        caller,
        name: 'x',
        method: 'tools/call',
        verdict: { decision: 'confirm', rule: 'destructive: confirm' },
        params: '{"arguments":{}}',
        outcome: 'ok',
        ms: 1,
        retries: 0,
        sizeOut: 2,
        intent: 16,
      },
      { writer: 'w' },
    );
    const example = parsed.find(({ kind }) => kind === 'call')!;
    const record = JSON.parse(body) as Example;
    expect(Object.keys(example)).toEqual(Object.keys(record));
    expect(Object.keys(example['caller'] as object)).toEqual(
      Object.keys(record['caller'] as object),
    );
  });

  it('names every figure that there is, and no other', async () => {
    const metrics = createMetrics({
      settings: { tools: [] },
      servers: () => [],
      audit: () => undefined,
    });
    const text = await metrics.text();
    const real = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);
    const named = [...PAGE.matchAll(/`(callsign_\w+)`/g)].map(([, name]) => name!);
    expect(new Set(named)).toEqual(new Set(real));
  });
});
