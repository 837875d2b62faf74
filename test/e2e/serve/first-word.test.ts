/**
 * A client's first message is answered before the gateway is loaded, if its configuration was valid at the last
 * start.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { BIN } from '../command.js';
import { ROOT } from '../../architecture/tree.js';
import { removeFolder } from '../../testing/remove-folder.js';

const CHILD = join(ROOT, 'test/fixtures/plain-child.mjs');
const HELLO = hello('1');

let folder = '';
let config = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callsign-first-word-'));
  const made = folder;
  onTestFinished(() => removeFolder(made));
  config = join(folder, 'callsign.json');
  const kid = { command: process.execPath, args: [CHILD], env: { NEEDED: '${NEEDED}' } };
  writeFileSync(config, JSON.stringify({ mcpServers: { kid } }));
});

function hello(id: string): string {
  const params =
    '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1.0"}}';
  return `{"jsonrpc":"2.0","id":${id},"method":"initialize","params":${params}}\n`;
}

interface Outcome {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly said: string;
}

/** Serves, with everything written at once and the input closed when that many answers have come. */
async function served(
  words: string,
  answers: number,
  env = { NEEDED: 'yes' },
  flags: readonly string[] = [],
): Promise<Outcome> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [BIN, 'serve', '--config', config, ...flags], {
    env: { PATH, HOME: folder, XDG_STATE_HOME: folder, ...env },
  });
  child.stdin.on('error', () => undefined);
  child.stdin.write(words);
  let heard = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    heard += part;
    if (heard.split('\n').length > answers) child.stdin.end();
  });
  const said = text(child.stderr);
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', (status) => resolve(status));
  });
  return { code, lines: heard.split('\n').filter(Boolean), said: await said };
}

describe('the first answer', () => {
  it('is the same whether or not the configuration was known', async () => {
    const [first, again] = [await served(HELLO, 1), await served(HELLO, 1)];
    expect(first.lines).toHaveLength(1);
    expect(JSON.parse(first.lines[0]!)).toMatchObject({
      id: 1,
      result: { protocolVersion: '2025-06-18', serverInfo: { name: 'callsign' } },
    });
    expect(again).toEqual(first);
  });

  it('is sent before problems are found, for a configuration that was valid', async () => {
    const unknown = await served(HELLO, 1, { NEEDED: undefined } as never);
    expect(unknown).toMatchObject({ code: 6, lines: [] });
    await served(HELLO, 1);
    const known = await served(HELLO, 1, { NEEDED: undefined } as never);
    expect(known.lines).toHaveLength(1);
    expect(known.said).toContain('NEEDED');
    expect(known.code).toBe(unknown.code);
  });

  it('waits for the check of a configuration that was changed', async () => {
    await served(HELLO, 1);
    writeFileSync(config, '{"mcpServers": {"kid": {}}}');
    expect(await served(HELLO, 1)).toMatchObject({ code: 6, lines: [] });
  });

  it('is not sent twice, and the following messages are read', async () => {
    await served(HELLO, 1);
    const words = [
      HELLO,
      '{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
      '{"jsonrpc":"2.0","id":2,"method":"ping"}\n',
      '{"jsonrpc":"2.0","id":3,"method":"tools/list"}\n',
    ];
    const { lines } = await served(words.join(''), 3);
    const ids = lines.map((line) => JSON.parse(line) as { id?: number }).map(({ id }) => id);
    expect(ids.filter((id) => id !== undefined)).toEqual([1, 2, 3]);
    expect(lines.find((line) => line.includes('"id":3'))).toContain('kid:add');
  });

  it.each(['0', '"a"', '12345678901234567890', '1.0', '-1', '1e2'])(
    'keeps the id %s',
    async (id) => {
      await served(HELLO, 1);
      const { lines } = await served(hello(id), 1);
      expect(lines[0]).toContain(`"id":${id},`);
      expect(lines).toHaveLength(1);
    },
  );

  it.each([
    ['another method', '{"jsonrpc":"2.0","id":7,"method":"ping"}\n', '"id":7'],
    ['no message at all', 'hello?\n', '-32700'],
    ['odd parameters', '{"jsonrpc":"2.0","id":7,"method":"initialize","params":[]}\n', '-32602'],
    [
      'a message without an id',
      '{"jsonrpc":"2.0","method":"initialize","params":{"clientInfo":{"id":5}}}\n' +
        '{"jsonrpc":"2.0","id":7,"method":"ping"}\n',
      '"id":7',
    ],
    ['no parameters', '{"jsonrpc":"2.0","id":7,"method":"initialize"}\n', '"id":7'],
  ])('is left to the gateway if it is %s', async (_, words, expected) => {
    await served(HELLO, 1);
    const { lines } = await served(words, 1);
    expect(lines).toEqual([expect.stringContaining(expected)]);
  });

  it.each([['--nonsense'], ['left', 'over'], ['--profile', 'nobody']])(
    'is not sent if the configuration is not served: %s %s',
    async (...flags) => {
      await served(HELLO, 1);
      const { code, lines } = await served(HELLO, 1, { NEEDED: 'yes' }, flags);
      expect([code, lines]).toEqual([1, []]);
    },
  );

  it('comes from a file without any text of the configuration, which only its owner can read', async () => {
    await served(HELLO, 1);
    const memory = join(folder, 'callsign', 'good-configs');
    expect(readFileSync(memory, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(statSync(memory).mode & 0o077).toBe(0);
  });
});
