/** `callsign audit`: the records of a real gateway, listed, followed, exported and verified. */

import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { beforeAll, describe, expect, it } from 'vitest';

import { callEntry } from '../../../packages/audit/src/testing/journal-entries.js';
import { openJournal } from '../../testing/written-journal.js';
import { Home } from '../cli/callsign.js';
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
  readonly kind: string;
  readonly id: string;
  readonly tool?: string;
  readonly outcome?: string;
  readonly sizeIn?: number;
  readonly sizeOut?: number;
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

const folderIn = ({ folder }: Home): string => join(folder, 'state', 'callsign', 'audit');

/** The one file of its journal, or its anchor. */
function fileIn(where: Home, end: '.jsonl' | '.anchor'): string {
  const folder = folderIn(where);
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith(end))!,
  );
}

/** A separate home with a copy of the log, which can be damaged. */
function copied(): Home {
  const other = new Home();
  cpSync(join(home.folder, 'state'), join(other.folder, 'state'), { recursive: true });
  return other;
}

/** A gateway that runs for three calls: a read, a destructive one, and one that fails. */
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

const listed = async (...flags: string[]): Promise<Listed[]> => {
  const { stdout } = await home.run(['audit', 'list', ...flags, '--json']);
  return (JSON.parse(stdout) as { records: Listed[] }).records;
};

const toolsOf = (records: readonly Listed[]): (string | undefined)[] =>
  records.map(({ tool }) => tool);

describe('audit list and show', () => {
  it('N1: lists records although a variable of one server is not set', async () => {
    const file = join(home.folder, 'unset.json');
    const bad = { command: 'x', env: { TOKEN: '${NOT_SET_ANYWHERE}' } };
    writeFileSync(file, JSON.stringify({ mcpServers: { bad, kid: plain() } }));
    const { code, stdout, stderr } = await home.run(['audit', 'list', '--config', file]);
    expect(code).toBe(0);
    // The file is not that of the gateway whose calls are listed.
    expect(stderr).toContain('These are the calls of all your gateways, which share ');
    expect((await home.run(['audit', 'list'])).stderr).toBe('');
    expect(stdout).toContain('kid:add');
  });

  it.each([
    ['names no server', { mcpServers: {} }],
    ['has no section of servers', { callsign: {} }],
    ['has only a server with an unset variable', { mcpServers: { a: { command: '${NOT_SET}' } } }],
    ['has a wrong setting elsewhere', { mcpServers: {}, callsign: { lock: 'perhaps', x: 1 } }],
  ])('lists and verifies records although the file %s', async (_, document) => {
    const file = join(home.folder, 'broken.json');
    writeFileSync(file, JSON.stringify(document));
    for (const command of ['list', 'verify']) {
      const { code, stderr } = await home.run(['audit', command, '--config', file]);
      expect(code, stderr).toBe(0);
    }
  });

  it('does not run a store of a file that was not accepted', async () => {
    const other = copied();
    const trace = join(other.folder, 'was-run');
    other.write('work/s.mjs', `import fs from 'node:fs'; fs.writeFileSync('${trace}', '');`);
    const callsign = { audit: { store: 'mine' }, stores: [{ use: './s.mjs' }] };
    const document = { mcpServers: { kid: plain() }, callsign };
    writeFileSync(join(other.work, 'callsign.json'), JSON.stringify(document));
    const { code, stderr } = await other.run(['audit', 'list']);
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('not accepted') });
    expect(existsSync(trace)).toBe(false);
  });

  it('lists every call once, the newest last', async () => {
    const { code, stdout } = await home.run(['audit', 'list']);
    expect(code).toBe(0);
    const table = settled(home, stdout)
      .replace(/^[a-z0-9]{8}-/gm, 'WRITER-')
      .replace(/\d+\.\d$/gm, 'MS');
    await expect(table).toMatchFileSnapshot(golden('audit-list'));
  });

  it('shows on a terminal how much of a large journal was read (G13)', async () => {
    const other = new Home();
    const folder = join(other.folder, 'large');
    const journal = openJournal(folder);
    for (let i = 0; i < 60_000; i++) journal.note(callEntry(i));
    await journal.close(60_000);
    const ask = ['audit', 'stats', '--folder', folder];
    const { code, stderr } = await other.run(ask, { columns: 80 });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/Read [\d,]+ records/),
    });
  });

  it('lists those that are asked for', async () => {
    expect(toolsOf(await listed('--tool', '*:e*'))).toEqual(['kid:echo']);
    expect(toolsOf(await listed('--server', 'kid'))).toHaveLength(3);
    expect(toolsOf(await listed('--risk', 'destructive'))).toEqual(['kid:echo']);
    expect(toolsOf(await listed('--severity', 'warning'))).toEqual(['kid:echo']);
    expect(toolsOf(await listed('--client', 'raw-client'))).toHaveLength(3);
    expect(toolsOf(await listed('--text', 'ECHO'))).toEqual(['kid:echo']);
    expect(await listed('--decision', 'deny')).toEqual([]);
    expect(await listed('--until', '2020-01-01')).toEqual([]);
    expect(toolsOf(await listed('--outcome', 'tool-error'))).toEqual(['kid:fail']);
    expect(toolsOf(await listed('--limit', '1'))).toEqual(['kid:fail']);
    expect(await listed('--caller', 'nobody')).toEqual([]);
    expect(await listed('--since', '2199-01-01')).toEqual([]);
    expect(await listed('--since', '1h')).toHaveLength(3);
    for (const flags of [
      ['--since', 'yesterday'],
      ['--since', '2026'],
      ['--severity', 'grave'],
      ['--risk', 'some'],
      ['--decision', 'maybe'],
      ['--limit', '0'],
    ]) {
      expect(await home.run(['audit', 'list', ...flags])).toMatchObject({ code: 1 });
    }
  });

  it('shows both halves of a call that changes something', async () => {
    const [{ id } = { id: '' }] = await listed('--tool', 'kid:echo');
    const { code, stdout } = await home.run(['audit', 'show', id, '--json']);
    expect(code).toBe(0);
    const { records } = JSON.parse(stdout) as { records: { record: Listed }[] };
    expect(records.map(({ record }) => record.kind)).toEqual(['intent', 'call']);
    // The id of the end alone finds the intent too.
    const again = await home.run(['audit', 'show', records[1]!.record.id, '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ records });
    const shown = await home.run(['audit', 'show', id]);
    expect(shown.stdout).toContain('kid:echo');
    const { sizeIn, sizeOut } = records[1]!.record;
    expect(shown.stdout).toMatch(new RegExp(`tokens +${Math.ceil((sizeIn! + sizeOut!) / 4)}\\b`));
    expect(await home.run(['audit', 'show', 'nothing-9'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no record nothing-9') as string,
    });
  });

  it('needs no configuration, and says so if there is no log', async () => {
    const other = copied();
    expect(await other.run(['audit', 'list'])).toMatchObject({ code: 0 });
    expect(await other.run(['audit', 'list', '--config', 'none.json'])).toMatchObject({ code: 6 });
    expect(await home.run(['audit', 'list', '--folder', 'none'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There are no records in') as string,
    });
    const file = other.write('work/notes.jsonl', 'These are no records at all.\n');
    expect(await home.run(['audit', 'verify', '--file', file])).toMatchObject({ code: 1 });
  });
});

describe('audit stats and query', () => {
  it('count calls and errors', async () => {
    const { stdout } = await home.run(['audit', 'stats', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      total: { calls: 3, errors: 1 },
      servers: [{ name: 'kid', calls: 3, errors: 1 }],
      callers: [{ name: 'raw-client', calls: 3 }],
    });
    const shown = await home.run(['audit', 'stats', '--tool', 'kid:fail']);
    expect(shown.stdout).toMatch(
      /^TOOL +CALLS +ERRORS +TOKENS +P50 MS +P95 MS\nkid:fail +1 +1 +\d+ /m,
    );
  });

  it('answer SQL, and change nothing', async () => {
    const sql = 'SELECT tool, risk FROM calls ORDER BY tool';
    const { stdout } = await home.run(['audit', 'query', sql, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      columns: ['tool', 'risk'],
      rows: [
        ['kid:add', 'read'],
        ['kid:echo', 'destructive'],
        ['kid:fail', 'read'],
      ],
    });
    const table = await home.run(['audit', 'query', sql]);
    expect(table.stdout).toContain('kid:echo  destructive');
    for (const other of ['DROP VIEW calls', 'DELETE FROM call_records RETURNING id', 'nonsense']) {
      const refused = await home.run(['audit', 'query', other]);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain('The SQL was not run: only SELECT, WITH, VALUES, EXPLAIN');
    }
    expect((await home.run(['audit', 'query', sql])).stdout).toBe(table.stdout);
  });
});

describe('audit tail', () => {
  it('prints records as they come, until it is interrupted', async () => {
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

  it('may begin before the first record', async () => {
    const other = new Home();
    const tail = other.terminal(['audit', 'tail', '--json']);
    await makeCalls(other);
    await tail.shows(/kid:fail/);
    tail.type('\u0003');
    expect(await tail.ended).toBe(130);
  });

  it('ends when the reader has gone', async () => {
    // The next write shows that the reader has gone. It is recorded in a separate log.
    const call = 'callsign call kid:add a=1 b=2 --config callsign.json >/dev/null 2>&1';
    const { code, stdout } = await home.shell(
      `export XDG_STATE_HOME="$PWD/other"; ${call}; (sleep 2; ${call}) & ` +
        'callsign audit tail --json | head -n 1',
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, record: { tool: 'kid:add' } });
  });
});

/** A server that accepts logs. */
async function collector(): Promise<{ bodies: string[]; to: string }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(`${request.url} ${body}`);
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  later.push(() => void server.close());
  await eventually(() => server.listening);
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { bodies, to };
}

describe('audit export', () => {
  it('writes the lines of the journal as they are, and a copy that can be verified', async () => {
    const { code, stdout } = await home.run(['audit', 'export']);
    expect(code).toBe(0);
    const journal = readFileSync(fileIn(home, '.jsonl'), 'utf8');
    expect(stdout.startsWith(journal)).toBe(true);
    const other = new Home();
    const copy = other.write('work/copy.jsonl', stdout);
    const verified = await other.run(['audit', 'verify', '--file', copy]);
    expect(verified).toMatchObject({
      code: 0,
      stdout: expect.stringMatching('is intact') as string,
    });
    const forged = other.write('work/forged.jsonl', stdout.replace('kid:add', 'kid:bad'));
    expect(await other.run(['audit', 'verify', '--file', forged])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('edited') as string,
    });
  });

  it('sends logs to a collector, and only new ones the next time', async () => {
    const other = copied();
    const { bodies, to } = await collector();
    const flags = ['audit', 'export', '--format', 'otlp', '--to', to, '--json'];
    expect(JSON.parse((await other.run(flags)).stdout)).toMatchObject({ sent: 4 });
    expect(bodies.join('')).toMatch(/^\/v1\/logs \{"resourceLogs":.*kid:echo/);
    expect(JSON.parse((await other.run(flags)).stdout)).toMatchObject({ sent: 0 });
    expect(await other.run(['audit', 'export', '--format', 'otlp'])).toMatchObject({ code: 1 });
  });

  it('follows from before the first record', async () => {
    const other = new Home();
    const { bodies, to } = await collector();
    const flags = ['audit', 'export', '--format', 'otlp', '--to', to, '--follow'];
    const following = other.terminal(flags);
    await makeCalls(other);
    await eventually(() => bodies.join('').includes('kid:fail'));
    following.type('\u0003');
    expect(await following.ended).toBe(130);
  });

  it('writes a table for spreadsheets', async () => {
    const { stdout } = await home.run(['audit', 'export', '--format', 'csv', '--tool', 'kid:add']);
    const [head, row, ...more] = stdout.trim().split('\n');
    expect(head).toMatch(/^id,time,kind,severity,server,tool,/);
    expect(row).toContain(',kid:add,');
    expect(more).toEqual([]);
    expect(await home.run(['audit', 'export', '--format', 'xml'])).toMatchObject({ code: 1 });
  });
});

describe('audit verify', () => {
  it('accepts an unchanged log', async () => {
    const { code, stdout, stderr } = await home.run(['audit', 'verify']);
    expect({ code, stdout: home.tidy(stdout), stderr }).toEqual({
      code: 0,
      stdout: '/HOME/state/callsign/audit is intact: 3 calls, with 5 records in 1 journal.\n',
      stderr: expect.stringMatching(/^There are more records than calls: each journal/) as string,
    });
  });

  it('finds an edit, says where, and exits with 1', async () => {
    const other = copied();
    const path = fileIn(other, '.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('kid:add', 'kid:bad'));
    const { code, stdout, stderr } = await other.run(['audit', 'verify']);
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^RECORD +FLAW +WHAT\n[a-z0-9]{8}-\d +edited +/) as string,
    });
    expect(stderr).toContain('are damaged or changed, first at ');
    const json = await home.run(['audit', 'verify', '--json', '--folder', folderIn(other)]);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, flaws: [{ flaw: 'edited' }] });
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'broken-chain' } });
  });

  it('finds a missing anchor', async () => {
    const other = copied();
    rmSync(fileIn(other, '.anchor'));
    expect(await home.run(['audit', 'verify', '--folder', folderIn(other)])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('unanchored') as string,
      stderr: expect.stringContaining('The anchor is gone') as string,
    });
  });
});
