import { describe, expect, it } from 'vitest';

import { addressKind, type AddressKind, isLoopback } from './address-kind.js';
import { addressProblem } from './address-rules.js';

describe('an address', () => {
  it.each<[address: string, kind: AddressKind]>([
    ['1.1.1.1', 'unicast'],
    ['8.8.8.8', 'unicast'],
    ['0.0.0.0', 'unspecified'],
    ['10.1.2.3', 'private'],
    ['100.64.0.1', 'carrierGradeNat'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['169.254.169.254', 'linkLocal'],
    ['172.15.0.1', 'unicast'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.1', 'unicast'],
    ['192.0.2.1', 'reserved'],
    ['192.168.0.1', 'private'],
    ['198.18.0.1', 'reserved'],
    ['203.0.113.9', 'reserved'],
    ['224.0.0.1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['::ffff:10.0.0.1', 'private'],
    ['::ffff:8.8.8.8', 'unicast'],
    ['2606:4700::1111', 'unicast'],
    ['2001:db8::1', 'reserved'],
    ['2001::1', 'reserved'],
    ['2002:7f00:1::', 'reserved'],
    ['64:ff9b::7f00:1', 'reserved'],
    ['fc00::1', 'uniqueLocal'],
    ['fd12:3456::1', 'uniqueLocal'],
    ['fe80::1', 'linkLocal'],
    ['fe80::1%eth0', 'linkLocal'],
    ['ff02::1', 'multicast'],
    ['100::1', 'reserved'],
    ['[fe80::1]', 'linkLocal'],
    ['100.100.100.200', 'cloudMetadata'],
    ['168.63.129.16', 'cloudMetadata'],
    ['fd00:ec2::254', 'cloudMetadata'],
    ['::ffff:168.63.129.16', 'cloudMetadata'],
  ])('%s is %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  });

  it.each(['', 'example.org', '1.2.3.256', '::g', '127.1', '0x7f.1', '[::1', '2130706433'])(
    '%j is unreadable',
    (address) => {
      expect(addressKind(address)).toBe('unreadable');
    },
  );
});

describe('this machine', () => {
  it.each([
    'localhost',
    'LocalHost',
    '127.0.0.1',
    '127.1.2.3',
    '127.255.255.254',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '[::ffff:7f00:1]',
    '::1%lo',
  ])('is named by %j', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each([
    '',
    '[]',
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '128.0.0.1',
    '127.0.0.1.example',
    '127.0.0.256',
    '127.1',
    '127.0.0.1:80',
    'localhost.example',
    'evil-localhost',
    '[::2]',
    'fe80::1',
  ])('is not named by %j', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});

describe('an allowed private network', () => {
  it.each(['10.0.0.1', '127.0.0.1', 'fd00::1', '::ffff:10.0.0.1', '100.64.0.1'])(
    'includes %s',
    (address) => {
      expect(addressProblem(address, 'allowed')).toBeUndefined();
      expect(addressProblem(address, 'refused')).toContain('is not a public address');
    },
  );

  it.each([
    '169.254.169.254',
    'fe80::1%eth0',
    '100.100.100.200',
    '168.63.129.16',
    'fd00:ec2::254',
    '0.0.0.0',
    'not an address',
  ])('does not include %s', (address) => {
    expect(addressProblem(address, 'allowed')).toContain('is not a public address');
  });

  it('is not needed for public addresses', () => {
    expect(addressProblem('93.184.216.34', 'refused')).toBeUndefined();
    expect(addressProblem('2606:4700::1', 'refused')).toBeUndefined();
  });
});
