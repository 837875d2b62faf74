/** Secrets of the settings, with their variables replaced. Values are secrets, so they are not part of a message. */

import { StorageError } from '@callsign/instances';

import { type Environment, expandVariables } from '../config/variables.js';

const MIN_SECRET = 32;

/** `setting`: its name, for messages. */
export function expandText(setting: string, written: string, env: Environment): string {
  const { text, faults } = expandVariables(written, env);
  const [fault] = faults;
  if (fault) throw new StorageError(`the variable "${fault.name}" of ${setting} is not set`);
  return text;
}

/** `section`: the setting that has `secrets`. */
export function expandSecrets(
  section: string,
  secrets: readonly string[],
  env: Environment,
): string[] {
  const setting = `${section}.secrets`;
  const expanded = secrets.map((secret) => expandText(setting, secret, env));
  if (expanded.some(({ length }) => length < MIN_SECRET)) {
    throw new StorageError(`a secret of ${setting} has less than ${MIN_SECRET} characters`);
  }
  return expanded;
}
