import { CallsignError, type Caller, type Interceptor, type Reply } from '@callsign/core';
import { describe, expect, it, onTestFinished } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import { Audit } from './audit.js';
import type { AuditRecord } from '../record/audit-record.js';
import { type AuditSettings, AUDIT_SETTINGS } from '../record/audit-settings.js';
import { openAuditReader } from '../query/audit-reader.js';
import { auditFile } from '../../../../test/testing/audit-folder.js';
import { HandKeeper } from '../testing/hand-keeper.js';
import {
  callOf,
  CALLER,
  labelledHub,
  type LabelledHubOptions,
} from '../../../../test/testing/labelled-hub.js';
import { recording } from '../testing/recording.js';
import { fingerprintOf } from '../journal/write-drafts.js';

const ALICE: Caller = { ...CALLER, id: 's-2', principal: { name: 'alice', roles: ['admin'] } };

interface Setup extends Partial<LabelledHubOptions> {
  readonly settings?: Partial<AuditSettings>;
  /** Stand between recording and announcing, as policy does. */
  readonly between?: readonly Interceptor[];
}

/** A hub whose calls are recorded in a real file, by a real thread. */
function audited({ settings = {}, between = [], ...options }: Setup = {}) {
  const file = auditFile();
  const logged: string[] = [];
  const audit = new Audit({
    settings: { ...AUDIT_SETTINGS.parse({}), file, ...settings },
    log: (level, message) => logged.push(`${level}: ${message}`),
  });
  onTestFinished(() => audit.close(60_000));
  const hub = labelledHub({ interceptors: recording(audit, ...between), ...options });
  return {
    ...hub,
    audit,
    file,
    logged,
    /** All records, after everything was written. */
    async records(): Promise<AuditRecord[]> {
      await audit.close(60_000);
      const records: AuditRecord[] = [];
      for await (const line of openAuditReader(file).export('jsonl')) {
        records.push((JSON.parse(line) as { record: AuditRecord }).record);
      }
      return records;
    },
  };
}

const answers = (json: string, ok = true): Reply => ({ ok, json });

describe('the record of a call', () => {
  it('says when, who, what, by which label, how it ended, and how much it was', async () => {
    const { call, records } = audited();
    await call('read_file', { path: '/ä' });
    expect(await records()).toEqual([
      {
        kind: 'call',
        id: expect.stringMatching(/^[0-9a-f]{16}-0$/),
        time: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        severity: 'info',
        tool: 'fs:read_file',
        name: 'fs__read_file',
        method: 'tools/call',
        risk: 'read',
        riskFrom: 'server',
        caller: { client: 'test', version: '1', session: 'session-1', era: 'session' },
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
    'is of a higher severity for destructive tools, and names the caller',
    shows('ANN-29', 'ANN-35', async () => {
      const { call, records } = audited();
      for (const tool of ['read_file', 'write_file', 'delete_file']) await call(tool, {}, ALICE);
      const calls = (await records()).filter(({ kind }) => kind === 'call');
      expect(calls.map(({ severity }) => severity)).toEqual(['info', 'notice', 'warning']);
      expect(calls[2]).toMatchObject({
        tool: 'fs:delete_file',
        risk: 'destructive',
        caller: { principal: 'alice', client: 'test', session: 's-2' },
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

  it('holds arguments only if told to, and then without secrets', async () => {
    const secret = { path: '/a', password: 'hunter2', pin: '1234', note: 'CUST-77 called' };
    const plain = audited();
    await plain.call('read_file', secret);
    expect(JSON.stringify(await plain.records())).not.toMatch(/hunter2|1234|\/a/);
    const redact = { keys: [], patterns: ['CUST-*'] };
    const kept = audited({ settings: { arguments: 'redacted', redact } });
    await kept.call('read_file', secret);
    const [record] = await kept.records();
    expect(JSON.parse((record as { arguments: string }).arguments)).toEqual({
      path: '/a',
      password: '[redacted]',
      pin: '[redacted]',
      note: '[redacted] called',
    });
  });

  it('cuts names that are too long to be names', async () => {
    const { call, records } = audited();
    const client = { name: 'n'.repeat(100_000), version: '1' };
    await call('read_file', {}, { ...CALLER, client });
    expect(JSON.stringify(await records()).length).toBeLessThan(2_000);
  });

  it('does not hold up the answer, nor change it', async () => {
    const reply = answers('{"content":[]}');
    const audit = new Audit({
      settings: AUDIT_SETTINGS.parse({}),
      log: () => undefined,
      keeper: new HandKeeper(),
    });
    const { call } = labelledHub({ interceptors: recording(audit), answer: () => reply });
    expect(await call('read_file')).toBe(reply);
  });
});

describe('the intent of a call', () => {
  it('is written for a read that only the tool’s own words prove', async () => {
    const { call, records } = audited();
    await call('list_files', {});
    await call('read_file', {});
    expect(await records()).toMatchObject([
      { kind: 'intent', tool: 'fs:list_files' },
      { kind: 'call', tool: 'fs:list_files', risk: 'read', riskFrom: 'words' },
      { kind: 'call', tool: 'fs:read_file', risk: 'read', riskFrom: 'server' },
    ]);
  });

  it('is on disk before the call reaches its server, and its end refers to it', async () => {
    const seen: string[] = [];
    const { call, records, file } = audited({
      answer: async () => {
        const found = await openAuditReader(file).list();
        seen.push(...found.map(({ record }) => `${record.kind} ${record.severity}`));
        return answers('{}');
      },
    });
    await call('delete_file', { path: '/a' });
    expect(seen).toEqual(['intent warning']);
    const [intent, end] = await records();
    expect(intent).toMatchObject({ kind: 'intent', fingerprint: fingerprintOf('{"path":"/a"}') });
    expect(end).toMatchObject({ kind: 'call', intent: intent!.id, outcome: 'ok' });
  });

  it('is not taken down of calls that only read', async () => {
    const { call, records } = audited();
    await call('read_file');
    expect((await records()).map(({ kind }) => kind)).toEqual(['call']);
  });

  it('does not let a call go that was cancelled meanwhile', async () => {
    const keeper = new HandKeeper();
    const audit = new Audit({ settings: AUDIT_SETTINGS.parse({}), log: () => undefined, keeper });
    const { hub, reached } = labelledHub({ interceptors: recording(audit) });
    await (await keeper.next()).kept();
    const call = callOf('fs__write_file');
    const reply = hub.route('tool', 'fs:write_file')!.send(call);
    const cancelled = expect(reply).rejects.toThrow('The call was cancelled.');
    const trip = await keeper.next();
    call.context.cancel();
    await trip.kept();
    await cancelled;
    expect(reached).toEqual([]);
  });
});

describe('a log that cannot be written', () => {
  function troubled(mode: AuditSettings['mode']) {
    const keeper = new HandKeeper();
    const settings = { ...AUDIT_SETTINGS.parse({}), mode };
    const logged: string[] = [];
    const audit = new Audit({ settings, log: (_, message) => logged.push(message), keeper });
    const hub = labelledHub({ interceptors: recording(audit) });
    return { ...hub, audit, keeper, logged };
  }

  it('stops every call in strict mode, with the reason, and lets them go again by itself', async () => {
    const { call, keeper, reached, audit, logged } = troubled('strict');
    const early = expect(call('read_file')).rejects.toThrow(
      'The call of fs:read_file was not made, since it could not be recorded: the disk is full',
    );
    await (await keeper.next()).failed('the disk is full');
    await early;
    await expect(call('read_file')).rejects.toMatchObject({ code: 'not-recorded' });
    await expect(call('write_file')).rejects.toMatchObject({ code: 'not-recorded' });
    expect(reached).toEqual([]);
    expect(audit.status).toMatchObject({ mode: 'strict', trouble: 'the disk is full', lost: 0 });
    await (await keeper.next()).kept();
    await call('read_file');
    expect(reached).toEqual(['read_file']);
    const outcomes = keeper.entries.map((entry) => entry.kind === 'call' && entry.shared.text);
    const refused = expect.stringContaining('"outcome":"not-recorded"') as string;
    expect(outcomes).toEqual([refused, refused, refused]);
    expect(logged[0]).toContain('Calls are refused until it can.');
  });

  it('refuses the very call whose intent failed, in strict mode', async () => {
    const { call, keeper, reached } = troubled('strict');
    await (await keeper.next()).kept();
    const write = expect(call('write_file')).rejects.toThrow('its file is read-only');
    await (await keeper.next()).failed('its file is read-only');
    await write;
    expect(reached).toEqual([]);
    const again = await keeper.next();
    await again.kept();
    await (await keeper.next()).kept();
    expect(keeper.entries).toMatchObject([
      { kind: 'intent', n: 0 },
      {
        kind: 'call',
        n: 1,
        intent: 0,
        shared: { text: expect.stringContaining('"outcome":"not-recorded"') as string },
      },
    ]);
  });

  it('stops nothing in best-effort mode, and keeps what it can for later', async () => {
    const { call, keeper, reached, audit } = troubled('best-effort');
    await (await keeper.next()).failed('the disk is full');
    await call('read_file');
    await call('write_file');
    await call('delete_file');
    expect(reached).toEqual(['read_file', 'write_file', 'delete_file']);
    expect(audit.status).toMatchObject({ waiting: 5, trouble: 'the disk is full' });
    await (await keeper.next()).kept();
    expect(keeper.entries.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4]);
  });
});
