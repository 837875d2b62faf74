/** The command `callsign-lightdash-sandbox`, from the outside. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../../architecture/tree.js';

const BIN = join(ROOT, 'packages/lightdash/bin/callsign-lightdash-sandbox.mjs');

interface Started {
  /** The whole output, as soon as it matches. */
  printed(pattern: RegExp): Promise<string>;
  end(): Promise<number | null>;
  readonly exited: Promise<number | null>;
}

function start(...args: string[]): Started {
  const child = spawn(process.execPath, [BIN, ...args]);
  let text = '';
  const note = (chunk: Buffer): void => void (text += chunk.toString());
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return {
    exited,
    async printed(pattern) {
      await expect.poll(() => text).toMatch(pattern);
      return text;
    },
    end() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

it('prints what a shell needs, serves, and ends when asked', async () => {
  const sandbox = start();
  const text = await sandbox.printed(/API_KEY=\S+\n/);
  const [, url = ''] = /export LIGHTDASH_URL=(\S+)/.exec(text) ?? [];
  const [, key = ''] = /export LIGHTDASH_API_KEY=(\S+)/.exec(text) ?? [];
  const headers = { authorization: `ApiKey ${key}` };
  const answer = await fetch(`${url}/api/v1/org/projects`, { headers });
  expect(await answer.json()).toMatchObject({ status: 'ok', results: [{}, {}, {}, {}] });
  expect(await sandbox.end()).toBe(0);
});

it('fails as configured', async () => {
  const sandbox = start('--fault', 'bad-gateway');
  const [, url = ''] = /LIGHTDASH_URL=(\S+)/.exec(await sandbox.printed(/API_KEY=\S+\n/)) ?? [];
  expect((await fetch(`${url}/api/v1/org/projects`)).status).toBe(502);
});

it.each([
  [['--fault', 'toString'], /There is no fault "toString"/],
  [['--port', '99999'], /--port takes a number/],
  [['--what'], /Unknown option '--what'/],
])('refuses %j', async (args, words) => {
  const sandbox = start(...args);
  await sandbox.printed(words);
  expect(await sandbox.exited).toBe(1);
});
