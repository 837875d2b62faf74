/** `callsign trust`: sets how far the claims of a server are believed. */

import { withValue } from '@callsign/config';
import { TRUSTS, type Trust } from '@callsign/effects';
import { onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { editConfig, entriesIn, requireEntry } from '../config-file/config-text.js';

const MEANINGS: Readonly<Record<Trust, string>> = {
  checked: 'its claims count unless a tool itself contradicts them',
  full: 'its claims count without a check',
  none: 'its claims count only where they raise the risk',
};

export const command: CommandModule = {
  describe(line) {
    line
      .description(
        'Sets how far the claims of a server are believed: checked (unless a tool contradicts them), ' +
          'full (without a check) or none (only where they raise the risk).',
      )
      .argument('<server>', 'its key in the configuration')
      .argument('<trust>', TRUSTS.join(', '));
  },

  async run(context, { words: [server = '', word = ''] }) {
    const { file, json, out, say } = context;
    const trust = TRUSTS.find((each) => each === word);
    if (trust === undefined) {
      throw usageFailure(`Trust is ${TRUSTS.join(', ')}, not "${word}".`);
    }
    await editConfig(context, (text) => {
      requireEntry(entriesIn(text, file), server);
      return withValue(text, ['callsign', 'servers', server, 'trust'], trust);
    });
    if (json) out.json({ file, server, trust });
    else say(`${onOneLine(server)} has trust "${trust}" in ${file}: ${MEANINGS[trust]}.`);
    return EXIT.ok;
  },
};
