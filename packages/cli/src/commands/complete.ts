/** `callsign __complete`: answers the completion scripts. People never type it. */

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { complete } from '../completion/complete.js';

export const command: CommandModule = {
  takesRest: true,

  describe(line) {
    line.description('Answers the completion of a shell.');
  },

  async run(context, { rest = [] }) {
    const candidates = await complete(rest, context);
    if (candidates.length > 0) context.out.lines(...candidates);
    return EXIT.ok;
  },
};
