import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import Database from 'libsql';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { Audit } from './audit.js';
import { openAuditReader } from '../query/audit-reader.js';
import { AUDIT_SETTINGS, type AuditSettings } from '../record/audit-settings.js';
import type { Keeper } from '../journal/keeper.js';
import { StoreKeeper } from '../journal/store-keeper.js';
import { auditFile } from '../../../../test/testing/audit-folder.js';
import { FailingStore } from '../testing/failing-store.js';
import { type LabelledHub, labelledHub } from '../../../../test/testing/labelled-hub.js';
import { recording } from '../testing/recording.js';
import { CAN_MOUNT, SmallDisk } from '../testing/small-disk.js';
import { idsIn } from '../testing/store-contract.js';
import { verifyChain } from '../query/verify-chain.js';
import { WorkerKeeper } from '../journal/worker-keeper.js';

interface Audited extends LabelledHub {
  readonly audit: Audit;
  readonly logged: string[];
}

function audited(settings: Partial<AuditSettings>, keeper?: Keeper): Audited {
  const logged: string[] = [];
  const audit = new Audit({
    settings: { ...AUDIT_SETTINGS.parse({}), ...settings },
    log: (level, message) => logged.push(`${level}: ${message}`),
    ...(keeper ? { keeper } : {}),
  });
  onTestFinished(() => audit.close(60_000));
  const hub = labelledHub({ interceptors: recording(audit) });
  return { ...hub, audit, logged };
}

const inTime = { timeout: 60_000, interval: 20 };

/** Calls until it is refused for want of a record, and gives the refusal. */
async function callUntilRefused({ call }: Audited): Promise<Error> {
  for (let i = 0; i < 20_000; i++) {
    try {
      await call('write_file', { text: 'x'.repeat(250), i });
    } catch (error) {
      return error as Error;
    }
  }
  throw new Error('it was never refused');
}

describe.skipIf(!CAN_MOUNT)('a disk that is full', () => {
  it('refuses calls in strict mode, and takes them again as soon as there is room', async () => {
    const disk = new SmallDisk();
    disk.fillHalf();
    const file = join(disk.folder, 'audit.db');
    const strict = audited({ mode: 'strict', file, arguments: 'redacted' });
    const refusal = await callUntilRefused(strict);
    expect(refusal).toMatchObject({
      code: 'not-recorded',
      details: { reason: 'the disk is full' },
    });
    const reached = strict.reached.length;
    await expect(strict.call('read_file')).rejects.toThrow('the disk is full');
    expect(strict.reached).toHaveLength(reached);
    disk.free();
    await vi.waitFor(() => strict.call('read_file'), inTime);
    await strict.audit.close(60_000);
    const verified = await openAuditReader(file).verify();
    expect(verified).toMatchObject({ ok: true, lost: 0 });
    const refused = await openAuditReader(file).list({ outcome: 'not-recorded' });
    expect(refused.length).toBeGreaterThanOrEqual(2);
  });

  it('serves in best-effort mode, counts what is lost, and says so in the chain', async () => {
    const disk = new SmallDisk();
    disk.fillHalf();
    const file = join(disk.folder, 'audit.db');
    const { call, audit, reached, logged } = audited({ file });
    let made = 0;
    while (audit.status.lost < 100) {
      await call('read_file', { i: made++ });
      // At a pace that a disk keeps up with, until it is full.
      if (audit.status.trouble === undefined && audit.status.waiting > 2_500) await sleep(1);
    }
    expect(reached).toHaveLength(made);
    expect(audit.status.trouble).toBe('the disk is full');
    disk.grow();
    await vi.waitFor(() => expect(audit.status.trouble).toBeUndefined(), inTime);
    await audit.close(60_000);
    const verified = await openAuditReader(file).verify();
    expect(verified).toMatchObject({ ok: true, lost: audit.status.lost });
    // The anchor beside the log may be the first to find the disk full.
    expect(logged.join('\n')).toMatch(
      /cannot be written: the disk is full\. Calls are made all the same/,
    );
  });

  it('that is read-only is the same story', async () => {
    const disk = new SmallDisk();
    const file = join(disk.folder, 'audit.db');
    const strict = audited({ mode: 'strict', file });
    await strict.call('write_file');
    await strict.audit.close(60_000);
    disk.setWritable(false);
    const again = audited({ mode: 'strict', file });
    await expect(again.call('read_file')).rejects.toThrow('its file is read-only');
    disk.setWritable(true);
    await vi.waitFor(() => again.call('read_file'), inTime);
    await again.audit.close(60_000);
    expect(await openAuditReader(file).verify()).toMatchObject({ ok: true });
  });
});

describe('a log that', () => {
  it('is locked for too long refuses in strict mode, serves in the other, and goes on after', async () => {
    const file = auditFile();
    const strict = audited({ mode: 'strict', file });
    const lenient = audited({ file });
    await strict.call('write_file');
    await lenient.call('write_file');
    const other = new Database(file, { timeout: 2_000 });
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    const calls = [strict.call('write_file'), lenient.call('write_file')];
    const [refused, served] = await Promise.allSettled(calls);
    expect(refused).toMatchObject({
      reason: {
        code: 'not-recorded',
        details: { reason: 'its file is locked by another program' },
      },
    });
    expect(served).toMatchObject({ status: 'fulfilled' });
    other.exec('ROLLBACK');
    await vi.waitFor(() => strict.call('write_file'), inTime);
    await vi.waitFor(() => expect(lenient.audit.status.trouble).toBeUndefined(), inTime);
    await Promise.all([strict.audit.close(60_000), lenient.audit.close()]);
    expect(await openAuditReader(file).verify()).toMatchObject({ ok: true, lost: 0 });
  });

  it('is corrupt is set aside, and no call is refused for it', async () => {
    const file = auditFile();
    mkdirSync(dirname(file));
    writeFileSync(file, 'not a database '.repeat(1_000));
    const { call, audit, logged } = audited({ mode: 'strict', file });
    await call('write_file');
    await audit.close(60_000);
    expect(logged).toEqual([
      expect.stringMatching(/^warning: The audit log was corrupt\. It is now/),
    ]);
    const { records, flaws } = await openAuditReader(file).verify();
    expect({ records, flaws }).toMatchObject({ records: 3, flaws: [{ flaw: 'alarm', seq: 1 }] });
  });

  it.each(['before', 'after'] as const)(
    'fails at any one write, %s it is done, holds every record once all the same',
    async (when) => {
      for (let failing = 0; failing < 8; failing++) {
        const store = new FailingStore((write) => (write === failing ? when : undefined));
        const keeper = new StoreKeeper(store, {
          retention: { keepDays: 1, maxBytes: 2 ** 40 },
          say: () => undefined,
        });
        const { call, audit } = audited({}, keeper);
        for (let i = 0; i < 10; i++) await call(i % 2 === 0 ? 'write_file' : 'read_file', { i });
        await vi.waitFor(() => expect(audit.status.trouble).toBeUndefined(), inTime);
        await audit.close(60_000);
        expect(await verifyChain(store)).toMatchObject({ ok: true, records: 15, lost: 0 });
        expect(new Set(await idsIn(store)).size).toBe(15);
      }
    },
  );

  it('loses its thread gets another one, and loses nothing else', async () => {
    const file = auditFile();
    const said: string[] = [];
    const settings = { ...AUDIT_SETTINGS.parse({}), file };
    const keeper = new WorkerKeeper(settings, (sentence) => said.push(sentence));
    const { call, audit } = audited({ mode: 'strict', file }, keeper);
    await call('write_file');
    const underWay = call('write_file').catch((error: unknown) => error);
    await keeper.close(0);
    await underWay;
    await vi.waitFor(() => call('write_file'), inTime);
    await audit.close(60_000);
    expect(said).toEqual([]);
    expect(await openAuditReader(file).verify()).toMatchObject({ ok: true, lost: 0 });
    const listed = await openAuditReader(file).list({ tool: 'fs:write_file' });
    expect(listed.length).toBeGreaterThanOrEqual(3);
  });
});
