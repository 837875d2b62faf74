/** Moves tokens of imported servers into the keychain, and says where secrets are and who uses them. */

import { existsSync } from 'node:fs';

import { expandVariables, isRecord, secretsIn, type WrittenEntry } from '@callsign/config';
import { isSecretSetting, isSecretValue } from '@callsign/core/secrets';
import { LONGEST_SECRET, secretStore, type SecretStore } from '@callsign/gateway/host';
import { askWhether, onOneLine } from '@callsign/terminal';

import { readText } from '../clients/files/text-file.js';
import type { PlannedServer } from '../clients/import/import-plan.js';
import { backupOf, type InstallPlan } from '../clients/install/client-install.js';
import type { Context } from '../command/command.js';
import { entriesIn } from '../config-file/config-text.js';
import { textsIn } from './variable-questions.js';

type Stored = Awaited<ReturnType<SecretStore['set']>>;

/** The servers of a configuration whose entries name a secret. The file need not exist. */
export function secretUsers(file: string, name: string): string[] {
  const entries = entriesIn(readText(file) ?? '', file);
  return entries
    .filter(({ entry }) => textsIn(entry).flatMap(secretsIn).includes(`keychain:${name}`))
    .map(({ key }) => onOneLine(key));
}

/** Says where secrets are now. Without a keychain, what the sealed file protects from and what not. */
export function sayPlace({ say }: Context, names: readonly string[], stored: Stored): void {
  const what = names.join(', ');
  if (stored.in === 'keychain') return say(`Stored in your keychain: ${what}.`);
  say(
    `Stored in a sealed file, because there is no keychain here (${stored.reason}): ${what}.\n` +
      `The file is ${stored.file}. Its key lies beside it, and both are for your user only: ` +
      'a program that runs as you can read them.',
  );
}

/** A value of an entry that looks like a secret and is written in plain text. */
interface PlainSecret {
  readonly key: string;
  readonly field: 'env' | 'headers';
  readonly name: string;
  /** Before the secret, such as "Bearer ". */
  readonly scheme: string;
  readonly value: string;
}

/**
 * Asks whether tokens in plain text should go into the keychain, and returns the servers with references to them.
 * `isSure`: without asking.
 */
export async function movePlainSecrets(
  context: Context,
  servers: readonly PlannedServer[],
  isSure: boolean,
): Promise<readonly PlannedServer[]> {
  const found = servers.flatMap(({ key, entry }) => plainSecrets(key, entry ?? {}));
  if (found.length === 0) return servers;
  const names = found.map(({ key, name }) => `${key} ${name}`).map(onOneLine);
  const question = `Your servers have tokens in plain text: ${names.join(', ')}. Keep them in your keychain, and not in ${context.file}?`;
  if (!isSure && !(await askWhether(question))) return servers;
  const store = secretStore(context.env);
  const taken = new Set((await store.list()).map(({ name }) => name));
  let now = [...servers];
  const stored: { name: string; place: Stored }[] = [];
  for (const secret of found) {
    const name = freeName(`${secret.key}.${secret.name}`, taken);
    stored.push({ name, place: await store.set(name, secret.value) });
    now = now.map((server) =>
      server.key === secret.key
        ? { ...server, entry: withReference(server.entry ?? {}, secret, name) }
        : server,
    );
  }
  const last = stored.at(-1)!;
  sayPlace(
    context,
    stored.map(({ name }) => name),
    last.place,
  );
  return now;
}

/** Which servers left the file of a client. */
interface Moves extends Pick<InstallPlan, 'installation'> {
  readonly moved: readonly string[];
}

/** The files with tokens in plain text of these servers: those of clients, and their copies. */
export function tokenFiles(
  servers: readonly PlannedServer[],
  installs: readonly Moves[],
): string[] {
  const files = servers.flatMap(({ key, entry, server }) => {
    if (plainSecrets(key, entry ?? {}).length === 0) return [];
    const { file } = server;
    const isMoved = installs.some(
      ({ installation, moved }) => installation.file === file && moved.includes(server.key),
    );
    const copy = backupOf(file);
    return [...(isMoved ? [] : [file]), ...(existsSync(copy) ? [copy] : [])];
  });
  return [...new Set(files)];
}

function plainSecrets(key: string, entry: WrittenEntry): PlainSecret[] {
  return (['env', 'headers'] as const).flatMap((field) => {
    const block = entry[field];
    return Object.entries(isRecord(block) ? block : {}).flatMap(([name, written]) => {
      const text = plainText(written);
      if (text === undefined) return [];
      const [, scheme = '', value = ''] = /^((?:[A-Za-z-]+ )?)(\S+)$/.exec(text) ?? [];
      const isSecret = isSecretSetting(name) || isSecretValue(value);
      // Short values are ports, switches and names.
      const isLong = value.length >= 8 && Buffer.byteLength(value) <= LONGEST_SECRET;
      return isSecret && isLong ? { key, field, name, scheme, value } : [];
    });
  });
}

/** `undefined`: it has a variable or a secret already. */
function plainText(written: unknown): string | undefined {
  if (typeof written !== 'string') return undefined;
  let isPlain = secretsIn(written).length === 0;
  const onValue = (): void => void (isPlain = false);
  const { text, faults } = expandVariables(written, {}, { onValue });
  return isPlain && faults.length === 0 ? text : undefined;
}

/** A name that no secret has. It counts as taken from then on. */
export function freeName(wanted: string, taken: Set<string>): string {
  const plain = wanted.replaceAll(/[^\w.-]+/g, '_').slice(0, 90);
  let free = plain;
  for (let i = 2; taken.has(free); i += 1) free = `${plain}-${i}`;
  taken.add(free);
  return free;
}

function withReference(
  entry: WrittenEntry,
  { field, name, scheme }: PlainSecret,
  secret: string,
): WrittenEntry {
  const block = entry[field];
  const text = `${scheme}\${keychain:${secret}}`;
  return { ...entry, [field]: { ...(isRecord(block) ? block : {}), [name]: text } };
}
