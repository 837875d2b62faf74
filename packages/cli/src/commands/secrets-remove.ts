/** `callsign secrets remove`: removes a secret from the keychain or the sealed file. */

import { NoKeychain, secretStore } from '@callsign/gateway/host';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';
import { secretUsers } from '../setup/stored-secrets.js';

export const command: CommandModule = {
  describe(line) {
    line.description('Removes a secret.').argument('<name>', 'its name, as the list shows it');
  },

  async run({ env, file, json, out, say }, { words: [name = ''] }) {
    const store = secretStore(env);
    try {
      if (!(await store.remove(name))) {
        const names = (await store.list()).map((each) => each.name).join(', ') || 'none';
        throw usageFailure(`There is no secret "${name}". Secrets: ${names}.`);
      }
    } catch (error) {
      if (!(error instanceof NoKeychain)) throw error;
      const message = `"${name}" was not removed: ${error.message}.`;
      throw new Failure({ exit: EXIT.unreachable, code: 'no-keychain', message });
    }
    const usedBy = secretUsers(file, name);
    if (json) out.json({ removed: name, usedBy });
    else {
      const missing = usedBy.length === 0 ? '' : ` ${usedBy.join(', ')} cannot start without it.`;
      say(`Removed the secret ${name}.${missing}`);
    }
    return EXIT.ok;
  },
};
