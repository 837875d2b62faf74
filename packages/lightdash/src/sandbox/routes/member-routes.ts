/** Members of the organization. */

import { notFound } from '../api-problem.js';
import { holds, paged, uuidParam, type Exchange } from '../exchange.js';
import { route, type Route } from '../route.js';
import type { Member } from '../../client/member.js';

export const MEMBER_ROUTES: readonly Route[] = [
  route('GET /api/v1/org/users', (exchange) => {
    const search = exchange.query.get('searchQuery');
    const all = [...exchange.world.members.values()];
    return paged(
      exchange,
      all.filter(({ firstName, lastName, email }) =>
        holds(search, `${firstName} ${lastName}`, email),
      ),
    );
  }),
  route('DELETE /api/v1/org/user/{userUuid}', (exchange) => {
    const { userUuid } = memberOf(exchange);
    exchange.world.members.delete(userUuid);
  }),
];

function memberOf(exchange: Exchange): Member {
  const member = exchange.world.members.get(uuidParam(exchange, 'userUuid'));
  if (!member) throw notFound('No matching member found in organization');
  return member;
}
