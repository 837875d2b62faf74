/**
 * Statements of the README and the pages that no command shows. For the commands, see test/clone.
 */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';
import { pagesBelow } from './testing/markdown.js';

/** Pages that say what to do in a clone. */
const CLONE =
  /In a clone of this repository[^]*?`npx callsign setup`|In a clone, the command is `npx callsign`/g;

describe('README.md', () => {
  it('N5, M18: npm start says that a port is taken, before it installs and compiles', async () => {
    // What the `/healthz` of another gateway would answer.
    const other = createServer((_, response) => {
      response.end(JSON.stringify({ servers: [{ key: 'x', state: { is: 'ready' }, tools: 99 }] }));
    });
    await new Promise<void>((opened) => other.listen(0, '127.0.0.1', opened));
    const { port } = other.address() as AddressInfo;
    const child = spawn('npm', ['start'], { cwd: ROOT, env: { ...process.env, PORT: `${port}` } });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    }
    const code = await new Promise((resolve) => child.once('close', resolve));
    await new Promise((closed) => other.close(closed));
    expect(code).toBe(1);
    expect(printed).toMatch(/Port \d+ is in use/);
    expect(printed).not.toMatch(/Preparing|Installing|Compiling/);
    expect(printed).toContain('PORT=0 npm start');
    // As a whole word, because the port may contain the same digits.
    expect(printed).not.toMatch(/\b99\b/);
  });

  it('V16: pages that need no clone name the package that is ours', () => {
    const pages = pagesBelow('docs');
    expect(pages.length).toBeGreaterThan(20);
    // A sentence about a clone may name it.
    const wrong = pages.filter(({ text }) => /npx (?:-y )?callsign/.test(text.replace(CLONE, '')));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('npm test, npm run check, npm run conformance and npm run test:clone are what CI runs', () => {
    const ran = ['npm test', 'npm run check', 'npm run conformance', 'npm run test:clone'];
    for (const command of ran) {
      expect(readFileSync(join(ROOT, '.ci/run'), 'utf8').split('\n')).toContain(command);
    }
  });
});
