/** `callsign adapter validate`: checks adapters. Starts nothing. */

import type { Adapter } from '@callsign/mcpaql';
import { counted, onOneLine } from '@callsign/terminal';

import { requireAdapters } from '../adapter/require-adapter.js';
import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';

export const command: CommandModule = {
  describe(line) {
    line
      .description('Checks adapters and says what to correct. Starts nothing.')
      .argument('<files...>', 'adapters: Markdown with front matter, YAML or JSON');
  },

  async run(context, { words }) {
    const { json, out, say } = context;
    const adapters = await requireAdapters(words, context);
    if (json) out.json({ valid: true, adapters: adapters.map(summaryOf) });
    for (const adapter of json ? [] : adapters) {
      const { file, name, operations } = summaryOf(adapter);
      say(`${onOneLine(file)} is valid: ${name}, ${counted(operations, 'operation')}.`);
    }
    return EXIT.ok;
  },
};

function summaryOf({ file, name, displayName, version, target, operations }: Adapter) {
  const { transport } = target;
  return { file, name, displayName, version, transport, operations: operations.size };
}
