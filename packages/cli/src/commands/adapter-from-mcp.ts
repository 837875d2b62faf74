/** `callsign adapter from-mcp`: makes an adapter of the tools of a server. */

import { adapterFromMcp } from '@callsign/mcpaql-authoring';

import { finishImport, previousIn, type ImportWords } from '../adapter/imported-adapter.js';
import { requireConfig, type CommandModule } from '@callsign/command';
import { offeredTools } from '../governed/offered-tools.js';

export const command: CommandModule<ImportWords> = {
  describe(line) {
    line
      .description(
        'Starts a server and makes an adapter of its tools. What is guessed is marked for review; ' +
          'a second import into the same file keeps what people wrote there.',
      )
      .argument('<server>', 'its key in the configuration')
      .option('--out <file>', 'where to write it; standard output if absent')
      .option('--name <name>', "the adapter's name")
      .option('--display-name <text>', "the adapter's name for people, in the titles of its tools")
      .option('--dry-run', 'write nothing, and show the adapter');
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
      ...previousIn(options),
      ...(name === undefined ? {} : { name }),
    });
    return finishImport(context, result, options);
  },
};
