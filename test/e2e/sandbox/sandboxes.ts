/**
 * Tests of sandboxes need bubblewrap, and those that observe need strace. Without them they are left out. With
 * `CALLSIGN_SANDBOX=required` they fail instead.
 */

import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { sandboxFault } from '../../../packages/gateway/src/sandbox/sandboxed-child.js';
import { ROOT } from '../../architecture/tree.js';
import { describeUnless } from '../../testing/left-out.js';
import { removeFolder } from '../../testing/remove-folder.js';
import type { Finally } from '../gateway-process.js';

const isRequired = process.env['CALLSIGN_SANDBOX'] === 'required';

const reasonFor = (isWatched: boolean): string | undefined =>
  isRequired || sandboxFault(isWatched) === undefined
    ? undefined
    : 'there is no bubblewrap or strace that works; to install them: apt-get install bubblewrap strace';

export function describeInSandbox(title: string, suite: () => void): void {
  describeUnless(reasonFor(false), title, suite);
}

export function describeObserved(title: string, suite: () => void): void {
  describeUnless(reasonFor(true), title, suite);
}

/** A folder outside of the temporary folders, which a sandbox replaces. Removed after the test. */
export function ordinaryFolder(later: Finally = onTestFinished): string {
  const parent = join(ROOT, 'node_modules', '.callsign-tests');
  mkdirSync(parent, { recursive: true });
  const folder = realpathSync(mkdtempSync(join(parent, 's-')));
  later(() => removeFolder(folder));
  return folder;
}

export const SCRIPT: string = join(ROOT, 'test', 'e2e', 'sandbox', 'script-child.mjs');
