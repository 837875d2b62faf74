/** What kind of address an address is, by the registry of special ones; nothing but Node is needed for it. */

import { BlockList, isIP } from 'node:net';

/** The first that fits counts. */
const KINDS: readonly (readonly [kind: string, networks: BlockList])[] = [
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
/** Everything that is public in IPv6. */
const PUBLIC = networks('2000::/3');

const ipaddr = {
  isValid: (address: string): boolean => isIP(address) !== 0,

  /** An IPv4 address inside an IPv6 one counts as itself. */
  process: (address: string): { range(): string } => ({ range: () => kindOf(address) }),
};

// The library that this stands in for exports itself so.
// oxlint-disable-next-line import/no-default-export
export { ipaddr as default };

function kindOf(address: string): string {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const [kind] = KINDS.find(([, list]) => list.check(address, family)) ?? [];
  if (kind !== undefined) return kind;
  const isPublic = family === 'ipv4' || PUBLIC.check(address, family) || isMapped(address);
  return isPublic ? 'unicast' : 'reserved';
}

function isMapped(address: string): boolean {
  return MAPPED.check(address, 'ipv6');
}

const MAPPED: BlockList = networks('::ffff:0:0/96');

function networks(written: string): BlockList {
  const list = new BlockList();
  for (const network of written.split(/\s+/)) {
    const [address = '', bits = ''] = network.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
