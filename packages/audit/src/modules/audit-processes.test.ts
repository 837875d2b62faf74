import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it, onTestFinished } from 'vitest';

import { type AuditReader, openAuditReader } from '../query/audit-reader.js';
import type { AuditRecord, CallRecord, IntentRecord } from '../record/audit-record.js';
import { auditFile } from '../../../../test/testing/audit-folder.js';
import { fingerprintOf } from '../journal/write-drafts.js';

const SCRIPT = fileURLToPath(new URL('../testing/audited-process.mjs', import.meta.url));

interface Run {
  readonly file: string;
  readonly notes: string;
  readonly name: string;
  readonly count: number;
  /** Kills the process when so many calls were answered. */
  readonly killAfter?: number;
}

/** Runs the process to its end, and returns what it printed for people. */
async function run({ file, notes, name, count, killAfter = Infinity }: Run): Promise<string> {
  const args = [SCRIPT, file, notes, name, String(count)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [answered, said] = [0, ''];
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  createInterface({ input: child.stdout }).on('line', () => {
    if (++answered === killAfter) child.kill('SIGKILL');
  });
  // Closed when its own child has let go of the pipe as well, and notes nothing any more.
  await once(child, 'close');
  return said;
}

async function recordsOf(reader: AuditReader): Promise<AuditRecord[]> {
  const records: AuditRecord[] = [];
  for await (const line of reader.export('jsonl')) {
    records.push((JSON.parse(line) as { record: AuditRecord }).record);
  }
  return records;
}

function notesIn(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').filter(Boolean) : [];
}

describe('gateways as processes', () => {
  it('kill -9 at any moment: what reached a server has its intent on disk, once, in a sound chain', async () => {
    const file = auditFile();
    const notes = join(dirname(dirname(file)), 'notes');
    // Early, late, and anywhere in between.
    const moments = [1, 999, ...Array.from({ length: 2 }, () => Math.ceil(Math.random() * 1_000))];
    for (const [i, killAfter] of moments.entries()) {
      await run({ file, notes, name: `run-${i}`, count: 1_000, killAfter });
    }
    const reader = openAuditReader(file);
    expect(await reader.verify(), `killed after ${moments.join()}`).toMatchObject({
      ok: true,
      lost: 0,
    });
    const records = await recordsOf(reader);
    const intents = records.filter((record): record is IntentRecord => record.kind === 'intent');
    const ends = records.filter((record): record is CallRecord => record.kind === 'call');
    const announced = intents.map(({ fingerprint }) => fingerprint);
    const reached = notesIn(notes).map(fingerprintOf);
    expect(reached.length).toBeGreaterThanOrEqual(1_000);
    expect(new Set(announced).size).toBe(announced.length);
    expect(new Set(reached).size).toBe(reached.length);
    expect(reached.filter((fingerprint) => !announced.includes(fingerprint))).toEqual([]);
    expect(new Set(ends.map(({ intent }) => intent)).size).toBe(ends.length);
    const ids = new Set(intents.map(({ id }) => id));
    expect(ends.filter(({ intent }) => !ids.has(intent!))).toEqual([]);
  });

  it('several at once share one file, whose chain holds every record of each', async () => {
    const file = auditFile();
    const notes = join(dirname(dirname(file)), 'notes');
    const names = ['a', 'b', 'c'];
    const said = await Promise.all(names.map((name) => run({ file, notes, name, count: 200 })));
    expect(said).toEqual(['', '', '']);
    const reader = openAuditReader(file);
    expect(await reader.verify()).toMatchObject({ ok: true, records: 1_200, lost: 0 });
    const sessions = (await recordsOf(reader)).map((record) => {
      return 'caller' in record ? record.caller.session : record.kind;
    });
    for (const name of names) expect(sessions.filter((each) => each === name)).toHaveLength(400);
    expect(notesIn(notes)).toHaveLength(600);
  });
});
