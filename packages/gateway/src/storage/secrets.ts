/** Replaces variables in settings that hold secrets. No message quotes a value. */

import { StorageError } from '@callsign/instances';

import { type Environment, expandVariables, type Secrets } from '@callsign/config';

const MIN_SECRET = 32;

/** What replaces variables and secrets in settings. */
export interface SettingValues {
  readonly env: Environment;
  /** The secrets of the configuration. */
  readonly secrets: Secrets | undefined;
}

/** Throws a `StorageError` if a variable is not set. `setting`: its name, for the message. */
export function expandText(
  setting: string,
  written: string,
  { env, secrets = new Map() }: SettingValues,
): string {
  const { text, faults } = expandVariables(written, env, { secrets });
  const [fault] = faults;
  if (!fault) return text;
  throw new StorageError(
    fault.kind === 'secret'
      ? `"${fault.name}" of ${setting} ${fault.reason}`
      : `the variable "${fault.name}" of ${setting} is not set`,
  );
}

/** The `secrets` of a section. Throws a `StorageError` if a variable is not set, or one is too short for a key. */
export function expandSecrets(
  section: string,
  secrets: readonly string[],
  values: SettingValues,
): string[] {
  const setting = `${section}.secrets`;
  const expanded = secrets.map((secret) => expandText(setting, secret, values));
  if (expanded.some(({ length }) => length < MIN_SECRET)) {
    throw new StorageError(`a secret of ${setting} has fewer than ${MIN_SECRET} characters`);
  }
  return expanded;
}
