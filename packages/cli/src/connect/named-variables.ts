/** The variables of a client that its servers may need: `PATH`, and those that the configuration names. */

import { readFileSync } from 'node:fs';

import type { Where } from '../command/shell.js';

const REFERENCE = /\$\{(?:env:)?([A-Za-z_]\w*)(?=\}|:-)/g;
const INHERITED = /"inheritEnv"\s*:\s*(true|\[[^\]]*\])/g;
const NAME = /"([A-Za-z_]\w*)"/g;

/** The gateway reads the file itself. This only finds names in its text, and may find too many. */
export function namedVariables(file: string, env: Where['env']): Record<string, string> {
  const names = new Set(['PATH', 'Path']);
  const text = textOf(file);
  for (const [, name] of text.matchAll(REFERENCE)) names.add(name!);
  for (const [, value] of text.matchAll(INHERITED)) {
    if (value === 'true') for (const name of Object.keys(env)) names.add(name);
    else for (const [, name] of value!.matchAll(NAME)) names.add(name!);
  }
  const found: Record<string, string> = {};
  for (const name of names) if (env[name] !== undefined) found[name] = env[name];
  return found;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
