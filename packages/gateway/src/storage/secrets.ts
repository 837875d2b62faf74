/** Replaces variables in settings that hold secrets. No message quotes a value. */

import { StorageError } from '@callsign/instances';

import { type Environment, expandVariables } from '@callsign/config';

const MIN_SECRET = 32;

/** Throws a `StorageError` if a variable is not set. `setting`: its name, for the message. */
export function expandText(setting: string, written: string, env: Environment): string {
  const { text, faults } = expandVariables(written, env);
  const [fault] = faults;
  if (fault) throw new StorageError(`the variable "${fault.name}" of ${setting} is not set`);
  return text;
}

/** The `secrets` of a section. Throws a `StorageError` if a variable is not set, or one is too short for a key. */
export function expandSecrets(
  section: string,
  secrets: readonly string[],
  env: Environment,
): string[] {
  const setting = `${section}.secrets`;
  const expanded = secrets.map((secret) => expandText(setting, secret, env));
  if (expanded.some(({ length }) => length < MIN_SECRET)) {
    throw new StorageError(`a secret of ${setting} has fewer than ${MIN_SECRET} characters`);
  }
  return expanded;
}
