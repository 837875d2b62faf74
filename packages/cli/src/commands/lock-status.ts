/** `callsign lock status`: shows which tools are unchanged since they were accepted. */

import { judgedName } from '@callsign/governance';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { requireConfig } from '../config-file/required-config.js';
import { judgedTools, sayIfOff, STANDING_TINTS, toolOf } from '../governed/lock-file.js';

export const command: CommandModule = {
  describe(line) {
    line
      .description(
        'Starts the servers and shows which of their tools are unchanged since they were accepted. ' +
          'To see the changes: callsign lock diff',
      )
      .argument('[server]', 'only this server');
  },

  async run(context, { words: [server] }) {
    const { json, out, say } = context;
    const config = await requireConfig(context);
    const judged = await judgedTools(context, config, server);
    if (json) {
      const tools = judged.map(({ server: key, tool, standing }) => {
        return { server: key, tool: toolOf(tool), standing: standing.is };
      });
      out.json({ lock: config.settings.lock, tools });
      return EXIT.ok;
    }
    if (judged.length === 0) say('No server offers a tool.');
    else {
      out.table(judged, [
        {
          title: 'TOOL',
          text: ({ server: key, tool }) => judgedName(key, tool),
          tint: () => 'name',
        },
        {
          title: 'STATE',
          text: ({ standing }) => standing.is,
          tint: ({ standing }) => STANDING_TINTS[standing.is],
        },
      ]);
    }
    sayIfOff(config, context);
    return EXIT.ok;
  },
};
