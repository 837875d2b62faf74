/** `callsign key new`: creates an API key for a client. The configuration gets only its hash. */

import { createApiKey } from '@callsign/auth';

import { documentIn, usageFailure, type CommandModule } from '@callsign/command';
import { readText } from '@callsign/clients';
import { isRecord } from '@callsign/config';
import { EXIT } from '@callsign/command/exit-code';

interface KeyOptions {
  readonly roles?: string;
}

export const command: CommandModule<KeyOptions> = {
  describe(line) {
    line
      .description(
        'Creates an API key and prints it once, with the entry for callsign.auth.keys. The entry has ' +
          'only the hash of the key. Writes nothing.',
      )
      .argument('<name>', 'the name of its holder, which records show')
      .option('--roles <roles>', 'roles of its holder, separated by commas');
  },

  async run({ file, json, out, say, stderr }, { words: [name = ''], options }) {
    const roles = rolesIn(options.roles);
    const { keys, roles: described } = accessIn(file);
    if (keys.includes(name)) {
      throw usageFailure(`${file} has a key "${name}" already. Choose another name.`);
    }
    for (const role of roles.filter((each) => !described.includes(each))) {
      stderr.log(
        'warning',
        `${file} describes no role "${role}"; a caller with only this role sees nothing.`,
      );
    }
    const { key, hash } = createApiKey();
    const entry = { name, hash, ...(roles.length === 0 ? {} : { roles }) };
    if (json) {
      out.json({ key, entry });
      return EXIT.ok;
    }
    say(`For the client, as "Authorization: Bearer KEY". It is shown once and not stored:`);
    out.lines(key);
    say(`For ${file}, under callsign.auth.keys:`);
    out.lines(JSON.stringify(entry, null, 2));
    return EXIT.ok;
  },
};

function rolesIn(text = ''): string[] {
  const roles = text.split(',').map((role) => role.trim());
  return [...new Set(roles.filter((role) => role !== ''))];
}

/** The names of keys and roles in the file. The file need not exist. */
function accessIn(file: string): { keys: unknown[]; roles: string[] } {
  const text = readText(file);
  const { callsign } = text === undefined ? {} : documentIn(text, file);
  const { auth, roles } = isRecord(callsign) ? callsign : {};
  const keys = isRecord(auth) && Array.isArray(auth['keys']) ? auth['keys'] : [];
  return {
    keys: keys.map((key) => (isRecord(key) ? key['name'] : undefined)),
    roles: isRecord(roles) ? Object.keys(roles) : [],
  };
}
