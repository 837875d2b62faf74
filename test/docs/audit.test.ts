import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';

import type { Principal } from '@callsign/core';
import { createMetrics, METRICS_SETTINGS } from '@callsign/gateway/telemetry';
import { describe, expect, it } from 'vitest';

import { UNNUMBERED } from '../../packages/audit/src/record/audit-entry.js';
import { AUDIT_SETTINGS } from '../../packages/audit/src/record/audit-settings.js';
import { CallFacts } from '../../packages/audit/src/record/call-facts.js';
import { IsoTime } from '../../packages/audit/src/record/iso-time.js';
import { recordLine } from '../../packages/audit/src/record/record-line.js';
import { SqliteStore } from '../../packages/audit/src/store/sqlite-store.js';
import { createApiKey } from '../../packages/auth/src/callers/api-key.js';
import { createAuthentication } from '../../packages/auth/src/callers/authentication.js';
import { configOf } from '../../packages/gateway/src/config/testing/problems-of.js';
import { auditFolder } from '../testing/audit-folder.js';
import { CALLER, callOf, labelledHub } from '../testing/labelled-hub.js';

const pageOf = (name: string) =>
  readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const PAGE = pageOf('audit.md');
const METRICS_PAGE = pageOf('metrics.md');
const EXAMPLES = [...(PAGE + METRICS_PAGE).matchAll(/```json\n([^]*?)```/g)].map(
  ([, json]) => json!,
);

interface Example {
  readonly callsign?: { readonly audit?: unknown; readonly metrics?: unknown };
  readonly kind?: string;
  readonly [key: string]: unknown;
}

const parsed = EXAMPLES.map((json) => JSON.parse(json) as Example);

describe('docs/audit.md and docs/metrics.md', () => {
  it('shows settings that are accepted, in a file that is otherwise any client’s', () => {
    const audit = parsed.map(({ callsign }) => callsign?.audit).filter(Boolean);
    const metrics = parsed.map(({ callsign }) => callsign?.metrics).filter(Boolean);
    expect([audit.length, metrics.length]).toEqual([2, 1]);
    expect(AUDIT_SETTINGS.parse(audit[0])).toEqual(audit[0]);
    expect(AUDIT_SETTINGS.parse(audit[1])).toMatchObject({ store: 'mine' });
    expect(METRICS_SETTINGS.parse(metrics[0])).toEqual(metrics[0]);
    for (const { callsign, mcpServers } of parsed) {
      if (callsign) expect(configOf(JSON.stringify({ mcpServers })).servers).toHaveLength(1);
    }
  });

  it('shows a record with the members that records have, in their order', async () => {
    const { hub } = labelledHub({ interceptors: [] });
    const target = hub.entries('tool').get('fs:delete_file')!;
    const { key, hash } = createApiKey();
    const auth = createAuthentication({ keys: [{ name: 'ada', hash, roles: [] }] }, { fetch });
    const request = { rawHeaders: ['Authorization', `Bearer ${key}`] } as IncomingMessage;
    const principal = (await auth.authenticate(request)) as Principal;
    const call = callOf('x', {}, { ...CALLER, principal });
    const rule = 'policy.destructive is "confirm"';
    const approval = 'approved by the user';
    call.context.verdict = { decision: 'confirm', rule: `${rule}; ${approval}` };
    call.context.note({ module: 'policy', decision: 'confirm', rule });
    call.context.note({ module: 'approval', decision: 'allow', rule: approval });
    const { argumentsJson } = call;
    const common = { time: 0, session: 's', sizeIn: call.params.length, argumentsJson };
    const facts = new CallFacts(false).of(call, target, 'ok');
    const intent = {
      kind: 'intent',
      n: 16,
      facts,
      given: ',"fingerprint":"x"',
      ...common,
    } as const;
    const line = recordLine(
      { kind: 'call', n: UNNUMBERED, facts, ms: 1, waitedMs: 1, sizeOut: 2, intent, ...common },
      { writer: 'w', journal: 'j', times: new IsoTime() },
    );
    const example = parsed.find(({ kind }) => kind === 'call')!;
    const written = JSON.parse(line) as Example;
    expect(Object.keys(example)).toEqual(Object.keys(written));
    for (const member of ['caller', 'decision', 'rule', 'decisions']) {
      expect(example[member]).toEqual(written[member]);
    }
  });

  it('names every column of the view and the table that it documents', async () => {
    const store = new SqliteStore(join(auditFolder(), 'calls.db'));
    await store.positions();
    const tables = PAGE.slice(
      PAGE.indexOf('## The tables'),
      PAGE.indexOf('## A store of your own'),
    );
    for (const name of ['calls', 'events']) {
      const { rows } = await store.query(`SELECT name FROM pragma_table_info('${name}')`, 100);
      expect(rows.length).toBeGreaterThan(5);
      for (const [column] of rows) expect(tables).toContain(`\`${String(column)}\``);
    }
    await store.close();
  });

  it('names every metric, and no other', async () => {
    const dropped = { full: 0, idle: 0, slow: 0, total: 0, unsent: 0 };
    const metrics = createMetrics({
      settings: { tools: [], accounts: [] },
      servers: () => [],
      audit: () => undefined,
      http: () => ({ connections: 0, unsentBytes: 0, dropped }),
    });
    const text = await metrics.text();
    const real = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);
    const named = [...METRICS_PAGE.matchAll(/`((?:callsign|mcp_server|mcp_client)_\w+)`/g)].map(
      ([, name]) => name!,
    );
    expect(new Set(named)).toEqual(new Set(real));
  });
});
