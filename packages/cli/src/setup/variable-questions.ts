/** Asks about variables that servers need and that are not set. */

import { literalText, type WrittenEntry } from '@callsign/config';
import { expandVariables, type Environment } from '@callsign/gateway/host';
import { askSecret, askWhich } from '@callsign/terminal';

import { mapTexts } from '../clients/apps/entry-texts.js';
import type { PlannedServer } from '../clients/import/import-plan.js';
import type { Context } from '../command/command.js';

/** Returns the servers with the answers filled in, without those that the person left out. */
export async function askAboutVariables(
  { file, env }: Context,
  servers: readonly PlannedServer[],
): Promise<PlannedServer[]> {
  let now = [...servers];
  for (const name of unsetIn(now, env)) {
    const needy = now.filter((server) => unsetIn([server], env).includes(name));
    if (needy.length === 0) continue;
    const keys = needy.map(({ key }) => key).join(', ');
    const answer = await askWhich(`${name} is not set, and ${keys} needs it.`, [
      {
        value: 'later',
        label: 'Keep the reference. I will set the variable where Callsign starts.',
      },
      {
        value: 'now',
        label: `Type its value now. It is stored in ${file}, or in your keychain if it is a token.`,
      },
      { value: 'out', label: `Leave out ${keys}.` },
    ]);
    if (answer === 'out') now = now.filter((server) => !needy.includes(server));
    if (answer !== 'now') continue;
    const value = await askSecret(`The value of ${name}:`);
    now = now.map((server) =>
      needy.includes(server)
        ? { ...server, entry: withVariable(server.entry ?? {}, name, value) }
        : server,
    );
  }
  return now;
}

function unsetIn(servers: readonly PlannedServer[], env: Environment): string[] {
  const texts = servers.flatMap(({ entry }) => textsIn(entry ?? {}));
  const faults = texts.flatMap((text) => expandVariables(text, env).faults);
  return [...new Set(faults.flatMap(({ kind, name }) => (kind === 'missing' ? name : [])))];
}

/**
 * A copy of the entry with the value in place of `${NAME}`, `${env:NAME}` and `$NAME`. A default
 * such as `${NAME:-text}` is replaced too.
 */
export function withVariable(entry: WrittenEntry, name: string, value: string): WrittenEntry {
  const word = name.replace(/[^\w]/g, '\\$&');
  const reference = new RegExp(
    `(?<!\\$)\\$(?:\\{(?:env:)?${word}(?::-[^}]*)?\\}|${word}(?![A-Za-z0-9_]))`,
    'g',
  );
  const text = literalText(value);
  return mapTexts(entry, (each) => each.replace(reference, () => text)) as WrittenEntry;
}

/** Every text in an entry. */
export function textsIn(entry: WrittenEntry): string[] {
  const texts: string[] = [];
  mapTexts(entry, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}
