/** Groups of members. */

import { READ_ONLY_DEFAULT } from '@callsign/toolkit';
import * as z from 'zod';

import { answer } from './answer.js';
import { GROUP_UUID, SEARCH_QUERY } from './argument.js';
import { listing, pageFrom } from './listing.js';
import { selected } from './selection.js';
import type { Toolbox } from './toolbox.js';

const GROUP = {
  uuid: z.string(),
  name: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
};

const GROUPS = listing('groups', GROUP, ['uuid', 'name']);

const MEMBER = {
  userUuid: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
};

const GROUP_WITH_MEMBERS = {
  ...GROUP,
  members: z.array(z.object(MEMBER).partial()),
  hasMoreMembers: z.boolean().describe('Whether there are more members than those named.'),
};

export function registerGroupTools({ server, registerToolSafe, client }: Toolbox): void {
  registerToolSafe(
    server,
    'list_groups',
    {
      title: 'List groups',
      description: 'Lists the groups of members of the Lightdash organization.',
      inputSchema: z.strictObject({ searchQuery: SEARCH_QUERY, ...GROUPS.input }),
      outputSchema: GROUPS.output,
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ fields, ...query }, { signal }) => {
      return GROUPS.answer(pageFrom(await client.listGroups(query, { signal }), query), fields);
    },
  );

  registerToolSafe(
    server,
    'get_group',
    {
      title: 'Get group',
      description: 'Describes one group of the Lightdash organization and names its members.',
      inputSchema: z.strictObject({
        groupUuid: GROUP_UUID,
        memberLimit: z.int().min(0).max(500).default(50).describe('The most members to name.'),
      }),
      outputSchema: z.object(GROUP_WITH_MEMBERS).partial(),
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ groupUuid, memberLimit }, { signal }) => {
      // One extra member shows whether there are more.
      const group = await client.getGroup(
        groupUuid,
        { includeMembers: memberLimit + 1 },
        { signal },
      );
      const members = 'members' in group ? group.members : [];
      const shown = {
        members: members.slice(0, memberLimit).map((member) => selected(member, MEMBER)),
        hasMoreMembers: members.length > memberLimit,
      };
      return answer(selected({ ...group, ...shown }, GROUP_WITH_MEMBERS));
    },
  );
}
