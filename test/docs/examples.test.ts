/** Every example does what its page says: its check runs the example, asserts, and exits with 0. */

import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../architecture/tree.js';

const EXAMPLES = join(ROOT, 'examples');
const withCheck = readdirSync(EXAMPLES).filter((name) =>
  existsSync(join(EXAMPLES, name, 'check.mjs')),
);

/** Runs a check in its own process group, so that no process is left after the test. */
function run(example: string): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [join(EXAMPLES, example, 'check.mjs')], {
    cwd: ROOT,
    detached: true,
  });
  onTestFinished(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // All processes have ended already.
    }
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, printed })));
}

describe('examples', () => {
  it.each(withCheck)('%s has a page', (name) => {
    expect(existsSync(join(EXAMPLES, name, 'README.md'))).toBe(true);
  });

  it.each(withCheck)('%s does what it says', async (name) => {
    const { code, printed } = await run(name);
    expect(code, printed).toBe(0);
  });
});
