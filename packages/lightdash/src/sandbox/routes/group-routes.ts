/** Groups and their members. */

import { ApiProblem, notFound } from '../api-problem.js';
import {
  deprecated,
  holds,
  numberIn,
  paged,
  param,
  textField,
  type Exchange,
} from '../exchange.js';
import { route, type Route } from '../route.js';
import type { Group, GroupMember, GroupWithMembers } from '../../client/group.js';
import { asGroupMember, groupOf, type SandboxGroup } from '../world/people.js';
import { uuidOf } from '../world/uuid.js';

export const GROUP_ROUTES: readonly Route[] = [
  route('GET /api/v1/org/groups', (exchange) => {
    const search = exchange.query.get('searchQuery');
    const all = [...exchange.world.groups.values()];
    const found = all.filter(({ group }) => holds(search, group.name));
    return paged(
      exchange,
      found.map((each) => shown(each, exchange)),
    );
  }),
  route('POST /api/v1/org/groups', (exchange) => {
    const name = freeName(exchange);
    const { groups } = exchange.world;
    const group = groupOf(uuidOf('group', name, groups.size), name, new Date().toISOString());
    groups.set(group.uuid, { group, members: [] });
    return { ...group, members: [], memberUuids: [] };
  }),
  route('GET /api/v1/groups/{groupUuid}', (exchange) => shown(find(exchange), exchange)),
  route('PATCH /api/v1/groups/{groupUuid}', (exchange) => {
    const { group, members } = find(exchange);
    const renamed = { ...group, name: freeName(exchange), updatedAt: new Date().toISOString() };
    exchange.world.groups.set(group.uuid, { group: renamed, members });
    return renamed;
  }),
  route('DELETE /api/v1/groups/{groupUuid}', (exchange) => {
    exchange.world.groups.delete(find(exchange).group.uuid);
  }),
  route('PUT /api/v1/groups/{groupUuid}/members/{userUuid}', (exchange) => {
    deprecated(exchange, 'the roles API');
    const user = param(exchange, 'userUuid');
    const member = exchange.world.members.get(user);
    if (!member) throw notFound('Cannot find user');
    changeMembers(exchange, (members) => [...without(members, user), asGroupMember(member)]);
  }),
  route('DELETE /api/v1/groups/{groupUuid}/members/{userUuid}', (exchange) => {
    deprecated(exchange, 'the roles API');
    changeMembers(exchange, (members) => without(members, param(exchange, 'userUuid')));
  }),
];

function find(exchange: Exchange): SandboxGroup {
  const found = exchange.world.groups.get(param(exchange, 'groupUuid'));
  if (!found) throw notFound('No group found');
  return found;
}

function freeName(exchange: Exchange): string {
  const name = textField(exchange, 'name');
  const own = exchange.params.get('groupUuid');
  const isTaken = [...exchange.world.groups.values()].some(
    ({ group }) => group.name === name && group.uuid !== own,
  );
  if (isTaken) throw new ApiProblem(409, 'AlreadyExistsError', 'Group name already exists');
  return name;
}

/** Any number requests members, even zero. */
function shown({ group, members }: SandboxGroup, { query }: Exchange): Group | GroupWithMembers {
  const count = numberIn(query, 'includeMembers');
  if (count === undefined) return group;
  const offset = numberIn(query, 'offset') ?? 0;
  const first = members.slice(offset, offset + count);
  return { ...group, members: first, memberUuids: first.map(({ userUuid }) => userUuid) };
}

function without(members: readonly GroupMember[], user: string): GroupMember[] {
  return members.filter(({ userUuid }) => userUuid !== user);
}

function changeMembers(
  exchange: Exchange,
  change: (members: readonly GroupMember[]) => readonly GroupMember[],
): void {
  const { group, members } = find(exchange);
  exchange.world.groups.set(group.uuid, { group, members: change(members) });
}
