/** A new API key from the words of a command. */

import { createApiKey, type ApiKeySettings } from '@callsign/auth';

import type { Context } from '../command/command.js';

export interface NewKeyOptions {
  readonly roles?: string;
  readonly set?: string;
}

export interface NewKey {
  /** For the client. It is shown once. */
  readonly key: string;
  readonly entry: ApiKeySettings;
}

/** Warns of roles that the configuration does not describe. `described`: missing if it has no `roles`. */
export function newKey(
  { file, stderr }: Context,
  name: string,
  { roles: written, set }: NewKeyOptions,
  described: readonly string[] | undefined,
): NewKey {
  const roles = rolesIn(written);
  if (!described && roles.length > 0) {
    stderr.log(
      'warning',
      `${file} has no "roles", and without them every key may use every tool. Define "roles" before you serve this file.`,
    );
  }
  for (const role of roles.filter((each) => described?.includes(each) === false)) {
    stderr.log(
      'warning',
      `${file} describes no role "${role}"; a caller with only this role sees nothing.`,
    );
  }
  const { key, hash } = createApiKey();
  return { key, entry: { name, hash, roles, ...(set === undefined ? {} : { set }) } };
}

function rolesIn(text = ''): string[] {
  const roles = text.split(',').map((role) => role.trim());
  return [...new Set(roles.filter((role) => role !== ''))];
}
