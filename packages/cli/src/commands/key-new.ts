/** `callsign key new`: creates an API key for a client. The configuration gets only its hash. */

import { isRecord } from '@callsign/config';

import { readText } from '../clients/files/text-file.js';
import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { documentIn } from '../config-file/config-text.js';
import { setProblem } from '../config-file/set-problem.js';
import { newKey, type NewKeyOptions } from '../setup/new-key.js';

export const command: CommandModule<NewKeyOptions> = {
  describe(line) {
    line
      .description(
        'Creates an API key and prints it once, with the entry for callsign.auth.keys. The entry has ' +
          'only the hash of the key. Writes nothing; "callsign key add" does.',
      )
      .argument('<name>', 'the name of its holder; records show it as key:NAME')
      .option('--roles <roles>', 'roles of its holder, separated by commas')
      .option('--set <name>', 'the set that its holder gets at every address');
  },

  async run(context, { words: [name = ''], options }) {
    const { file, json, out, say } = context;
    const { keys, roles: described, sets } = accessIn(file);
    if (keys.includes(name)) {
      throw usageFailure(`${file} already has a key "${name}". Choose another name.`);
    }
    const unknown = setProblem(options.set, { settings: { sets } });
    if (unknown !== undefined) throw usageFailure(unknown);
    const made = newKey(context, name, options, described);
    const { roles, ...rest } = made.entry;
    const entry = roles.length === 0 ? rest : { ...rest, roles };
    if (json) {
      out.json({ key: made.key, entry });
      return EXIT.ok;
    }
    say(`For the client, as "Authorization: Bearer KEY". It is shown once and not stored:`);
    out.lines(made.key);
    say(`For ${file}, under callsign.auth.keys:`);
    out.lines(JSON.stringify(entry, null, 2));
    return EXIT.ok;
  },
};

/** The names of keys and roles in the file, and its sets. The file need not exist. */
function accessIn(file: string): { keys: unknown[]; roles: string[] | undefined; sets: object } {
  const text = readText(file);
  const { callsign } = text === undefined ? {} : documentIn(text, file);
  const { auth, roles, sets } = isRecord(callsign) ? callsign : {};
  const keys = isRecord(auth) && Array.isArray(auth['keys']) ? auth['keys'] : [];
  return {
    keys: keys.map((key) => (isRecord(key) ? key['name'] : undefined)),
    roles: isRecord(roles) ? Object.keys(roles) : undefined,
    sets: isRecord(sets) ? sets : {},
  };
}
