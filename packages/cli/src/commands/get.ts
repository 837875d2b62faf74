/** `callsign get`: shows one server as written, with its settings. Starts nothing. */

import { shownAddress, shownEntry, isRecord, summaryOf } from '@callsign/config';
import { onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { documentIn, entriesIn, requireEntry, requireText } from '../config-file/config-text.js';

export const command: CommandModule = {
  describe(line) {
    line
      .description('Shows one server of the configuration. Secrets are hidden. Starts nothing.')
      .argument('<name>', 'its key in the configuration');
  },

  async run({ file, json, out }, { words: [key = ''] }) {
    const text = requireText(file);
    const { entry, isOff } = requireEntry(entriesIn(text, file), key);
    const settings = settingsOf(documentIn(text, file), key);
    const { transport } = summaryOf(entry);
    const shown = shownEntry(entry);
    if (json) {
      out.json({ file, key, transport, enabled: !isOff, entry: shown, settings });
      return EXIT.ok;
    }
    out.lines(out.paint('name', onOneLine(key)));
    out.field('transport', isOff ? `${transport} (off)` : transport);
    out.field(transport === 'stdio' ? 'command' : 'address', shownAddress(entry));
    for (const field of ['cwd', 'env', 'headers'].filter((each) => shown[each] !== undefined)) {
      for (const value of valuesOf(shown[field])) out.field(field, value);
    }
    for (const [name, value] of Object.entries(settings)) out.field(name, textOf(value));
    return EXIT.ok;
  },
};

function settingsOf(document: Readonly<Record<string, unknown>>, key: string): object {
  const { callsign } = document;
  const servers = isRecord(callsign) ? callsign['servers'] : undefined;
  const own = isRecord(servers) && Object.hasOwn(servers, key) ? servers[key] : undefined;
  return isRecord(own) ? own : {};
}

function valuesOf(value: unknown): string[] {
  if (!isRecord(value)) return [String(value)];
  return Object.entries(value).map(([name, each]) => `${name}=${String(each)}`);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
