/** `callsign __complete`: answers the completion scripts. People never type it. */

import type { CommandModule } from '@callsign/command';
import { complete } from '../completion/complete.js';
import { EXIT } from '@callsign/command/exit-code';

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
