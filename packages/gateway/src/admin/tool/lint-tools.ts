/** Runs all lint rules, of names and of annotations, on the tools of one server. */

import { lintAnnotations } from '@callsign/effects';
import { type ClientProfile, type Finding, lintNames, profileById } from '@callsign/naming';

/** The client and the server key that the tools are checked for. */
export interface LintOptions {
  /** Default: all clients. */
  readonly client?: string | undefined;
  /** The server's key in clients, if known. */
  readonly key?: string | undefined;
}

/** `tools` are definitions from `tools/list`. They may be malformed. */
export function lintTools(tools: readonly unknown[], { client, key }: LintOptions = {}): Finding[] {
  const clients: readonly ClientProfile[] | undefined =
    client === undefined ? undefined : [profileById(client)];
  const names = lintNames(tools, { ...(clients ? { clients } : {}), ...(key ? { key } : {}) });
  const all = [...names, ...lintAnnotations(tools)];
  return client === undefined ? all : all.filter((finding) => concerns(finding, client));
}

function concerns({ clients, audiences }: Finding, client: string): boolean {
  if (clients === undefined && audiences === undefined) return true;
  return clients?.includes(client) === true;
}
