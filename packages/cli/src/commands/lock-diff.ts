/** `callsign lock diff`: shows what has changed in tools since they were accepted. */

import { judgedName } from '@callsign/governance';
import { onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { requireConfig } from '../config-file/required-config.js';
import { judgedTools, STANDING_TINTS, toolOf, type JudgedTool } from '../governed/lock-file.js';

export const command: CommandModule = {
  describe(line) {
    line
      .description(
        'Starts the servers and shows what has changed in their tools since they were accepted. ' +
          'To accept it: callsign lock accept SERVER',
      )
      .argument('[server]', 'only this server');
  },

  async run(context, { words: [server] }) {
    const { json, out, say } = context;
    const judged = await judgedTools(context, await requireConfig(context), server);
    const changed = judged.filter(({ standing }) => standing.is !== 'accepted');
    if (json) {
      const tools = changed.map(({ server: key, tool, standing }) => ({
        tool: toolOf(tool),
        server: key,
        standing: standing.is,
        difference: differenceIn({ standing }),
      }));
      out.json({ tools });
    } else if (changed.length === 0) say('No tool has changed since it was accepted.');
    else {
      const { paint } = out;
      const lines = changed.flatMap(({ server: key, tool, standing }) => [
        `${paint(STANDING_TINTS[standing.is], standing.is)} ${paint('name', onOneLine(judgedName(key, tool)))}`,
        ...differenceIn({ standing }).map((each) => `  ${onOneLine(each)}`),
      ]);
      out.lines(...lines);
    }
    return EXIT.ok;
  },
};

function differenceIn({ standing }: Pick<JudgedTool, 'standing'>): readonly string[] {
  return standing.is === 'changed' ? standing.difference : [];
}
