import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { freePort } from '../../../scripts/free-port.mjs';
import { CallsignProcess, child, PLAIN, temporaryFolder } from '../serve/callsign-process.js';
import { patient } from '../serve/config-file.js';
import { HttpClient } from '../serve/http-client.js';
import { isAlive, until } from '../serve/until.js';

const CHANGED = 'notifications/tools/list_changed';

interface Content {
  readonly mcpServers: Readonly<Record<string, object>>;
  readonly callsign?: object;
}

const ONE: Content = { mcpServers: { one: child(PLAIN) } };
const aliased = (name: string): Content => ({
  ...ONE,
  callsign: { aliases: { [name]: 'one:echo' } },
});
const text = (content: Content): string => JSON.stringify(patient(content), undefined, 2);

/** A gateway on stdio with a client, and the file that it serves. */
async function serveFile(content: Content, ...flags: string[]) {
  const file = join(temporaryFolder(), 'callsign.json');
  writeFileSync(file, text(content));
  const callsign = new CallsignProcess(['serve', '--config', file, ...flags]);
  const { client } = callsign;
  await client.greet();
  await client.tools();
  const write = (next: Content | string) =>
    writeFileSync(file, typeof next === 'string' ? next : text(next));
  const answers = async (name: string) => (await client.call(name)).result !== undefined;
  return { file, callsign, client, write, answers };
}

describe('an edit of the configuration', () => {
  it('is applied for every way of writing the file, and clients are told', async () => {
    const { file, callsign, client, write, answers } = await serveFile(ONE);
    const pid = await client.pid('one');

    write(aliased('in-place'));
    await until(() => answers('in-place'));

    writeFileSync(`${file}.new`, text(aliased('renamed')));
    renameSync(`${file}.new`, file);
    await until(() => answers('renamed'));
    expect(await answers('in-place')).toBe(false);

    write('');
    await until(() => callsign.stderr.includes('error: '));
    write(aliased('truncated'));
    await until(() => answers('truncated'));

    writeFileSync(`${file}.other`, text(aliased('linked')));
    symlinkSync(`${file}.other`, `${file}.link`);
    renameSync(`${file}.link`, file);
    await until(() => answers('linked'));

    client.heard.length = 0;
    write({ ...ONE, callsign: { tools: { deny: ['one:echo'] } } });
    await until(async () => !(await client.toolNames()).includes('one:echo'));
    await until(() => client.heard.includes(CHANGED));
    expect(await client.pid('one')).toBe(pid);
  });

  it.each([
    ['as it was', ONE],
    ['with a change', aliased('other')],
  ])('that repairs the file is announced: %s', async (_, repaired) => {
    const { callsign, write } = await serveFile(ONE);
    const said = 'The configuration can be used again, and is in use now.\n';
    write('{');
    await until(() => callsign.stderr.includes('the previous one stays in use'));
    expect(callsign.stderr).not.toContain(said);
    write(repaired);
    await until(() => callsign.stderr.includes(said));
    write(aliased('third'));
    await until(async () => (await callsign.client.call('third')).result !== undefined);
    expect(callsign.stderr.split(said)).toHaveLength(2);
  });

  it('restarts only changed servers, and lets all calls finish', async () => {
    const three = { stays: child(PLAIN), changes: child(PLAIN), goes: child(PLAIN) };
    const { callsign, client, write } = await serveFile({ mcpServers: three });
    const [stays, goes] = [await client.pid('stays'), await client.pid('goes')];
    const morning = join(temporaryFolder(), 'morning');
    const slow = ['stays', 'changes', 'goes'].map((key) =>
      client.call(`${key}:sleep`, { until: morning }),
    );
    // Calls keep their order, so every server has its slow call when these are answered.
    for (const key of Object.keys(three)) await client.call(`${key}:echo`);
    write({ mcpServers: { stays: three.stays, changes: child(PLAIN, '--tools=1') } });
    await until(async () => (await client.toolNames()).includes('changes:t_0'));
    expect((await client.call('goes:echo')).error?.message).toMatch(/^Tool not found: goes:echo/);
    expect(await client.pid('stays')).toBe(stays);
    writeFileSync(morning, '');
    for (const answer of await Promise.all(slow)) {
      const content = [{ text: 'Slept until the file came.' }];
      expect(answer).toMatchObject({ result: { content } });
    }
    await until(() => !isAlive(goes));
    expect(callsign.stderr).toBe('');
  });

  it('is asked for with SIGHUP, which does no harm while the gateway starts (G19)', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'callsign.json');
    const module = `process.stderr.write('loading\\n');
      await new Promise((resolve) => { setTimeout(resolve, 1_000); });
      export default { name: 'slow', create: () => undefined };`;
    writeFileSync(join(folder, 'slow.mjs'), module);
    writeFileSync(file, text({ ...ONE, callsign: { modules: [{ use: './slow.mjs' }] } }));
    const callsign = new CallsignProcess(['serve', '--config', file, '--http', '0']);
    await until(() => callsign.stderr.includes('loading'));
    callsign.process.kill('SIGHUP');
    await until(async () => (await callsign.health()).servers[0]?.state.is === 'ready');
    expect(callsign.process.exitCode).toBeNull();
  });

  it('starts a server again that was given up, though its entry is the same', async () => {
    const port = await freePort();
    const remote = { type: 'http', url: `http://127.0.0.1:${port}/mcp` };
    const restart = { initialMs: 1, maxMs: 1, giveUpAfter: 3 };
    const { callsign, client } = await serveFile({
      mcpServers: { remote, ...ONE.mcpServers },
      callsign: { restart },
    });
    const pid = await client.pid('one');
    const gaveUps = () => callsign.stderr.match(/\[remote\] gave up: .*$/gm) ?? [];
    await until(() => gaveUps().length === 1);
    expect(gaveUps()[0]).toMatch(
      /: connection refused \(.*\)\. To start it again: .*callsign.* reload$/,
    );
    expect(callsign.stderr).toMatch(/\[remote\] connection refused \(.*\); trying again in \d+ ms/);
    // It is tried as often as at the start.
    callsign.process.kill('SIGHUP');
    await until(() => gaveUps().length === 2);
    const behind = join(temporaryFolder(), 'behind.json');
    writeFileSync(behind, text(ONE));
    const server = new CallsignProcess(['serve', '--config', behind, '--http', String(port)]);
    await server.url();
    callsign.process.kill('SIGHUP');
    await until(async () => (await client.toolNames()).some((name) => name.startsWith('remote:')));
    expect(await client.pid('one')).toBe(pid);
    expect(callsign.stderr).not.toContain('was reloaded');
  });

  it('without a difference changes nothing: spaces, comments, a touch, SIGHUP', async () => {
    const { callsign, client, write } = await serveFile(ONE, '--verbose');
    const pid = await client.pid('one');
    const sames = () => callsign.stderr.match(/has not changed/g)?.length ?? 0;
    await until(() => sames() === 1, { what: 'the look at the start' });
    client.heard.length = 0;
    write(`// a comment\n${text(ONE).replaceAll('\n', '\n\n')}\n`);
    await until(() => sames() === 2);
    callsign.process.kill('SIGHUP');
    await until(() => sames() === 3);
    expect(await client.pid('one')).toBe(pid);
    expect(client.heard).toEqual([]);
    expect(callsign.stderr).not.toContain('was reloaded');
  });
});

describe('an edit that is wrong', () => {
  it('keeps the old configuration and is reported with its place; a correction is applied', async () => {
    const file = join(temporaryFolder(), 'callsign.json');
    writeFileSync(file, text(ONE));
    const http = new CallsignProcess(['serve', '--config', file, '--http', '0']);
    await until(async () => (await http.health()).servers[0]?.state.is === 'ready');
    const failures = callWithoutEnd(await http.url());

    const broken = '{\n  "mcpServers": {\n    "one": {"comand": "x"}\n  }\n}\n';
    writeFileSync(file, broken);
    await until(() => http.stderr.includes(`${file}:3:13`));
    expect(http.stderr).toContain('error: The configuration has problems');
    const sick = await http.health();
    expect(sick).toMatchObject({
      status: 'ok',
      config: {
        ok: false,
        problems: [{ file, line: 3, column: 13, path: 'mcpServers.one.comand' }],
      },
      servers: [{ key: 'one', state: { is: 'ready' } }],
    });

    rmSync(file);
    await until(() => http.stderr.includes('does not exist'));

    writeFileSync(file, text({ mcpServers: { ...ONE.mcpServers, two: child(PLAIN) } }));
    await until(async () => (await http.health()).servers[1]?.state.is === 'ready');
    expect((await http.health()).config).toEqual({ ok: true });
    expect(await failures()).toEqual({ failed: 0, ok: expect.any(Number) });
  });

  it('that leaves no file is said at once, and said once (G11)', async () => {
    const { file, callsign, client, write, answers } = await serveFile(ONE);
    const said = (words: string): number => callsign.stderr.split(words).length - 1;
    const makers: readonly (readonly [words: string, make: () => void])[] = [
      ['is a folder', () => mkdirSync(file)],
      ['is a pipe, not a file', () => void execFileSync('mkfifo', [file])],
      ['is a device, not a file', () => symlinkSync('/dev/zero', file)],
      ['is a link to itself', () => symlinkSync(file, file)],
      ['the file is empty', () => writeFileSync(file, '')],
    ];
    for (const [words, make] of makers) {
      rmSync(file, { recursive: true });
      make();
      await until(() => said(words) > 0);
    }
    for (let time = 1; time <= 4; time++) {
      utimesSync(file, time, time);
      await sleep(600);
    }
    expect(said('the file is empty')).toBe(1);
    write(aliased('corrected'));
    await until(() => answers('corrected'));
    for (const [words] of makers) expect(said(words)).toBe(1);
    expect((await client.call('one:echo')).error).toBeUndefined();
  });

  it('is forgotten when it is undone', async () => {
    const { callsign, client, write } = await serveFile(ONE, '--verbose');
    const pid = await client.pid('one');
    write('{"mcpServers": {');
    await until(() => callsign.stderr.includes('error: '));
    write(ONE);
    await until(() => /error: [^]*has not changed/.test(callsign.stderr));
    expect(await client.pid('one')).toBe(pid);
  });
});

/** Calls a tool again and again. Stopping it returns how many calls failed. */
function callWithoutEnd(base: string): () => Promise<{ ok: number; failed: number }> {
  const counts = { ok: 0, failed: 0 };
  const over = new AbortController();
  const run = async (): Promise<void> => {
    const client = new HttpClient(`${base}/mcp`);
    await client.greet();
    while (!over.signal.aborted) {
      const { result } = await client.call('one:echo');
      if (result) counts.ok++;
      else counts.failed++;
      // Lets other work run. Nothing depends on how long.
      await sleep(5);
    }
  };
  const running = run();
  return async () => {
    over.abort();
    await running;
    return counts;
  };
}
