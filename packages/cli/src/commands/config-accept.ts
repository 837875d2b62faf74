/** `callsign config accept`: accepts a callsign.json that was found in the current folder. */

import { homeIn, stateFolder, writeAdvice } from '@callsign/config';

import { readBytes, textOf } from '../clients/files/text-file.js';
import { acceptConfig, isAccepted } from '../command/accepted-configs.js';
import type { CommandModule } from '../command/command.js';
import { configPath } from '../command/config-path.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { reachLines, reachOf } from '../config-file/config-starts.js';
import { noConfig } from '../config-file/config-text.js';

export const command: CommandModule = {
  describe(line) {
    line
      .description(
        'Accepts a callsign.json as it is now, so that its servers can be started without --config. ' +
          'Shows what it starts and where its variables go. Starts nothing.',
      )
      .argument('[file]', 'the configuration, instead of --config');
  },

  async run(context, { words: [written] }) {
    const { env, json, out, say } = context;
    const file = written === undefined ? context.file : configPath(written, context);
    // Read once: what is shown is what is accepted.
    const bytes = readBytes(file);
    if (bytes === undefined) throw noConfig(file);
    const reach = reachOf(textOf(file, bytes), file);
    const wasAccepted = isAccepted(file, bytes, env);
    const code = acceptConfig(file, bytes, env);
    if (code !== undefined) {
      const folder = stateFolder(homeIn(env));
      const message = `The acceptance of ${file} cannot be stored in ${folder} (${code}). To correct this, ${writeAdvice(code)}.`;
      throw new Failure({ exit: EXIT.usage, code: 'cannot-write', message });
    }
    if (json) {
      out.json({ file, accepted: true, wasAccepted, ...reach });
      return EXIT.ok;
    }
    out.lines(...reachLines(reach, out.width));
    say(`${file} is accepted as it is now. Accept it again after a change.`);
    say('To make a running gateway read it again: callsign reload');
    return EXIT.ok;
  },
};
