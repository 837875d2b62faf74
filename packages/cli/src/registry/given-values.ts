/** The values that a server asks for: from the command line, from a person, or its own defaults. */

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import { expandVariables, literalText, secretsIn } from '@callsign/config';
import { isSecretSetting, isSecretValue } from '@callsign/core/secrets';
import { LONGEST_SECRET } from '@callsign/gateway/host';
import { askSecret, askSomeOfMany, askText, askWhich } from '@callsign/terminal';

import type { Context } from '../command/command.js';
import { usageFailure } from '../command/failure.js';
import { freeName } from '../setup/stored-secrets.js';
import type { Asked } from './registry-server.js';

/** Values by name, as the entry has them. */
export interface GivenValues {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** What goes into the keychain when the server is added, by the name of the secret. */
  readonly secrets: ReadonlyMap<string, string>;
}

export interface GivenOptions {
  /** The key of the server. */
  readonly key: string;
  /** The name in the registry, for messages. */
  readonly server: string;
  /** From the command line. References to variables and secrets are kept. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** Names of secrets that exist. */
  readonly taken: Iterable<string>;
}

/** Asks a person for what is missing. Without one, fails and names everything that is missing. */
export async function givenValues(
  context: Context,
  asked: readonly Asked[],
  { key, server, given, taken }: GivenOptions,
): Promise<GivenValues> {
  const texts = new Map<string, readonly string[]>();
  const secrets = new Map<string, string>();
  const names = new Set(taken);
  const fillIn = (each: Asked, written: readonly string[]): void => {
    const replaced = written.map((text) => {
      const plain = plainText(text);
      if (plain === undefined || !isSecret(each, plain)) return text;
      const name = freeName(`${key}.${each.name}`, names);
      secrets.set(name, plain);
      return `\${keychain:${name}}`;
    });
    texts.set(each.name, replaced);
  };
  const open: Asked[] = [];
  for (const each of asked) {
    const written = given.get(each.name);
    if (written !== undefined) {
      for (const text of written) checkGiven(each, text);
      fillIn(
        each,
        written.map((text) => placed(each, text, context)),
      );
    } else if (each.fallback !== undefined) texts.set(each.name, [each.fallback]);
    else open.push(each);
  }
  const needed = open.filter(({ isRequired }) => isRequired);
  if (!context.isInteractive) {
    if (needed.length > 0) throw usageFailure(missingText(server, needed));
    return { texts, secrets };
  }
  const ask = async (each: Asked): Promise<void> => {
    const typed = await askFor(each);
    if (typed !== '') fillIn(each, [placed(each, literalText(typed), context)]);
    else if (each.isRequired) throw usageFailure(missingText(server, [each]));
  };
  for (const each of needed) await ask(each);
  for (const each of await chosenFrom(open.filter(({ isRequired }) => !isRequired)))
    await ask(each);
  return { texts, secrets };
}

async function chosenFrom(optional: readonly Asked[]): Promise<readonly Asked[]> {
  if (optional.length === 0) return [];
  const choices = optional.map(({ name, description }) => ({
    value: name,
    label: description === '' ? name : `${name}: ${description}`,
  }));
  const chosen = await askSomeOfMany(
    'Which of its other settings do you want to fill in?',
    choices,
  );
  return optional.filter(({ name }) => chosen.includes(name));
}

async function askFor(each: Asked): Promise<string> {
  const question = each.description === '' ? each.name : `${each.name}: ${each.description}`;
  if (each.choices.length > 0) {
    return askWhich(
      question,
      each.choices.map((value) => ({ value, label: value })),
    );
  }
  if (each.isSecret || isSecretSetting(each.name)) return askSecret(question);
  return askText(question, (typed) => (typed === '' ? undefined : problemOf(each, typed)));
}

/** Says which are secrets: those can be stored first, so that no value is a word of the command line. */
function missingText(server: string, needed: readonly Asked[]): string {
  const lines = needed.map(({ name, description, isSecret: hidden, choices }) => {
    const notes = [description, hidden ? 'a secret' : '', choices.join(' or ')].filter(Boolean);
    return `  ${name}${notes.length > 0 ? `: ${notes.join('; ')}` : ''}`;
  });
  const advice =
    'Give each with --value NAME=VALUE. For a secret, first run callsign secrets set NAME';
  const how = `${advice}, and write --value 'NAME=\${keychain:NAME}'.`;
  return [`${server} needs values:`, ...lines, how].join('\n');
}

function checkGiven(each: Asked, text: string): void {
  const plain = plainText(text);
  const problem = plain === undefined ? undefined : problemOf(each, plain);
  if (problem !== undefined) throw usageFailure(`--value ${each.name}: ${problem}`);
}

function problemOf({ format, choices, isSecret: hidden }: Asked, text: string): string | undefined {
  if (choices.length > 0 && !choices.includes(text)) return `it must be ${choices.join(' or ')}.`;
  if (format === 'number' && !Number.isFinite(Number(text))) return 'it must be a number.';
  if (format === 'boolean' && !/^(?:true|false)$/.test(text)) return 'it must be true or false.';
  if (/[\p{Cc}]/u.test(text)) return 'it must have no control characters.';
  if (hidden && Buffer.byteLength(text) > LONGEST_SECRET)
    return `it is longer than a secret may be.`;
  return undefined;
}

/** A path begins where the person is, not where the server runs. */
function placed({ format }: Asked, text: string, { cwd, env }: Context): string {
  const plain = plainText(text);
  if (format !== 'filepath' || plain === undefined || plain === '') return text;
  const home = env['HOME'] ?? homedir();
  const path = /^~(?=$|[/\\])/.test(plain) ? join(home, plain.slice(1)) : resolve(cwd, plain);
  return literalText(path);
}

/** `undefined`: it refers to a variable or a secret. */
function plainText(written: string): string | undefined {
  let isPlain = secretsIn(written).length === 0;
  const onValue = (): void => void (isPlain = false);
  const { text, faults } = expandVariables(written, {}, { onValue });
  return isPlain && faults.length === 0 ? text : undefined;
}

function isSecret({ name, isSecret: hidden }: Asked, value: string): boolean {
  if (value === '' || Buffer.byteLength(value) > LONGEST_SECRET) return false;
  return hidden || isSecretValue(value) || (isSecretSetting(name) && value.length >= 8);
}
