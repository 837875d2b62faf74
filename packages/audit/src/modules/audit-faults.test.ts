import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { type LabelledHub, labelledHub } from '../../../../test/testing/labelled-hub.js';
import { journalsIn, type PartFile } from '../journal/journal-folder.js';
import { recordsIn, verifyFolder } from '../testing/audit-rows.js';
import { AUDIT_SETTINGS, type AuditSettings } from '../record/audit-settings.js';
import { recording } from '../testing/recording.js';
import { CAN_MOUNT, SmallDisk } from '../../../../test/testing/small-disk.js';
import { Audit } from './audit.js';

interface Audited extends LabelledHub {
  readonly audit: Audit;
  readonly logged: string[];
}

function audited(settings: Partial<AuditSettings>): Audited {
  const logged: string[] = [];
  const audit = new Audit({
    settings: { ...AUDIT_SETTINGS.parse({}), ...settings },
    log: (level, message) => logged.push(`${level}: ${message}`),
  });
  onTestFinished(() => audit.close(0));
  return { ...labelledHub({ interceptors: recording(audit) }), audit, logged };
}

const inTime = { timeout: 60_000, interval: 20 };

/** Calls until one is refused because it cannot be recorded, and returns the refusal. */
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
  it('refuses calls in strict mode, and accepts them again as soon as there is space', async () => {
    const disk = new SmallDisk();
    disk.fillHalf();
    const strict = audited({ mode: 'strict', folder: disk.folder, arguments: 'redacted' });
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
    expect(await verifyFolder(disk.folder)).toMatchObject({ ok: true, lost: 0 });
    const refused = recordsIn(disk.folder).filter((record) => {
      return record.kind === 'call' && record.outcome === 'not-recorded';
    });
    expect(refused.length).toBeGreaterThanOrEqual(2);
  });

  it('serves in best-effort mode, counts what is lost, and says so in the journal', async () => {
    const disk = new SmallDisk();
    disk.fillHalf();
    const { call, audit, reached, logged } = audited({ folder: disk.folder });
    let made = 0;
    while (audit.status.lost < 100) await call('read_file', { i: made++ });
    expect(reached).toHaveLength(made);
    expect(audit.status.trouble).toBe('the disk is full');
    disk.grow();
    await vi.waitFor(() => expect(audit.status.trouble).toBeUndefined(), inTime);
    await audit.close(60_000);
    expect(await verifyFolder(disk.folder)).toMatchObject({ ok: true, lost: audit.status.lost });
    expect(logged.join('\n')).toContain('cannot be written: the disk is full. Calls continue.');
  });

  it('F17: at exit, the next start says how many records were lost', async () => {
    const disk = new SmallDisk();
    disk.fillHalf();
    const lost = Number(await run('full-disk.mjs', disk.folder));
    expect(lost).toBeGreaterThanOrEqual(10);
    disk.grow();
    await run('one-call.mjs', disk.folder);
    expect(await verifyFolder(disk.folder)).toMatchObject({ ok: true, lost });
    expect(recordsIn(disk.folder)).toContainEqual(
      expect.objectContaining({ kind: 'gap', count: lost, reason: 'the disk is full' }),
    );
  });

  it('leaves no anchor that others would call damaged (G5)', async () => {
    const disk = new SmallDisk();
    disk.fill();
    const { call, audit } = audited({ folder: disk.folder });
    await call('write_file');
    expect(audit.status.trouble).toBe('the disk is full');
    expect(readdirSync(disk.folder).filter((file) => file.includes('anchor'))).toEqual([]);
  });

  it('or read-only refuses calls in the same way', async () => {
    const disk = new SmallDisk();
    const strict = audited({ mode: 'strict', folder: disk.folder });
    await strict.call('write_file');
    await strict.audit.close(60_000);
    disk.setWritable(false);
    const again = audited({ mode: 'strict', folder: disk.folder });
    await expect(again.call('read_file')).rejects.toThrow('its file is read-only');
    disk.setWritable(true);
    await vi.waitFor(() => again.call('read_file'), inTime);
    await again.audit.close(60_000);
    expect(await verifyFolder(disk.folder)).toMatchObject({ ok: true });
  });
});

/** Runs a process of its own to its end, and returns what it printed. */
async function run(script: string, folder: string): Promise<string> {
  const path = fileURLToPath(new URL(`../testing/${script}`, import.meta.url));
  const child = spawn(process.execPath, [path, folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(code).toBe(0);
  return printed;
}

describe('the limit of the journal (G12)', () => {
  it('is kept by gateways that live shortly', async () => {
    const folder = journalFolder();
    const maxBytes = 100_000;
    for (let life = 0; life < 12; life++) {
      const { call, audit } = audited({ folder, maxBytes, arguments: 'redacted' });
      for (let i = 0; i < 20; i++) await call('write_file', { text: 'x'.repeat(250), i });
      await audit.close(60_000);
    }
    const [last] = journalsIn(folder).slice(-1);
    const sizeOf = ({ path }: PartFile): number => statSync(path).size;
    const sum = (parts: readonly PartFile[]): number => parts.map(sizeOf).reduce((a, b) => a + b);
    // The last one has deleted before it wrote the most of its own.
    expect(sum(journalsIn(folder).flatMap(({ parts }) => parts))).toBeLessThan(
      maxBytes + sum(last!.parts),
    );
    expect(recordsIn(folder).some(({ kind }) => kind === 'pruned')).toBe(true);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, flaws: [] });
  }, 90_000);
});

describe('a folder that cannot be created', () => {
  function blocked(): string {
    const folder = journalFolder();
    mkdirSync(dirname(folder), { recursive: true });
    writeFileSync(folder, '');
    return join(folder, 'below');
  }

  it('refuses every call in strict mode, the first one and reads included', async () => {
    const { call, reached, audit, logged } = audited({ mode: 'strict', folder: blocked() });
    await expect(call('read_file')).rejects.toThrow(
      'The call to fs:read_file was not made because it could not be recorded: its folder cannot be created',
    );
    await expect(call('write_file')).rejects.toMatchObject({ code: 'not-recorded' });
    expect(reached).toEqual([]);
    expect(audit.status).toMatchObject({ mode: 'strict', trouble: 'its folder cannot be created' });
    expect(logged[0]).toContain('Calls are refused until it can be written.');
  });

  it('refuses nothing in best-effort mode', async () => {
    const { call, reached, audit } = audited({ folder: blocked() });
    for (const tool of ['read_file', 'write_file', 'delete_file']) await call(tool);
    expect(reached).toEqual(['read_file', 'write_file', 'delete_file']);
    await vi.waitFor(
      () => expect(audit.status.trouble).toBe('its folder cannot be created'),
      inTime,
    );
    expect(audit.status.waiting).toBe(5);
  });
});

describe.skipIf(process.platform === 'win32')('F3: too few descriptors', () => {
  it('raise no alarm, and lose no open records', async () => {
    const folder = journalFolder();
    const script = fileURLToPath(new URL('../testing/few-descriptors.mjs', import.meta.url));
    const limited = `ulimit -n 256 && exec "${process.execPath}" "${script}" "${folder}"`;
    const child = spawn('sh', ['-c', limited], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [said, answered] = await Promise.all([text(child.stderr), text(child.stdout)]);
    expect(said).toBe('warning: Older journals could not be checked: too many files are open.\n');
    expect(answered).toBe('EMFILE 40\n');
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, lost: 0, flaws: [], notes: [] });
    expect(recordsIn(folder)).toHaveLength(80);
  });
});
