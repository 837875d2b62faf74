/** `callsign adapter generate`: writes an adapter as a separate TypeScript package. */

import { resolve } from 'node:path';

import { type Adapter } from '@callsign/mcpaql';
import { generateAdapter } from '@callsign/mcpaql/authoring';
import { counted, type Meaning } from '@callsign/terminal';

import { planFiles, writeFiles, type PlannedFile } from '../adapter/generated-folder.js';
import { requireAdapter } from '../adapter/require-adapter.js';
import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';

interface GenerateOptions {
  readonly out: string;
  readonly force?: true;
  readonly dryRun?: true;
}

const TINTS: Readonly<Record<PlannedFile['change'], Meaning>> = {
  new: 'good',
  updated: 'warning',
  same: 'aside',
  kept: 'bad',
};

export const command: CommandModule<GenerateOptions> = {
  describe(line) {
    line
      .description(
        'Writes a package that serves the adapter on its own. Generated files are replaced. ' +
          'Files that a person has written or changed are kept, unless --force is given.',
      )
      .argument('<file>', 'the adapter')
      .requiredOption('--out <folder>', 'the folder of the package')
      .option('--force', 'replace files that a person has changed')
      .option('--dry-run', 'show what would be written, and write nothing');
  },

  async run(context, { words: [file = ''], options }) {
    const { json, out, say } = context;
    const folder = resolve(context.cwd, options.out);
    const planned = planFiles(folder, generated(await requireAdapter(file, context)));
    const kept = planned.filter(({ change }) => change === 'kept');
    if (options.dryRun) {
      show(context, folder, planned);
      return EXIT.ok;
    }
    if (kept.length > 0 && !options.force) throw handWritten(folder, kept);
    writeFiles(folder, planned);
    const written = planned.filter(({ change }) => change !== 'same');
    if (json) out.json({ folder, files: planned.map(changeOf) });
    else {
      say(`Wrote ${counted(written.length, 'file')} of ${planned.length} into ${folder}.`);
      say('To try it, run there: npm install, npm test, npm start');
    }
    return EXIT.ok;
  },
};

function generated(adapter: Adapter): ReadonlyMap<string, string> {
  try {
    return generateAdapter(adapter);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { message } = error;
    throw new Failure({ exit: EXIT.usage, code: 'not-generated', message });
  }
}

function show({ json, out }: Context, folder: string, planned: readonly PlannedFile[]): void {
  if (json) {
    out.json({ folder, dryRun: true, files: planned.map(changeOf) });
    return;
  }
  out.table(planned, [
    { title: 'CHANGE', text: ({ change }) => change, tint: ({ change }) => TINTS[change] },
    { title: 'FILE', text: ({ path }) => path },
    { title: 'SIZE', text: ({ text }) => String(Buffer.byteLength(text)) },
  ]);
}

function changeOf({ path, change }: PlannedFile): object {
  return { path, change };
}

function handWritten(folder: string, kept: readonly PlannedFile[]): Failure {
  const paths = kept.map(({ path }) => path).join(', ');
  const message =
    `Nothing was written: a person has changed files in ${folder}: ${paths}. ` +
    'Choose another folder, or overwrite them with --force.';
  return new Failure({ exit: EXIT.usage, code: 'would-overwrite', message });
}
