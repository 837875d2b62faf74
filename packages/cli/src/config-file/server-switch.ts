/** Enables or disables a server of the configuration. Its entry and all comments stay. */

import { withSwitch } from '@callsign/config';
import { onOneLine } from '@callsign/terminal';

import { entriesIn, requireEntry, requireText, saveText, type Context } from '@callsign/command';
import { EXIT } from '@callsign/command/exit-code';

export function switchServer(context: Context, key: string, isOn: boolean): number {
  const { file, json, out, say } = context;
  const before = requireText(file);
  const after = withSwitch(before, requireEntry(entriesIn(before, file), key), isOn);
  const isChanged = after !== before;
  if (isChanged) saveText(context, before, after);
  const word = isOn ? 'enabled' : 'disabled';
  if (json) out.json({ file, server: key, enabled: isOn, changed: isChanged });
  else if (isChanged) say(`${onOneLine(key)} is ${word} in ${file}. A running gateway applies it.`);
  else say(`${onOneLine(key)} is already ${word}.`);
  return EXIT.ok;
}
