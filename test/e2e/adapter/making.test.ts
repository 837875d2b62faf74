/**
 * `callsign adapter from-openapi|from-mcp|generate`: adapters made from documents and servers, and
 * packages made from adapters.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { shellWord } from '@callsign/config';

import { ROOT } from '../../architecture/tree.js';
import { Home } from '../cli/callsign.js';
import { plain } from '../gateway-process.js';
import { ADAPTER, renamed } from './harbour.js';

const TIDES = join(ROOT, 'packages', 'mcpaql', 'testing-apis', 'tide-tables.yaml');

let home: Home;
beforeEach(() => {
  home = new Home();
});

const read = (path: string): string => readFileSync(join(home.work, path), 'utf8');

describe('adapter init', () => {
  const init = ['adapter', 'init', '--name', 'apple-mail', '--base-url', 'https://mail.example/v1'];

  it('writes an adapter that validates and has tools', async () => {
    const made = await home.run([...init, '--display-name', 'Post']);
    expect(made).toMatchObject({ code: 0, stdout: '' });
    expect(made.stderr).toContain('Next: callsign adapter serve');
    const written = await home.run(['adapter', 'validate', 'apple-mail.adapter.md']);
    expect(written).toMatchObject({ code: 0 });
    const { stdout } = await home.run(['adapter', 'tools', 'apple-mail.adapter.md', '--json']);
    expect(stdout).toContain('apple_mail_mcpaql_read');
    expect(stdout).toContain('Post');
  });

  it('asks on a terminal for what is not given', async () => {
    const terminal = home.terminal(['adapter', 'init']);
    await terminal.shows(/Name of the adapter/);
    terminal.type('apple-mail\r');
    await terminal.shows(/Address of the API/);
    terminal.type('https://mail.example/v1\r');
    expect(await terminal.ended).toBe(0);
    expect(read('apple-mail.adapter.md')).toContain('https://mail.example/v1');
  });

  it('overwrites nothing, and says which value is wrong or missing', async () => {
    await home.run(init);
    const before = read('apple-mail.adapter.md');
    const again = await home.run([...init, '--base-url', 'https://other.example']);
    expect(again).toMatchObject({ code: 1 });
    expect(again.stderr).toContain('already exists');
    expect(read('apple-mail.adapter.md')).toBe(before);
    const wrong = await home.run(['adapter', 'init', '--name', 'x', '--base-url', 'no address']);
    expect(wrong).toMatchObject({ code: 1 });
    expect(wrong.stderr).toContain('base_url');
    expect(() => read('x.adapter.md')).toThrow('ENOENT');
    const missing = await home.run(['adapter', 'init', '--name', 'x']);
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.stderr).toContain('Give --base-url, or use a terminal.');
  });
});

describe('adapter from-openapi', () => {
  /** 201 operations: with so many, the command asks which to import. */
  const large = (): string => {
    const responses = { 200: { description: 'Fine' } };
    const paths = Array.from({ length: 201 }, (_, i): [string, object] => {
      const tags = i < 150 ? ['ships'] : i < 200 ? ['cargo'] : [];
      return [i < 200 ? `/things/${i}` : '/ports', { get: { tags, responses } }];
    });
    const info = { title: 'Large', version: '1.0.0' };
    const servers = [{ url: 'https://large.example' }];
    const document = { openapi: '3.0.0', info, servers, paths: Object.fromEntries(paths) };
    return home.write('work/large.json', JSON.stringify(document));
  };
  const imported = ['adapter', 'from-openapi', 'large.json', '--out', 'large.adapter.md'];
  const operations = (): number => read('large.adapter.md').match(/maps_to: /g)?.length ?? 0;

  it('A9: asks on a terminal which tags of a large document are imported', async () => {
    large();
    const terminal = home.terminal(imported);
    await terminal.shows(/201 operations\. Which tags/);
    await terminal.shows(/\/ports \(1\)[^]*cargo \(50\)[^]*ships \(150\)/);
    terminal.type('carg');
    await terminal.shows(/1 match/);
    terminal.type('\t\r');
    expect(await terminal.ended).toBe(0);
    expect(operations()).toBe(50);
  });

  it('A9: imports all of it if no tag is chosen, and nothing after Ctrl-C', async () => {
    large();
    const stopped = home.terminal(imported);
    await stopped.shows(/Which tags/);
    stopped.type('\u0003');
    expect(await stopped.ended).toBe(130);
    expect(() => read('large.adapter.md')).toThrow('ENOENT');
    const whole = home.terminal(imported);
    await whole.shows(/Which tags/);
    whole.type('\r');
    expect(await whole.ended).toBe(0);
    expect(operations()).toBe(201);
  });

  it('A9: asks nothing without a terminal, or if a flag chooses', async () => {
    large();
    expect(await home.run(imported)).toMatchObject({ code: 0 });
    expect(operations()).toBe(201);
    const terminal = home.terminal([...imported.slice(0, 3), '--tag', 'cargo', '--out', 'b.md']);
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen).not.toContain('Which tags');
    expect(read('b.md').match(/maps_to: /g)).toHaveLength(50);
  });

  it('makes a valid adapter, says what to look at, and keeps what people write into it', async () => {
    const made = await home.run(['adapter', 'from-openapi', TIDES, '--out', 'tides.adapter.md']);
    expect(made).toMatchObject({ code: 0, stdout: '' });
    expect(made.stderr).toContain('Paging was guessed');
    expect(made.stderr).toMatch(/Imported 12 operations into .+\. Notes to read: \d+\./);
    expect(await home.run(['adapter', 'validate', 'tides.adapter.md'])).toMatchObject({ code: 0 });
    const edited = read('tides.adapter.md').replace('level: generated', 'level: validated');
    writeFileSync(join(home.work, 'tides.adapter.md'), edited);
    await home.run(['adapter', 'from-openapi', TIDES, '--out', 'tides.adapter.md']);
    expect(read('tides.adapter.md')).toContain('level: validated');
  });

  it('shows it without --out, and in a dry run', async () => {
    const { code, stdout } = await home.run(['adapter', 'from-openapi', TIDES, '--name', 'tides']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^---\nname: tides\n/);
    const dry = ['adapter', 'from-openapi', TIDES, '--out', join(home.work, 'x.md'), '--dry-run'];
    const { stdout: json } = await home.run([...dry, '--json']);
    expect(JSON.parse(json)).toMatchObject({ written: false, operations: expect.any(Array) as [] });
    expect(() => read('x.md')).toThrow('ENOENT');
  });

  it('fetches it from an address, and does not follow private redirects', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/tides.yaml') response.end(readFileSync(TIDES));
      else if (request.url === '/away') {
        response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
      } else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await home.run(['adapter', 'from-openapi', `${url}/tides.yaml`])).toMatchObject({
      code: 0,
    });
    for (const path of ['/none', '/away']) {
      const { code, stderr } = await home.run(['adapter', 'from-openapi', url + path]);
      expect(code).toBe(4);
      expect(stderr).toContain('cannot be fetched');
    }
  });

  it('refuses other documents', async () => {
    expect(await home.run(['adapter', 'from-openapi', ADAPTER])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('Nothing could be imported.') as string,
    });
    expect(await home.run(['adapter', 'from-openapi', 'none.yaml'])).toMatchObject({
      code: 1,
    });
  });
});

it('an adapter becomes a server where the PATH has no callsign', async () => {
  expect(
    await home.run(['add', 'own', '--', 'callsign', 'adapter', 'serve', ADAPTER]),
  ).toMatchObject({ code: 0 });
  expect(await home.run(['tools', 'own'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('_mcpaql_read') as string,
  });
});

describe('adapter from-mcp', () => {
  it('makes an adapter of a server, which serves it again', async () => {
    home.configure({ kid: plain() }, { servers: { kid: { trust: 'full' } } });
    const made = await home.run(['adapter', 'from-mcp', 'kid', '--out', 'kid.adapter.md']);
    expect(made).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Imported 20 operations') as string,
    });
    const early = await home.run(['adapter', 'call', 'kid.adapter.md', 'add', 'a=2', 'b=3']);
    expect(early.code).not.toBe(0);
    const review = await home.run(['adapter', 'review', 'kid.adapter.md', '--yes']);
    expect(review).toMatchObject({ code: 0, stderr: expect.stringContaining('0 left') as string });
    // The next step can be copied.
    const file = join(home.work, 'kid.adapter.md');
    expect(review.stderr).toContain(
      `To add it to your servers: callsign add kid -- callsign adapter serve ${shellWord(file)}\n`,
    );
    expect(await home.run(['adapter', 'review', 'none.adapter.md'])).toMatchObject({
      code: 1,
      stderr: `There is no file ${join(home.work, 'none.adapter.md')}.\n`,
    });
    const added = await home.run(['adapter', 'call', 'kid.adapter.md', 'add', 'a=2', 'b=3']);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('5') as string });
    expect(await home.run(['adapter', 'generate', file, '--out', 'x'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('only adapters over HTTP become packages') as string,
    });
    expect(await home.run(['adapter', 'from-mcp', 'kit'])).toMatchObject({ code: 1 });
  });
});

describe('adapter generate', () => {
  const generate = (...flags: string[]) =>
    home.run(['adapter', 'generate', ADAPTER, '--out', join(home.work, 'made'), ...flags]);

  it('writes a package, replaces its own files, and keeps those of people', async () => {
    const dry = await generate('--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true });
    expect(() => read('made/package.json')).toThrow('ENOENT');

    const made = await home.run(['adapter', 'generate', ADAPTER, '--out', 'made']);
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('Wrote ') as string });
    expect(JSON.parse(read('made/package.json'))).toMatchObject({ name: 'harbour-logbook-mcpaql' });

    // The adapter has changed, so unedited files of the package are replaced.
    const other = home.write('work/other.adapter.md', renamed('east-harbour'));
    const again = ['adapter', 'generate', other, '--out', join(home.work, 'made')];
    expect(await home.run(again)).toMatchObject({ code: 0 });
    expect(read('made/package.json')).toContain('east-harbour-mcpaql');

    home.write('work/made/src/main.ts', '// mine\n');
    expect(await generate()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('src/main.ts. Choose another folder') as string,
    });
    expect(read('made/src/main.ts')).toBe('// mine\n');
    expect(read('made/package.json')).toContain('east-harbour-mcpaql');
    const kept = JSON.parse((await generate('--dry-run', '--json')).stdout) as {
      files: { path: string; change: string }[];
    };
    expect(kept.files.find(({ path }) => path === 'src/main.ts')?.change).toBe('kept');

    expect(await generate('--force')).toMatchObject({ code: 0 });
    expect(read('made/src/main.ts')).not.toBe('// mine\n');
    expect(read('made/package.json')).toContain('harbour-logbook-mcpaql');
  });
});
