/** `callsign sandbox suggest`: finds out which files and hosts a server needs, and proposes a sandbox. */

import { withValue } from '@callsign/config';
import { counted, onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { editConfig, entriesIn, requireEntry, unknownServer } from '../config-file/config-text.js';
import { requireConfig } from '../config-file/required-config.js';
import { notStarted } from '../fleet/not-started.js';
import { requireObservable } from '../observed/observed-run.js';
import { suggestSandbox } from '../observed/suggestion.js';

interface SuggestOptions {
  readonly startOnly?: true;
  readonly write?: true;
}

export const command: CommandModule<SuggestOptions> = {
  describe(line) {
    line
      .description(
        'Starts a local server in a sandbox under observation, sees which files and hosts it needs, and ' +
          'proposes the setting "sandbox". Tools that are said to read are called with made-up arguments; ' +
          'none of these calls reaches a host. Needs Linux, bubblewrap and strace.',
      )
      .argument('<server>', 'its key in the configuration')
      .option('--start-only', 'call no tools')
      .option('--write', 'write the setting into the configuration');
  },

  async run(context, { words: [key = ''], options: { startOnly, write } }) {
    const { file, json, out, say } = context;
    const config = await requireConfig(context);
    const found = config.servers.find((server) => server.key === key);
    if (!found) throw unknownServer(key, config.servers);
    const server = requireObservable(found);
    const suggestion = await suggestSandbox(context, config, server, !startOnly);
    const { failure, notes, tools, called } = suggestion;
    if (failure !== undefined) {
      for (const note of notes) context.stderr.log('warning', note);
      throw notStarted(key, failure);
    }
    const sandbox = shortened(suggestion.sandbox!);
    if (write) {
      await editConfig(context, (text) => {
        requireEntry(entriesIn(text, file), key);
        return withValue(text, ['callsign', 'servers', key, 'sandbox'], sandbox);
      });
    }
    if (json) {
      out.json({ server: key, sandbox, notes, tools, called, written: write ? file : null });
      return EXIT.ok;
    }
    out.lines(JSON.stringify({ callsign: { servers: { [key]: { sandbox } } } }, null, 2));
    for (const note of notes) out.lines(onOneLine(note));
    const place = write
      ? `Written to ${file}.`
      : `To use it: callsign sandbox suggest ${key} --write`;
    say(`${counted(tools, 'tool')} listed, ${called} called. ${place}`);
    return EXIT.ok;
  },
};

/** Without empty lists. */
function shortened({
  files,
  network,
}: NonNullable<Awaited<ReturnType<typeof suggestSandbox>>['sandbox']>): object {
  if (files === undefined || files === 'read-only') return { ...(files ? { files } : {}), network };
  const lists = Object.entries(files).filter(([, list]) => list.length > 0);
  return { files: Object.fromEntries(lists), network };
}
