/** No command shows control characters of a server on a terminal. */

import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { Home } from '../cli/callsign.js';

const CHILD = join(ROOT, 'test', 'e2e', 'cli', 'hostile-child.mjs');
// oxlint-disable-next-line no-control-regex
const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;

describe('a hostile server', () => {
  it.each([
    ['trust', 'status'],
    ['trust', 'diff'],
    ['trust', 'status', '--json'],
    ['policy', 'test', 'bad:say'],
    ['policy', 'test', 'bad:wipe\u001b[2J'],
    ['adapter', 'from-mcp', 'bad'],
  ])('cannot control the terminal through %s %s %s', async (...args) => {
    const home = new Home();
    home.configure({ bad: { command: process.execPath, args: [CHILD] } });
    const { stdout, stderr } = await home.run(args);
    expect(stdout + stderr).not.toBe('');
    expect(stdout).not.toMatch(OBEYED);
    expect(stderr).not.toMatch(OBEYED);
  });
});
