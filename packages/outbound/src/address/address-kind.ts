/**
 * The kind of an IP address, by the registries of special addresses. Node parses the addresses:
 * checks like this are bypassed when the parser that checks differs from the one that connects.
 */

import { BlockList, isIP } from 'node:net';

/** Only `unicast` is public. */
export type AddressKind =
  | 'broadcast'
  | 'carrierGradeNat'
  | 'cloudMetadata'
  | 'linkLocal'
  | 'loopback'
  | 'multicast'
  | 'private'
  | 'reserved'
  | 'unicast'
  | 'uniqueLocal'
  | 'unreadable'
  | 'unspecified';

/** The first match counts. */
const KINDS: readonly (readonly [kind: AddressKind, networks: () => BlockList])[] = [
  // Metadata services of clouds that are not on link-local addresses: Alibaba, Azure, AWS.
  ['cloudMetadata', networks('100.100.100.200/32 168.63.129.16/32 fd00:ec2::254/128')],
  ['unspecified', networks('0.0.0.0/8 ::/128')],
  ['broadcast', networks('255.255.255.255/32')],
  ['multicast', networks('224.0.0.0/4 ff00::/8')],
  ['linkLocal', networks('169.254.0.0/16 fe80::/10')],
  ['loopback', networks('127.0.0.0/8 ::1/128')],
  ['carrierGradeNat', networks('100.64.0.0/10')],
  ['private', networks('10.0.0.0/8 172.16.0.0/12 192.168.0.0/16')],
  ['uniqueLocal', networks('fc00::/7')],
  [
    'reserved',
    networks(
      `192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.175.48.0/24
      198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4
      2001::/23 2001:db8::/32 2002::/16 3fff::/20`,
    ),
  ],
];
/** All public IPv6 addresses, and IPv4 addresses written as IPv6. */
const PUBLIC_IPV6 = networks('2000::/3 ::ffff:0:0/96');

/** Reads every spelling that sockets accept. An IPv4 address written as IPv6 counts as IPv4. */
export function addressKind(address: string): AddressKind {
  const bare = address.replace(/^\[(.*)\]$/s, '$1').replace(/%.*$/s, '');
  const version = isIP(bare);
  if (version === 0) return 'unreadable';
  const family = version === 6 ? 'ipv6' : 'ipv4';
  const [kind] = KINDS.find(([, list]) => list().check(bare, family)) ?? [];
  if (kind !== undefined) return kind;
  return version === 4 || PUBLIC_IPV6().check(bare, family) ? 'unicast' : 'reserved';
}

/**
 * Whether a host name or address means this machine and no other. Brackets around IPv6 are
 * optional. The one loopback check of the product.
 */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || addressKind(host) === 'loopback';
}

/** Created at the first use: most gateways never check an address. */
function networks(written: string): () => BlockList {
  let list: BlockList | undefined;
  return () => (list ??= createList(written));
}

function createList(written: string): BlockList {
  const list = new BlockList();
  for (const network of written.split(/\s+/)) {
    const [address = '', bits = ''] = network.split('/');
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}
