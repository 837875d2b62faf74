/** Checks a server that was typed on the command line, before it is written. */

import type { WrittenEntry } from '@callsign/config';
import { addedProblems } from '@callsign/gateway/host';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';

/** Says where a field comes from. `field` is its path in the entry, such as `headers.Accept`. */
export type NameField = (field: string) => string;

/** Throws the first problem, without the place in the file: the file does not have the entry yet. */
export function checkEntry({ env }: Context, entry: WrittenEntry, nameOf: NameField): void {
  const text = JSON.stringify({ mcpServers: { server: entry } });
  const [problem] = addedProblems('', text, { file: '', env }).broken;
  if (!problem) return;
  const field = problem.path.replace(/^mcpServers\.server\.?/, '');
  const message = `${nameOf(field)} ${problem.message}: ${problem.advice}`;
  throw new Failure({ exit: EXIT.config, code: 'invalid-config', message });
}
