import { CallsignError, type Caller, type Interceptor, type Reply } from '@callsign/core';
import { describe, expect, it, onTestFinished } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import { journalFolder } from '../../../../test/testing/audit-folder.js';
import {
  callOf,
  CALLER,
  labelledHub,
  type LabelledHubOptions,
} from '../../../../test/testing/labelled-hub.js';
import type { AuditRecord } from '../record/audit-record.js';
import { type AuditSettings, AUDIT_SETTINGS } from '../record/audit-settings.js';
import { fingerprintOf } from '../record/record-line.js';
import { recordsIn } from '../testing/audit-rows.js';
import { recording } from '../testing/recording.js';
import { Audit } from './audit.js';

const ALICE: Caller = { ...CALLER, id: 's-2', principal: { name: 'alice', roles: ['admin'] } };

interface Setup extends Partial<LabelledHubOptions> {
  readonly settings?: Partial<AuditSettings>;
  /** Placed between recording and announcing, as policy is. */
  readonly between?: readonly Interceptor[];
}

/** A hub whose calls are recorded in real files. */
function audited({ settings = {}, between = [], ...options }: Setup = {}) {
  const folder = journalFolder();
  const logged: string[] = [];
  const audit = new Audit({
    settings: { ...AUDIT_SETTINGS.parse({}), folder, ...settings },
    log: (level, message) => logged.push(`${level}: ${message}`),
  });
  onTestFinished(() => audit.close(60_000));
  const hub = labelledHub({ interceptors: recording(audit, ...between), ...options });
  return {
    ...hub,
    audit,
    folder,
    logged,
    /** All records, after everything was written. */
    async records(): Promise<AuditRecord[]> {
      await audit.close(60_000);
      return recordsIn(folder);
    },
  };
}

const answers = (json: string, ok = true): Reply => ({ ok, json });

describe('the record of a call', () => {
  it('has the time, the caller, the tool, the label, the outcome and the sizes', async () => {
    const { call, records } = audited();
    await call('read_file', { path: '/ä' });
    expect(await records()).toEqual([
      {
        kind: 'call',
        id: expect.stringMatching(/^[a-z0-9]{8}-1$/),
        time: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        severity: 'info',
        server: 'fs',
        tool: 'fs:read_file',
        name: 'fs__read_file',
        method: 'tools/call',
        risk: 'read',
        evidence: { by: 'server' },
        client: 'test',
        clientVersion: '1',
        era: 'session',
        session: 'session-1',
        sizeIn: '{"name":"fs__read_file","arguments":{"path":"/ä"}}'.length,
        fingerprint: fingerprintOf('{"path":"/ä"}'),
        outcome: 'ok',
        ms: expect.any(Number),
        retries: 0,
        sizeOut: '{"content":[]}'.length,
      },
    ]);
  });

  it(
    'has a higher severity for destructive tools, and names the caller',
    shows('ANN-29', 'ANN-35', async () => {
      const { call, records } = audited();
      for (const tool of ['read_file', 'write_file', 'delete_file']) await call(tool, {}, ALICE);
      const calls = (await records()).filter(({ kind }) => kind === 'call');
      expect(calls.map(({ severity }) => severity)).toEqual(['info', 'notice', 'warning']);
      expect(calls[2]).toMatchObject({
        tool: 'fs:delete_file',
        risk: 'destructive',
        caller: 'alice',
        client: 'test',
        session: 's-2',
      });
    }),
  );

  it.each<[string, () => Reply | Promise<Reply>, string]>([
    ['the tool fails', () => answers('{"content":[],"isError":true}'), 'tool-error'],
    ['the tool says that it did not fail', () => answers('{"isError":false}'), 'ok'],
    ['a text holds the word', () => answers('{"content":[{"text":"\\"isError\\":true"}]}'), 'ok'],
    ['the server fails', () => answers('{"code":-32000}', false), 'server-error'],
    [
      'we fail in words',
      () => ({
        ...answers('{}', false),
        fault: new CallsignError('upstream-closed', { server: 'x' }),
      }),
      'upstream-closed',
    ],
    [
      'we fail in deeds',
      () => Promise.reject(new CallsignError('upstream-timeout', {})),
      'upstream-timeout',
    ],
    ['a bug', () => Promise.reject(new TypeError('undefined is not')), 'internal-error'],
  ])('says how it ended: %s', async (_, answer, outcome) => {
    const { call, records } = audited({ answer });
    const reply = call('read_file');
    await reply.catch(() => undefined);
    expect(await records()).toMatchObject([{ kind: 'call', outcome }]);
  });

  it('keeps refusals, with the decision and its rule, and no intent', async () => {
    const deny: Interceptor = (call) => {
      call.context.verdict = { decision: 'deny', rule: 'no writing on Sundays' };
      return Promise.reject(new CallsignError('policy-denied', { tool: 'x', rule: 'y' }));
    };
    const { call, records, reached } = audited({ between: [deny] });
    await expect(call('write_file', {})).rejects.toThrow('The policy does not allow');
    expect(reached).toEqual([]);
    expect(await records()).toMatchObject([
      {
        kind: 'call',
        decision: 'deny',
        rule: 'no writing on Sundays',
        outcome: 'policy-denied',
      },
    ]);
  });

  it('has arguments only if configured, and then without secrets', async () => {
    const secret = { path: '/a', password: 'hunter2', pin: '1234', note: 'CUST-77 called' };
    const plain = audited();
    await plain.call('read_file', secret);
    expect(JSON.stringify(await plain.records())).not.toMatch(/hunter2|1234|\/a/);
    const redact = { keys: [], patterns: ['CUST-*'] };
    const kept = audited({ settings: { arguments: 'redacted', redact } });
    await kept.call('read_file', secret);
    const [record] = await kept.records();
    expect((record as { arguments: object }).arguments).toEqual({
      path: '/a',
      password: '[redacted]',
      pin: '[redacted]',
      note: '[redacted] called',
    });
  });

  it('V10: has no secret in any field', async () => {
    const token = 'ghp_0123456789abcdef';
    const address = 'files:file:///a?token=s3cr3t';
    const refusing: Interceptor = (call) => {
      const verdict = { decision: 'deny' as const, rule: `deny ${token}` };
      call.context.verdict = verdict;
      call.context.note({ module: 'mine', ...verdict });
      throw new CallsignError('policy-denied', { tool: 'read_file', rule: 'no' });
    };
    const { call, audit, records } = audited({
      between: [refusing],
      settings: { arguments: 'redacted' },
    });
    const client = { name: `agent password=hunter2`, version: `1 ${token}` };
    const caller: Caller = { ...ALICE, client, principal: { name: `sub ${token}`, roles: [] } };
    await call('read_file', { path: `https://x.example/?sig=s3cr3t`, note: token }, caller).catch(
      () => undefined,
    );
    for (const name of [token, address]) {
      audit.unknown(callOf(name, {}, caller));
    }
    const kept = await records();
    expect(kept).toHaveLength(3);
    expect(JSON.stringify(kept)).not.toMatch(/ghp_|hunter2|s3cr3t/);
  });

  it('cuts names that are too long to be names', async () => {
    const { call, records } = audited();
    const client = { name: 'n'.repeat(100_000), version: '1' };
    await call('read_file', {}, { ...CALLER, client });
    expect(JSON.stringify(await records()).length).toBeLessThan(2_000);
  });

  it('does not change the answer', async () => {
    const reply = answers('{"content":[]}');
    const { call } = audited({ answer: () => reply });
    expect(await call('read_file')).toBe(reply);
  });

  it('holds the decision of every module that was asked, in order', async () => {
    const decide: Interceptor = (call, next) => {
      call.context.note({ module: 'roles', decision: 'allow', rule: 'role "all"' });
      call.context.note({ module: 'policy', decision: 'confirm', rule: 'destructive: confirm' });
      call.context.verdict = { decision: 'confirm', rule: 'destructive: confirm; yes' };
      return next();
    };
    const { call, records } = audited({ between: [decide] });
    await call('delete_file', {});
    const decisions = [
      { module: 'roles', decision: 'allow', rule: 'role "all"' },
      { module: 'policy', decision: 'confirm', rule: 'destructive: confirm' },
    ];
    const decided = { decision: 'confirm', rule: 'destructive: confirm; yes', decisions };
    expect(await records()).toMatchObject([
      { kind: 'intent', ...decided },
      { kind: 'call', ...decided },
    ]);
  });

  it('distinguishes calls that differ only in their decisions', async () => {
    let round = 0;
    const decide: Interceptor = (call, next) => {
      call.context.note({ module: 'policy', decision: 'allow', rule: `rule ${round++}` });
      return next();
    };
    const { call, records } = audited({ between: [decide] });
    for (let i = 0; i < 3; i++) await call('read_file', {});
    const rules = (await records()).map((record) => 'decisions' in record && record.decisions);
    expect(rules).toEqual([0, 1, 2].map((i) => [expect.objectContaining({ rule: `rule ${i}` })]));
  });

  it('has the evidence of the label', async () => {
    const { call, records } = audited();
    await call('list_files', {});
    expect(await records()).toMatchObject([
      {},
      { kind: 'call', evidence: { by: 'words', because: expect.any(String) as string } },
    ]);
  });
});

describe('the intent of a call', () => {
  it('is written for a read that only the tool’s own words prove', async () => {
    const { call, records } = audited();
    await call('list_files', {});
    await call('read_file', {});
    expect(await records()).toMatchObject([
      { kind: 'intent', tool: 'fs:list_files' },
      { kind: 'call', tool: 'fs:list_files', risk: 'read', evidence: { by: 'words' } },
      { kind: 'call', tool: 'fs:read_file', risk: 'read', evidence: { by: 'server' } },
    ]);
  });

  it('is in the file before the call reaches its server, and its end refers to it', async () => {
    const seen: string[] = [];
    const { call, records, folder } = audited({
      answer: () => {
        seen.push(...recordsIn(folder).map(({ kind, severity }) => `${kind} ${severity}`));
        return answers('{}');
      },
    });
    await call('delete_file', { path: '/a' });
    expect(seen).toEqual(['intent warning']);
    const [intent, end] = await records();
    expect(intent).toMatchObject({ kind: 'intent', fingerprint: fingerprintOf('{"path":"/a"}') });
    expect(end).toMatchObject({ kind: 'call', intent: intent!.id, outcome: 'ok' });
  });

  it('is not written for calls that only read', async () => {
    const { call, records } = audited();
    await call('read_file');
    expect((await records()).map(({ kind }) => kind)).toEqual(['call']);
  });

  it('does not send a call that was cancelled in the meantime', async () => {
    const { hub, reached } = audited();
    const call = callOf('fs__write_file');
    const reply = hub.route('tool', 'fs:write_file')!.send(call);
    call.context.cancel();
    await expect(reply).rejects.toThrow('The call was cancelled.');
    expect(reached).toEqual([]);
  });

  it('sends the other calls of its turn if one of them cannot be sent', async () => {
    const { audit, hub, call } = audited();
    const { target } = hub.route('tool', 'fs:write_file')!;
    const broken = callOf('fs__write_file').with({ target });
    const failing = audit.intent(broken, () => {
      throw new Error('broken');
    });
    const fine = call('write_file');
    await expect(failing).rejects.toThrow('broken');
    expect(await fine).toMatchObject({ ok: true });
  });

  it('shares one write with all others of its turn', async () => {
    const { call, folder } = audited();
    await Promise.all(Array.from({ length: 16 }, (_, i) => call('write_file', { i })));
    expect(recordsIn(folder).filter(({ kind }) => kind === 'intent')).toHaveLength(16);
  });
});
