/** Enables or disables a server of the configuration. Its entry and all comments stay. */

import { withSwitch } from '@callsign/config';
import { onOneLine } from '@callsign/terminal';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { editConfig, entriesIn, requireEntry } from './config-text.js';

export async function switchServer(context: Context, key: string, isOn: boolean): Promise<number> {
  const { file, json, out, say } = context;
  const isChanged = await editConfig(context, (text) =>
    withSwitch(text, requireEntry(entriesIn(text, file), key), isOn),
  );
  const word = isOn ? 'enabled' : 'disabled';
  if (json) out.json({ file, server: key, enabled: isOn, changed: isChanged });
  else if (isChanged) say(`${onOneLine(key)} is ${word} in ${file}. A running gateway applies it.`);
  else say(`${onOneLine(key)} is already ${word}.`);
  return EXIT.ok;
}
