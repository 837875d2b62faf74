/** `callsign remove`: removes a server from the configuration. */

import { withoutValue, isRecord } from '@callsign/config';
import { onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { documentIn, editConfig, entriesIn, requireEntry } from '../config-file/config-text.js';

export const command: CommandModule = {
  describe(line) {
    line
      .description('Removes a server from the configuration, with its settings.')
      .argument('<name>', 'its key in the configuration');
  },

  async run(context, { words: [key = ''] }) {
    const { file, json, out, say } = context;
    await editConfig(context, (text) => {
      const { section } = requireEntry(entriesIn(text, file), key);
      return withoutSettings(withoutValue(text, [section, key]), file, key);
    });
    if (json) out.json({ file, removed: key });
    else say(`Removed ${onOneLine(key)} from ${file}.`);
    return EXIT.ok;
  },
};

/** Removes settings, old keys and aliases of the server too: without it, they would be errors. */
function withoutSettings(text: string, file: string, key: string): string {
  const { callsign } = documentIn(text, file);
  if (!isRecord(callsign)) return text;
  const { servers, renamed, aliases } = callsign;
  let after = text;
  if (isRecord(servers) && Object.hasOwn(servers, key)) {
    after = withoutValue(after, ['callsign', 'servers', key]);
  }
  for (const [oldKey, newKey] of Object.entries(isRecord(renamed) ? renamed : {})) {
    if (newKey === key) after = withoutValue(after, ['callsign', 'renamed', oldKey]);
  }
  for (const [alias, target] of Object.entries(isRecord(aliases) ? aliases : {})) {
    const isLost = typeof target === 'string' && target.startsWith(`${key}:`);
    if (isLost) after = withoutValue(after, ['callsign', 'aliases', alias]);
  }
  return after;
}
