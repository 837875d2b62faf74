/** `callsign audit verify`: whether the audit log is whole, and where it is not. */

import type { Verification } from '@callsign/audit/query';

import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { describeLog, openLog, type LogOptions } from '../governed/audit-log.js';
import { counted } from '@callsign/terminal';

export const command: CommandModule<LogOptions> = {
  describe(line) {
    line.description(
      'Goes over the chain of all records and finds any edit, gap or truncation. ' +
        'Exits with 1 if there is one.',
    );
    describeLog(line);
  },

  async run(context, { options }) {
    const { file, reader } = await openLog(context, options);
    const progress = context.wait('Verifying the audit log');
    const found = await reader
      .verify((records) => progress.update(`Verified ${counted(records, 'record')}`))
      .finally(() => progress.end());
    show(context, file, found);
    const [first] = found.flaws;
    if (found.ok || !first) return EXIT.ok;
    const message = `The chain of ${file} is broken, first at record ${first.seq}: ${first.message}`;
    throw new Failure({ exit: EXIT.usage, code: 'broken-chain', message });
  },
};

function show({ json, out, say }: Context, file: string, found: Verification): void {
  const { ok, records, first, head, lost, flaws } = found;
  if (json) {
    out.json({ file, ...found });
    return;
  }
  if (!ok) {
    out.table(flaws, [
      { title: 'SEQ', text: ({ seq }) => String(seq) },
      { title: 'FLAW', text: ({ flaw }) => flaw, tint: () => 'bad' },
      { title: 'WHAT', text: ({ message }) => message },
    ]);
    return;
  }
  const where = first === undefined ? '' : `, ${first} to ${head.seq}`;
  out.lines(`${file} is whole: ${counted(records, 'record')}${where}.`);
  if (lost > 0) say(`${counted(lost, 'call')} could not be recorded, by the log's own word.`);
}
