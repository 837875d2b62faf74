import { describe, expect, it, onTestFinished } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { callOf, labelledHub } from '../../../../test/testing/labelled-hub.js';
import { type AuditSettings, AUDIT_SETTINGS } from '../record/audit-settings.js';
import type { AuditStore, JournalSlice } from '../store/audit-store.js';
import { recordsIn } from '../testing/audit-rows.js';
import { recording } from '../testing/recording.js';
import { Audit } from './audit.js';

/** A store on another machine, which can be out of reach. */
class FarStore {
  readonly lagMs = 3_600_000;
  readonly ids: string[] = [];
  trouble: Error | undefined;

  positions(): Promise<ReadonlyMap<string, never>> {
    return this.trouble ? Promise.reject(this.trouble) : Promise.resolve(new Map<string, never>());
  }

  add(_: string, { records }: JournalSlice): Promise<void> {
    for (const { id } of records) if (!this.ids.includes(id)) this.ids.push(id);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function audited(settings: Partial<AuditSettings>) {
  const folder = journalFolder();
  const far = new FarStore();
  const logged: string[] = [];
  const module = { name: 'far', open: () => far as unknown as AuditStore };
  const audit = new Audit({
    settings: { ...AUDIT_SETTINGS.parse({}), folder, store: 'far', ...settings },
    log: (_, message) => logged.push(message),
    stores: [{ module }],
  });
  onTestFinished(() => audit.close());
  return { audit, far, folder, logged, ...labelledHub({ interceptors: recording(audit) }) };
}

const OUT_OF_REACH = Object.assign(new Error('no route'), { code: 'EIO' });

describe('an intent that must be in a shared store', () => {
  it('is there before its call is sent', async () => {
    const { call, far, folder } = audited({ durability: 'shared' });
    await call('write_file', {});
    expect(far.ids).toContain(recordsIn(folder)[0]!.id);
  });

  it('is not waited for with other durability', async () => {
    const { call, far, folder } = audited({ durability: 'process' });
    await call('write_file', {});
    expect(far.ids).not.toContain(recordsIn(folder)[0]!.id);
  });

  it('refuses calls in strict mode while the store is out of reach, reads included', async () => {
    const { call, far, audit, reached, logged } = audited({ durability: 'shared', mode: 'strict' });
    far.trouble = OUT_OF_REACH;
    await expect(call('write_file', {})).rejects.toMatchObject({ code: 'not-recorded' });
    await expect(call('read_file', {})).rejects.toMatchObject({
      code: 'not-recorded',
      details: { tool: 'fs:read_file', reason: 'the disk reports an error' },
    });
    expect(reached).toEqual([]);
    expect(audit.status).toMatchObject({ unshared: 'the disk reports an error' });
    far.trouble = undefined;
    await audit.close();
    expect(logged).toEqual([
      'The tables of calls could not be updated: the disk reports an error.',
      'The tables of calls are updated again.',
    ]);
  });

  it('does not hinder calls in best-effort mode', async () => {
    const { call, far, reached, audit } = audited({ durability: 'shared' });
    far.trouble = OUT_OF_REACH;
    await call('write_file', {});
    expect(reached).toEqual(['write_file']);
    expect(audit.status).toMatchObject({ mode: 'best-effort', unshared: expect.any(String) });
  });

  it('needs a store that follows the journal', () => {
    const settings = AUDIT_SETTINGS.parse({ durability: 'shared', folder: journalFolder() });
    expect(() => new Audit({ settings, log: () => undefined })).toThrow(
      '"durability": "shared" needs the setting "storage".',
    );
  });
});

describe('a call to an unknown name', () => {
  it('is recorded with its session and size, and took no time', async () => {
    const { audit, folder } = audited({});
    const call = callOf('typo', { a: 1 });
    audit.unknown(call);
    audit.flush();
    expect(recordsIn(folder)).toMatchObject([
      {
        kind: 'call',
        tool: 'typo',
        session: 'session-1',
        sizeIn: call.params.length,
        sizeOut: 0,
        ms: 0,
      },
    ]);
    expect(audit.status).toEqual({ mode: 'best-effort', waiting: 0, lost: 0 });
  });
});
