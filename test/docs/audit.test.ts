import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { configOf } from '../../packages/gateway/src/config/testing/problems-of.js';
import { createMetrics } from '../../packages/gateway/src/telemetry/metrics.js';
import { METRICS_SETTINGS } from '../../packages/gateway/src/telemetry/metrics-settings.js';
import { AUDIT_SETTINGS } from '../../packages/audit/src/record/audit-settings.js';
import { UNNUMBERED } from '../../packages/audit/src/record/audit-entry.js';
import { Page } from '../../packages/audit/src/store/batch.js';
import { GENESIS, segmentAfter } from '../../packages/audit/src/store/chain.js';
import { recordsIn } from '../../packages/audit/src/store/placed-record.js';
import { SharedFacts } from '../../packages/audit/src/record/shared-facts.js';
import { CALLER, callOf, labelledHub } from '../testing/labelled-hub.js';
import { writeDrafts } from '../../packages/audit/src/journal/write-drafts.js';

const PAGE = readFileSync(new URL('../../docs/audit.md', import.meta.url), 'utf8');
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
    const call = callOf('x', {}, { ...CALLER, principal: { name: 'ada', roles: [] } });
    call.context.verdict = { decision: 'confirm', rule: 'destructive: confirm' };
    const page = new Page(17);
    page.add({
      kind: 'call',
      n: UNNUMBERED,
      time: 0,
      shared: new SharedFacts(false).of(call, target, 'ok'),
      session: undefined,
      params: call.params,
      ms: 1,
      sizeOut: 2,
      intent: 16,
    });
    const [draft] = writeDrafts(page.toBatch('w'));
    const [placed] = recordsIn(segmentAfter(GENESIS, draft!));
    const example = parsed.find(({ kind }) => kind === 'call')!;
    const record = placed!.record as unknown as Example;
    expect(Object.keys(example)).toEqual(Object.keys(record));
    expect(Object.keys(example['caller'] as object)).toEqual(
      Object.keys(record['caller'] as object),
    );
  });

  it('names every metric that there is, and no other', async () => {
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
