/** The members of the sandbox's organization. */

import type { Group, GroupMember } from '../../client/group.js';
import type { Member, OrganizationRole } from '../../client/member.js';
import { dateOf, numberOf, uuidOf } from './uuid.js';

export const ORGANIZATION: string = uuidOf('organization');
export const ADMIN: string = uuidOf('member', 'admin');

const FIRST_NAMES =
  'Ada Grace Alan Edsger Barbara Donald Radia Ken Margaret Tim Frances Leslie'.split(' ');
const LAST_NAMES =
  'Lovelace Hopper Turing Dijkstra Liskov Knuth Perlman Thompson Hamilton Berners-Lee Allen Lamport'.split(
    ' ',
  );
const ROLES: readonly OrganizationRole[] = [
  'viewer',
  'interactive_viewer',
  'member',
  'editor',
  'viewer',
  'developer',
];

/** 144 members. The first three are those of a new Lightdash. */
export function createMembers(): Member[] {
  const known = [
    memberOf(ADMIN, 'Ada', 'Admin', 'demo@lightdash.com', 'admin'),
    memberOf(
      '80fb8b59-d6b7-4ed6-b969-9849310f3e53',
      'Editor',
      'User',
      'demo2@lightdash.com',
      'editor',
    ),
    memberOf(
      'e0dd2003-c291-4e14-b977-7a03b7edc842',
      'Viewer',
      'User',
      'demo3@lightdash.com',
      'viewer',
    ),
  ];
  const others = FIRST_NAMES.flatMap((first) =>
    LAST_NAMES.map((last) => {
      const email = `${first}.${last}@example.com`.toLowerCase();
      const role = ROLES[numberOf(ROLES.length, 'role', email)]!;
      return memberOf(uuidOf('member', email), first, last, email, role);
    }),
  );
  return [...known, ...others.slice(known.length)];
}

function memberOf(
  userUuid: string,
  firstName: string,
  lastName: string,
  email: string,
  role: OrganizationRole,
): Member {
  const isPending = numberOf(20, 'pending', email) === 0 && role !== 'admin';
  const created = dateOf(numberOf(2_000, 'created', email));
  return {
    userUuid,
    firstName,
    lastName,
    email,
    organizationUuid: ORGANIZATION,
    role,
    isActive: !isPending,
    isPending,
    isInviteExpired: false,
    userCreatedAt: created,
    userUpdatedAt: created,
    avatarUrl: null,
    avatarGradient: null,
  };
}

const GROUP_NAMES =
  'Analysts,Finance,Growth,Leadership,Marketing,Operations,People,Product,Sales,Support'.split(',');

export interface SandboxGroup {
  readonly group: Group;
  readonly members: readonly GroupMember[];
}

/** Twelve groups. The first two are those of a new Lightdash. */
export function createGroups(members: readonly Member[]): SandboxGroup[] {
  const known: [string, string][] = [
    ['9d615ede-5758-4954-9fb9-2a07fc415ba5', 'Org 1 Group'],
    ['1456c265-f375-4d64-bd33-105c84ad9b5d', 'Org 1 Editor Group'],
  ];
  const others = GROUP_NAMES.map((name): [string, string] => [uuidOf('group', name), name]);
  return [...known, ...others].map(([uuid, name], index) => {
    const inside =
      index < known.length
        ? members.slice(1, 2)
        : members.filter(({ userUuid }) => numberOf(8, name, userUuid) === 0);
    return { group: groupOf(uuid, name, dateOf(index * 30)), members: inside.map(asGroupMember) };
  });
}

export function groupOf(uuid: string, name: string, createdAt: string): Group {
  return {
    uuid,
    name,
    organizationUuid: ORGANIZATION,
    createdAt,
    createdByUserUuid: ADMIN,
    updatedAt: createdAt,
    updatedByUserUuid: null,
  };
}

export function asGroupMember({ userUuid, firstName, lastName, email }: Member): GroupMember {
  return { userUuid, firstName, lastName, email };
}
