/** `callsign completion`: prints a script that completes commands, servers and tools. */

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { SCRIPTS } from '../completion/scripts.js';

export const command: CommandModule = {
  describe(line) {
    line
      .description(
        'Prints a completion script. In bash: eval "$(callsign completion bash)". In zsh, the same with zsh. ' +
          'In fish: callsign completion fish | source',
      )
      .argument('<shell>', [...SCRIPTS.keys()].join(', '));
  },

  async run({ out }, { words: [shell = ''] }) {
    const script = SCRIPTS.get(shell);
    if (script === undefined) {
      throw usageFailure(`There is no completion for "${shell}", only for bash, zsh and fish.`);
    }
    out.lines(script.trimEnd());
    return EXIT.ok;
  },
};
