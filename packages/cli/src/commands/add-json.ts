/** `callsign add-json`: adds a server to the configuration, from JSON. Starts nothing. */

import { readJson, isRecord, type WrittenEntry } from '@callsign/config';

import type { CommandModule } from '../command/command.js';
import { usageFailure } from '../command/failure.js';
import { checkEntry } from '../config-file/check-entry.js';
import { addServer } from '../setup/add-server.js';

interface AddJsonOptions {
  readonly force?: true;
}

export const command: CommandModule<AddJsonOptions> = {
  describe(line) {
    line
      .description('Adds a server from JSON, as its documentation shows it.')
      .argument('<name>', 'its key in the configuration')
      .argument('<json>', 'such as \'{"command": "npx", "args": ["-y", "package"]}\'')
      .option('--force', 'replace an existing server of that name');
  },

  async run(context, { words: [key = '', json = ''], options }) {
    const entry = entryOf(key, json);
    checkEntry(context, entry, (field) =>
      field === '' ? 'The JSON' : `mcpServers.${key}.${field}`,
    );
    return addServer(context, key, entry, options.force === true);
  },
};

/** Accepts the entry, its key with the entry, or a whole `mcpServers` block: people paste all. */
function entryOf(key: string, json: string): WrittenEntry {
  const value = readJson(json);
  if (value === undefined) {
    throw usageFailure(
      'The JSON cannot be read. Put it in single quotes, and its keys in double quotes.',
    );
  }
  const block = isRecord(value) ? (value['mcpServers'] ?? value) : value;
  const entry = isRecord(block) && isRecord(block[key]) ? block[key] : block;
  if (!isRecord(entry)) throw usageFailure('The JSON must be an object with a command or a url.');
  return entry;
}
