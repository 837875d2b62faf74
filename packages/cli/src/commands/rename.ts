/** `callsign rename`: gives a server another key. Its old names stay callable. */

import { renameServer } from '@callsign/config';
import { configuredKeyProblem } from '@callsign/naming';
import { onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';
import { editConfig, entriesIn, requireEntry, requireText } from '../config-file/config-text.js';
import { copyAccepted } from '../governed/lock-file.js';

export const command: CommandModule = {
  describe(line) {
    line
      .description('Gives a server another key. Its old names stay callable.')
      .argument('<old>', 'its current key')
      .argument('<new>', 'its new key');
  },

  async run(context, { words: [oldKey = '', newKey = ''] }) {
    const { file, json, out, say } = context;
    const wrongKey = configuredKeyProblem(newKey);
    if (wrongKey !== undefined) throw usageFailure(wrongKey);
    const renamed = (text: string): string => {
      const entries = entriesIn(text, file);
      requireEntry(entries, oldKey);
      if (entries.some(({ key }) => key === newKey)) {
        const message = `There is already a server "${newKey}". Choose another key.`;
        throw new Failure({ exit: EXIT.usage, code: 'server-exists', message });
      }
      return renameServer(text, oldKey, newKey);
    };
    // Fails before anything is written.
    renamed(requireText(file));
    await copyAccepted(context, oldKey, newKey);
    await editConfig(context, renamed);
    if (json) out.json({ file, renamed: { from: oldKey, to: newKey } });
    else {
      const [from, to] = [onOneLine(oldKey), onOneLine(newKey)];
      say(`Renamed ${from} to ${to} in ${file}. Calls of ${from}:… still work.`);
    }
    return EXIT.ok;
  },
};
