/** What a client gets that writes its first messages before the gateway is loaded. */

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { beforeEach, expect, it } from 'vitest';

import { BIN } from '../command.js';
import { fixtureFile } from '../../testing/fixture.js';
import { scratch } from '../../testing/scratch.js';

const CHILD = fixtureFile('plain-child');
const HELLO =
  '{"jsonrpc":"2.0","id":12345678901234567890,"method":"initialize","params":' +
  '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1.0"}}}\n';

let folder = '';
let config = '';

beforeEach(() => {
  folder = scratch();
  config = join(folder, 'callsign.json');
  const kid = { command: process.execPath, args: [CHILD], env: { NEEDED: '${NEEDED}' } };
  writeFileSync(config, JSON.stringify({ mcpServers: { kid } }));
});

interface Outcome {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly said: string;
}

/** Writes everything at once, and closes the input when that many answers have come. */
async function served(words: string, answers: number, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [BIN, 'serve', '--config', config], {
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

it('is the same at every start, and each early message is answered once', async () => {
  const words = [
    HELLO,
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
    '{"jsonrpc":"2.0","id":2,"method":"ping"}\n',
    '{"jsonrpc":"2.0","id":3,"method":"tools/list"}\n',
  ];
  const first = await served(words.join(''), 3, { NEEDED: 'yes' });
  const again = await served(words.join(''), 3, { NEEDED: 'yes' });
  for (const { code, lines } of [first, again]) {
    // The id is copied as text.
    const answersTo = (id: string) => lines.filter((line) => line.includes(`"id":${id},`));
    expect(code).toBe(0);
    expect(lines.filter((line) => line.includes('"id":'))).toHaveLength(3);
    expect(JSON.parse(answersTo('12345678901234567890')[0]!)).toMatchObject({
      result: { protocolVersion: '2025-06-18', serverInfo: { name: 'callsign' } },
    });
    expect(answersTo('2')).toHaveLength(1);
    expect(answersTo('3')[0]).toContain('kid:add');
  }
});

it('is not sent if the configuration cannot be used, even if it could be at the last start', async () => {
  await served(HELLO, 1, { NEEDED: 'yes' });
  const unset = await served(HELLO, 1, {});
  expect(unset).toMatchObject({ code: 6, lines: [], said: expect.stringContaining('NEEDED') });
  writeFileSync(config, '{"mcpServers": {"kid": {}}}');
  expect(await served(HELLO, 1, { NEEDED: 'yes' })).toMatchObject({ code: 6, lines: [] });
});
