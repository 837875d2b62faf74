/** Settings that refer to servers that the file does not have. */

import { parseCanonicalName } from '@callsign/naming';
import type { Node } from 'jsonc-parser';

import { didYouMean, memberOf, membersOf, type ProblemLog } from '@callsign/config';

/** The key for settings of all servers. A server's own settings override them. */
export const ALL_SERVERS = '*';
/** Settings that make no sense for all servers together. */
const OF_ONE_SERVER = ['accounts', 'displayName', 'oauth'];

/** Disabled servers count: they may have settings. */
export function logReferenceProblems(
  settings: Node,
  serverKeys: ReadonlySet<string>,
  log: ProblemLog,
): void {
  // Without servers every reference is wrong, and that problem is already reported.
  if (serverKeys.size === 0) return;
  const all = `servers in this file: ${[...serverKeys].map((key) => JSON.stringify(key)).join(', ')}`;
  const section = (key: string) => membersOf(memberOf(settings, key)?.value);

  for (const { key, keyNode, value } of section('servers')) {
    if (key !== ALL_SERVERS) expectServer(key, keyNode, log.problem);
    else {
      const named = OF_ONE_SERVER.flatMap((field) => memberOf(value, field) ?? []);
      for (const { keyNode: at } of named) {
        const advice = 'set it for each server separately';
        log.problem('wrong-value', at, 'cannot be the same for all servers', advice);
      }
    }
  }

  for (const { value } of section('servers')) {
    const exchange = memberOf(memberOf(value, 'accounts')?.value, 'exchange');
    if (!exchange || memberOf(memberOf(settings, 'auth')?.value, 'tokens')) continue;
    const advice = 'set "auth.tokens", or remove it';
    log.problem('wrong-value', exchange.keyNode, 'has no tokens of callers to exchange', advice);
  }

  for (const { key, keyNode, value } of section('renamed')) {
    if (serverKeys.has(key)) {
      const advice = 'remove this line, or give the server its new key';
      log.problem('renamed-server', keyNode, 'is still the key of a server', advice);
    }
    if (value.type === 'string') expectServer(value.value as string, value, log.problem);
  }

  for (const { value: set } of section('sets')) {
    for (const node of memberOf(set, 'servers')?.value.children ?? [])
      if (typeof node.value === 'string') expectServer(node.value, node, log.problem);
  }

  for (const { key, value } of section('aliases')) {
    if (value.type !== 'string' || log.hasProblemAt(value)) continue;
    const target = parseCanonicalName(value.value as string);
    if (target.ok) expectServer(target.ref.server, value, log.problem);
    else {
      const advice = `write ${JSON.stringify(key)}: "server:tool"`;
      log.problem('wrong-value', value, 'must be a tool, written as server:tool', advice);
    }
  }

  for (const glob of globsOf(settings)) {
    // A glob may match nothing yet. A plain server key before the colon must exist.
    const server = /^([^*?[\]{}!:]+):/.exec(String(glob.value))?.[1];
    if (server !== undefined) expectServer(server, glob, log.warning);
  }

  function expectServer(key: string, at: Node, report: ProblemLog['problem']): void {
    if (serverKeys.has(key)) return;
    report('unknown-server', at, 'names no server in this file', didYouMean(key, serverKeys, all));
  }
}

function globsOf(settings: Node): Node[] {
  const filter = memberOf(settings, 'tools')?.value;
  const filtered = ['allow', 'deny'].flatMap((key) => memberOf(filter, key)?.value.children ?? []);
  const annotated = membersOf(memberOf(settings, 'annotations')?.value);
  const rules = memberOf(memberOf(settings, 'policy')?.value, 'rules')?.value.children ?? [];
  const judged = rules.flatMap((rule) => memberOf(rule, 'match')?.value ?? []);
  const opened = membersOf(memberOf(settings, 'roles')?.value).flatMap(({ value }) =>
    ['allow', 'deny'].flatMap((key) => memberOf(value, key)?.value.children ?? []),
  );
  const selected = membersOf(memberOf(settings, 'sets')?.value).flatMap(({ value }) =>
    ['tools', 'exclude'].flatMap((key) => memberOf(value, key)?.value.children ?? []),
  );
  const annotations = annotated.map(({ keyNode }) => keyNode);
  return [...filtered, ...annotations, ...judged, ...opened, ...selected];
}
