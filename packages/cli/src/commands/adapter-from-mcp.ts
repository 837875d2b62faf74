/** `callsign adapter from-mcp`: creates an adapter from the tools of a server. */

import { adapterFromMcp } from '@callsign/mcpaql/authoring';

import { finishImport, previousIn, type ImportWords } from '../adapter/imported-adapter.js';
import type { CommandModule } from '../command/command.js';
import { requireConfig } from '../config-file/required-config.js';
import { offeredTools } from '../governed/offered-tools.js';

export const command: CommandModule<ImportWords> = {
  describe(line) {
    line
      .description(
        'Starts a server and creates an adapter from its tools. Guesses are marked for review. ' +
          'A second import into the same file keeps your changes.',
      )
      .argument('<server>', 'its key in the configuration')
      .option('--out <file>', 'the file to write (default: standard output)')
      .option('--name <name>', "the adapter's name")
      .option('--display-name <text>', 'its display name, for the titles of its tools')
      .option('--dry-run', 'show the adapter and write nothing');
  },

  async run(context, { words: [key = ''], options }) {
    const { name } = options;
    const config = await requireConfig(context);
    const [offered] = await offeredTools(context, config, key);
    const tools = (offered?.tools ?? []).map(({ json }) => JSON.parse(json) as unknown);
    const { displayName: own, trust } = config.servers.find(
      (server) => server.key === key,
    )!.settings;
    const result = adapterFromMcp(tools, {
      server: key,
      displayName: options.displayName ?? own,
      trust,
      ...previousIn(context, options),
      ...(name === undefined ? {} : { name }),
    });
    return finishImport(context, result, options);
  },
};
