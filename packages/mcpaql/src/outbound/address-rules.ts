/** Which addresses may be called. Parsing is left to a library: home-made parsers are how guards are passed. */

import ipaddr from 'ipaddr.js';

export type PrivateAddresses = 'refused' | 'allowed';

/** Kinds of addresses that a network of one's own is made of; all others but public ones serve no API. */
const OWN_NETWORK: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'uniqueLocal',
  'carrierGradeNat',
]);

/** Why an address may not be called; `undefined` if it may. */
export function addressProblem(address: string, rule: PrivateAddresses): string | undefined {
  const kind = kindOf(address);
  if (kind === 'unicast') return undefined;
  if (rule === 'allowed' && OWN_NETWORK.has(kind)) return undefined;
  return `${address} is no public address (${kind})`;
}

/** Written in any way that sockets understand; an IPv4 address inside an IPv6 one counts as itself. */
function kindOf(address: string): string {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/s, '');
  if (!ipaddr.isValid(bare)) return 'unreadable';
  return ipaddr.process(bare).range();
}

/** Names and addresses that mean this machine and no other. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
