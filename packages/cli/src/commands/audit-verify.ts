/** `callsign audit verify`: checks that the journals are unchanged. */

import { resolve } from 'node:path';

import { type Verification, verifyCopy } from '@callsign/audit/query';
import { counted } from '@callsign/terminal';

import { describeLog, openLog, type LogOptions } from '../audit/audit-log.js';
import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { withProgress } from '../command/with-progress.js';

interface VerifyOptions extends LogOptions {
  readonly file?: string;
}

export const command: CommandModule<VerifyOptions> = {
  describe(line) {
    line
      .description(
        'Checks the hash chain of every journal. Finds records that were edited, removed, moved or cut off. ' +
          'Exits with 1 if it finds one.',
      )
      .option('--file <file>', 'an exported copy, instead of the journals');
    describeLog(line);
  },

  async run(context, { options }) {
    const { file } = options;
    return withProgress(context, 'Verifying journals', async (progress) => {
      const onProgress = (records: number): void =>
        progress.update(`Verified ${counted(records, 'record')}`);
      if (file === undefined) {
        const { folder, reader } = await openLog(context, options);
        return tell(context, folder, await reader.verify(onProgress));
      }
      const path = resolve(context.cwd, file);
      return tell(context, path, verified(path, onProgress));
    });
  },
};

const WHY_MORE =
  'There are more records than calls: each journal begins with one, and a call that may change something has two.';

function verified(file: string, onProgress: (records: number) => void): Verification {
  try {
    return verifyCopy(file, onProgress);
  } catch (error) {
    const message = `${file} cannot be read: ${(error as Error).message}.`;
    throw new Failure({ exit: EXIT.usage, code: 'cannot-read', message });
  }
}

function tell(context: Context, place: string, found: Verification): number {
  show(context, place, found);
  const [first] = found.flaws;
  if (found.ok || !first) return EXIT.ok;
  const what = first.flaw === 'differs' ? 'tables' : 'journals';
  const message = `The ${what} in ${place} are damaged or changed, first at ${first.id}: ${first.message}`;
  throw new Failure({ exit: EXIT.usage, code: 'broken-chain', message });
}

function show({ json, out, say }: Context, place: string, found: Verification): void {
  const { ok, journals, records, calls, flaws, notes } = found;
  if (json) {
    out.json({ place, ...found });
    return;
  }
  if (ok) {
    const all = `${counted(records, 'record')} in ${counted(journals, 'journal')}`;
    out.lines(`${place} is intact: ${counted(calls, 'call')}, with ${all}.`);
    if (records > calls) say(WHY_MORE);
  } else {
    out.table(flaws, [
      { title: 'RECORD', text: ({ id }) => id },
      { title: 'FLAW', text: ({ flaw }) => flaw, tint: () => 'bad' },
      { title: 'WHAT', text: ({ message }) => message },
    ]);
  }
  for (const { journal, note, count, message } of notes) {
    say(`${journal}: ${note} (${count}). ${message}`);
  }
}
