/** `callsign key list`: the API keys of a configuration, in its file and in the shared database. */

import type { Column } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { withKeys } from '../setup/key-places.js';

const SET: Column<{ readonly set?: string }> = { title: 'SET', text: ({ set = '' }) => set };

export const command: CommandModule = {
  describe(line) {
    line.description(
      'Lists the API keys that count: holder, roles, set, access to the console, place.',
    );
  },

  async run(context) {
    const { json, out, say } = context;
    return await withKeys(context, async ({ file, shared }) => {
      const keys = [file, ...(shared ? [shared] : [])].flatMap((store) =>
        store.list().map(({ hash: _hash, ...key }) => ({ ...key, place: store.place })),
      );
      if (json) out.json({ keys });
      else if (keys.length === 0) say('There is no API key. To make one: callsign key add NAME');
      else {
        out.table(keys, [
          { title: 'NAME', text: ({ name }) => name, tint: () => 'name', isWhole: true },
          { title: 'ROLES', text: ({ roles }) => roles.join(', ') },
          ...(keys.some(({ set }) => set !== undefined) ? [SET] : []),
          { title: 'CONSOLE', text: ({ console = '' }) => console },
          { title: 'PLACE', text: ({ place }) => place, isOptional: true },
        ]);
      }
      return EXIT.ok;
    });
  },
};
