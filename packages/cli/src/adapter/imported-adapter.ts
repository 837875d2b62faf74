/** Shows or writes an imported adapter, with everything that a person should review. */

import { resolve } from 'node:path';

import type { Finding, FindingKind, ImportResult } from '@callsign/mcpaql/authoring';
import { counted, onOneLine, printable } from '@callsign/terminal';

import { readText, replaceText } from '../clients/files/text-file.js';
import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';

export interface ImportWords {
  readonly out?: string;
  readonly name?: string;
  readonly displayName?: string;
  readonly dryRun?: true;
}

const WORDS: Readonly<Record<FindingKind, string>> = {
  guess: 'guessed',
  'left-out': 'left out',
  kept: 'kept',
  removed: 'removed',
  failed: 'failed',
};

/** The adapter of an earlier import into the same file, with the changes of people. */
export function previousIn({ cwd }: Context, { out }: ImportWords): { readonly previous?: string } {
  const previous = out === undefined ? undefined : readText(resolve(cwd, out));
  return previous === undefined ? {} : { previous };
}

/** Without a file to write, and in a dry run, the adapter goes to standard output. */
export function finishImport(context: Context, result: ImportResult, words: ImportWords): number {
  const { cwd, json, out, say } = context;
  const { findings, operations } = result.report;
  if (!result.ok) throw failedImport(findings);
  const { adapter } = result;
  const file = words.out === undefined ? undefined : resolve(cwd, words.out);
  const isWritten = file !== undefined && words.dryRun !== true;
  if (isWritten) replaceText(file, adapter);
  if (json) {
    out.json({ file: file ?? null, written: isWritten, adapter, operations, findings });
    return EXIT.ok;
  }
  // A file gets the exact text. A terminal gets no control characters.
  if (!isWritten) out.lines((out.width === Infinity ? adapter : printable(adapter)).trimEnd());
  for (const finding of findings) say(findingLine(finding));
  const many = counted(operations.length, 'operation');
  const where = isWritten ? ` into ${file}` : '';
  say(`Imported ${many}${where}. Notes to read: ${findings.length}.`);
  if (isWritten)
    say(`To review it, so that its operations can be called: callsign adapter review ${words.out}`);
  return EXIT.ok;
}

function findingLine({ kind, pointer, message }: Finding): string {
  return `${WORDS[kind]} ${onOneLine(pointer)}: ${onOneLine(message)}`;
}

function failedImport(findings: readonly Finding[]): Failure {
  const failed = findings.filter(({ kind }) => kind === 'failed');
  const sentences = (failed.length === 0 ? findings : failed).map(({ message }) => message);
  const message = ['Nothing could be imported.', ...sentences].join('\n');
  return new Failure({ exit: EXIT.config, code: 'not-imported', message });
}
