/** Adds one server to the configuration. */

import { shownAddress, type WrittenEntry } from '@callsign/config';
import { configuredKeyProblem, serverKeyAdvice } from '@callsign/naming';
import { onOneLine } from '@callsign/terminal';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';
import { editConfig, entriesIn, withServer } from '../config-file/config-text.js';
import { warnOfCommands } from './entry-warnings.js';

/** Writes the entry, and warns if its program is missing. `about`: more for `--json`. */
export async function addServer(
  context: Context,
  key: string,
  entry: WrittenEntry,
  mayReplace: boolean,
  about: object = {},
): Promise<number> {
  const { file, json, out, say, stderr } = context;
  let isThere = false;
  const withEntry = (text: string): string => {
    isThere = requireFreeKey(text, file, key, mayReplace);
    return withServer(text, file, key, entry);
  };
  await editConfig(context, withEntry, '');
  if (json) out.json({ file, added: key, ...about });
  else
    say(
      `${isThere ? 'Replaced' : 'Added'} ${onOneLine(key)} in ${file}: ${onOneLine(shownAddress(entry))}`,
    );
  const keyAdvice = serverKeyAdvice(key);
  if (keyAdvice !== undefined) {
    stderr.log('warning', `${onOneLine(keyAdvice)} To rename it: callsign rename OLD NEW`);
  }
  await warnOfCommands(context, { only: key });
  return EXIT.ok;
}

/** Fails if no server can have this key, or one has it already. Returns whether one has it. */
export function requireFreeKey(
  text: string,
  file: string,
  key: string,
  mayReplace: boolean,
): boolean {
  const wrongKey = configuredKeyProblem(key);
  if (wrongKey !== undefined) throw usageFailure(wrongKey);
  const isThere = entriesIn(text, file).some((each) => each.key === key);
  if (!isThere || mayReplace) return isThere;
  const message = `There is already a server "${key}". To replace it, add --force.`;
  throw new Failure({ exit: EXIT.usage, code: 'server-exists', message });
}
