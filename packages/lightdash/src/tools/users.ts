/** Members of the organization. */

import { READ_ONLY_DEFAULT } from '@callsign/toolkit';
import * as z from 'zod';

import { answer } from './answer.js';
import { SEARCH_QUERY, USER_UUID } from './argument.js';
import { listing, pageFrom } from './listing.js';
import { selected } from './selection.js';
import type { Toolbox } from './toolbox.js';

const MEMBER = {
  userUuid: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: z.string().describe('The role in the organization, such as viewer, editor or admin.'),
  isActive: z.boolean(),
  isPending: z.boolean().describe('Invited, but has not joined yet.'),
  userCreatedAt: z.string(),
  userUpdatedAt: z.string(),
};

const MEMBERS = listing('members', MEMBER, ['userUuid', 'firstName', 'lastName', 'email', 'role']);

export function registerUserTools({ server, registerToolSafe, client }: Toolbox): void {
  registerToolSafe(
    server,
    'list_organization_members',
    {
      title: 'List organization members',
      description:
        'Lists the members of the Lightdash organization with their roles. Find a person by searchQuery, which looks at name and email.',
      inputSchema: z.strictObject({ searchQuery: SEARCH_QUERY, ...MEMBERS.input }),
      outputSchema: MEMBERS.output,
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ fields, ...query }, { signal }) => {
      return MEMBERS.answer(pageFrom(await client.listMembers(query, { signal }), query), fields);
    },
  );

  registerToolSafe(
    server,
    'get_member',
    {
      title: 'Get member',
      description: 'Describes one member of the Lightdash organization: name, email, role, state.',
      inputSchema: z.strictObject({ userUuid: USER_UUID }),
      outputSchema: z.object(MEMBER).partial(),
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ userUuid }, { signal }) =>
      answer(selected(await client.getMember(userUuid, { signal }), MEMBER)),
  );
}
