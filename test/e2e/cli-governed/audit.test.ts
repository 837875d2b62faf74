/** `callsign audit`: what a real gateway recorded, read, followed, taken along and verified. */

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openAuditReader } from '@callsign/audit/query';
import { beforeAll, describe, expect, it } from 'vitest';

import { Home } from '../cli/callsign.js';
import { runHere } from '../cli/run-here.js';
import { eventually, plain, startGateway } from '../gateway-process.js';
import { golden, settled } from './golden.js';

const SETTINGS = {
  annotations: {
    'kid:echo': { preset: 'WRITE_DESTRUCTIVE' },
    'kid:add': { preset: 'READ_ONLY_DEFAULT' },
    'kid:fail': { preset: 'READ_ONLY_DEFAULT' },
  },
};

interface Listed {
  readonly seq: number;
  readonly record: { readonly kind: string; readonly tool?: string; readonly outcome?: string };
}

const later: (() => void | Promise<void>)[] = [];
let home: Home;

beforeAll(async () => {
  home = new Home((work) => later.push(work));
  await makeCalls();
  return async () => {
    for (const work of later.toReversed()) await work();
  };
});

const logIn = ({ folder }: Home): string => join(folder, 'state', 'callsign', 'audit.db');

/** A home of its own with the same log, to which harm can be done. */
function copied(): Home {
  const other = new Home();
  cpSync(join(home.folder, 'state'), join(other.folder, 'state'), { recursive: true });
  return other;
}

/** A gateway that lives for three calls: a read, a destructive one, and one that fails. */
async function makeCalls(where: Home = home): Promise<void> {
  const config = where.configure({ kid: plain() }, SETTINGS);
  const env = { XDG_STATE_HOME: join(where.folder, 'state'), HOME: where.folder };
  const gateway = await startGateway({ servers: {}, config, env }, (work) => later.push(work));
  const client = await gateway.connect();
  await client.tools();
  await client.call('kid:add', { a: 1, b: 2 });
  await client.call('kid:echo', { name: '=cmd|\u009b' });
  await client.call('kid:fail', {});
  gateway.endInput();
  await gateway.exited;
}

const parsed = (line: string): unknown => JSON.parse(line);

const listed = async (...flags: string[]): Promise<Listed[]> => {
  const { stdout } = await runHere(home, ['audit', 'list', ...flags, '--json']);
  return (JSON.parse(stdout) as { records: Listed[] }).records;
};

const toolsOf = (records: readonly Listed[]): (string | undefined)[] =>
  records.map(({ record }) => record.tool);

describe('audit list and show', () => {
  it('lists every call once, the newest last', async () => {
    const { code, stdout } = await home.run(['audit', 'list']);
    expect(code).toBe(0);
    const table = settled(home, stdout).replace(/\d+\.\d$/gm, 'MS');
    await expect(table).toMatchFileSnapshot(golden('audit-list'));
  });

  it('lists those that are asked for', async () => {
    expect(toolsOf(await listed('--tool', '*:e*'))).toEqual(['kid:echo']);
    expect(toolsOf(await listed('--severity', 'warning'))).toEqual(['kid:echo']);
    expect(toolsOf(await listed('--outcome', 'tool-error'))).toEqual(['kid:fail']);
    expect(toolsOf(await listed('--limit', '1'))).toEqual(['kid:fail']);
    expect(await listed('--caller', 'nobody')).toEqual([]);
    expect(await listed('--since', '2199-01-01')).toEqual([]);
    expect(await listed('--since', '1h')).toHaveLength(3);
    for (const flags of [
      ['--since', 'yesterday'],
      ['--since', '2026'],
      ['--severity', 'grave'],
      ['--limit', '0'],
    ]) {
      expect(await runHere(home, ['audit', 'list', ...flags])).toMatchObject({ code: 1 });
    }
  });

  it('shows both halves of a call that changes something', async () => {
    const [{ seq } = { seq: 0 }] = await listed('--tool', 'kid:echo');
    const { code, stdout } = await runHere(home, ['audit', 'show', String(seq), '--json']);
    expect(code).toBe(0);
    const { records } = JSON.parse(stdout) as { records: Listed[] };
    expect(records.map(({ record }) => record.kind)).toEqual(['intent', 'call']);
    const shown = await runHere(home, ['audit', 'show', String(seq)]);
    expect(shown.stdout).toContain('kid:echo');
    expect(await runHere(home, ['audit', 'show', '999'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no record 999') as string,
    });
    expect(await runHere(home, ['audit', 'show', 'last'])).toMatchObject({ code: 1 });
  });

  it('needs no configuration, and says so if there is no log', async () => {
    const other = copied();
    expect(await other.run(['audit', 'list'])).toMatchObject({ code: 0 });
    expect(await other.run(['audit', 'list', '--config', 'none.json'])).toMatchObject({ code: 6 });
    expect(await runHere(home, ['audit', 'list', '--file', 'none.db'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no audit log at') as string,
    });
    const file = other.write('work/notes.db', 'This is no log at all.');
    expect(await runHere(home, ['audit', 'verify', '--file', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be read') as string,
    });
  });
});

describe('audit tail', () => {
  it('goes on with records as they come, until it is interrupted', async () => {
    const other = copied();
    const tail = other.terminal(['audit', 'tail', '--last', '1', '--tool', 'kid:fail']);
    await tail.shows(/kid:fail/);
    expect(tail.text).not.toContain('kid:add');
    const before = tail.text.match(/kid:fail/g)!.length;
    await makeCalls(other);
    await eventually(() => tail.text.match(/kid:fail/g)!.length > before);
    tail.type('\u0003');
    expect(await tail.ended).toBe(130);
  });

  it('ends when nobody reads any more', async () => {
    // Whether anybody reads shows with the next record, which goes into a log of its own.
    const call = 'callsign call kid:add a=1 b=2 --config callsign.json >/dev/null 2>&1';
    const { code, stdout } = await home.shell(
      `export XDG_STATE_HOME="$PWD/other"; ${call}; (sleep 2; ${call}) & ` +
        'callsign audit tail --json | head -n 1',
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, record: { tool: 'kid:add' } });
  });
});

describe('audit export', () => {
  it('writes lines that are the same to a program as those of the log', async () => {
    const { code, stdout } = await home.run(['audit', 'export']);
    expect(code).toBe(0);
    const written = stdout.trim().split('\n').map(parsed);
    const own: unknown[] = [];
    for await (const line of openAuditReader(logIn(home)).export('jsonl')) own.push(parsed(line));
    expect(written).toEqual(own);
    expect(stdout).toContain('kid:add');
  });

  it('writes a table for spreadsheets', async () => {
    const { stdout } = await home.run(['audit', 'export', '--format', 'csv', '--tool', 'kid:add']);
    const [head, row, ...more] = stdout.trim().split('\n');
    expect(head).toMatch(/^seq,time,kind,severity,tool,/);
    expect(row).toContain(',kid:add,');
    expect(more).toEqual([]);
    expect(await runHere(home, ['audit', 'export', '--format', 'xml'])).toMatchObject({ code: 1 });
  });
});

describe('audit verify', () => {
  it('finds a log whole', async () => {
    const { code, stdout } = await home.run(['audit', 'verify']);
    expect({ code, stdout: home.tidy(stdout) }).toEqual({
      code: 0,
      stdout: '/HOME/state/callsign/audit.db is whole: 4 records, 1 to 4.\n',
    });
  });

  it('finds an edit, says where, and exits with 1', async () => {
    const other = copied();
    const log = readFileSync(logIn(other), 'latin1');
    writeFileSync(logIn(other), log.replaceAll('kid:add', 'kid:bad'), 'latin1');
    const { code, stdout, stderr } = await other.run(['audit', 'verify']);
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^SEQ +FLAW +WHAT\n1 +edited +/) as string,
    });
    expect(stderr).toContain('is broken, first at record 1: ');
    const json = await runHere(home, ['audit', 'verify', '--json', '--file', logIn(other)]);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, flaws: [{ flaw: 'edited' }] });
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'broken-chain' } });
  });

  it('finds that nobody knows the end', async () => {
    const other = copied();
    rmSync(`${logIn(other)}.anchor`);
    expect(await runHere(home, ['audit', 'verify', '--file', logIn(other)])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('unanchored') as string,
      stderr: expect.stringContaining('The anchor is gone') as string,
    });
  });
});
