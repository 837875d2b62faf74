/** The members of a group, page by page. */

import { READ_ONLY_DEFAULT } from '@callsign/toolkit';
import * as z from 'zod';

import { answer } from '../answer.js';
import { GROUP_UUID } from '../argument.js';
import { selected } from '../selection.js';
import type { Toolbox } from '../toolbox.js';

const MEMBER = {
  userUuid: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
};

export function registerGroupMemberTools({ server, registerToolSafe, client }: Toolbox): void {
  registerToolSafe(
    server,
    'list_group_members',
    {
      title: 'List group members',
      description: 'Lists the members of one group of the Lightdash organization.',
      inputSchema: z.strictObject({
        groupUuid: GROUP_UUID,
        page: z.int().min(1).max(100_000).default(1).describe('Which page, from 1.'),
        pageSize: z.int().min(1).max(100).default(25).describe('How many members on a page.'),
      }),
      outputSchema: z.object({
        members: z.array(z.object(MEMBER).partial()),
        page: z.number(),
        pageSize: z.number(),
        hasMore: z.boolean().describe('Whether there is another page.'),
      }),
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ groupUuid, page, pageSize }, { signal }) => {
      // One extra member shows whether there are more.
      const range = { includeMembers: pageSize + 1, offset: (page - 1) * pageSize };
      const group = await client.getGroup(groupUuid, range, { signal });
      const members = 'members' in group ? group.members : [];
      return answer({
        members: members.slice(0, pageSize).map((member) => selected(member, MEMBER)),
        page,
        pageSize,
        hasMore: members.length > pageSize,
      });
    },
  );
}
