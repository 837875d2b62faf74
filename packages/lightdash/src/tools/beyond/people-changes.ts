/** Tools that change groups and their members, and remove members of the organization. */

import { WRITE_ADDITIVE, WRITE_DESTRUCTIVE, WRITE_IDEMPOTENT } from '@callsign/toolkit';
import * as z from 'zod';

import { answer } from '../answer.js';
import { GROUP_UUID, USER_UUID } from '../argument.js';
import type { Toolbox } from '../toolbox.js';

const NAME = z.string().trim().min(1).max(255).describe('The name of the group.');
const GROUP = z.object({ groupUuid: z.string(), name: z.string() });
const MEMBERSHIP = z.strictObject({ groupUuid: GROUP_UUID, userUuid: USER_UUID });
const MEMBERSHIP_NOW = z.object({
  groupUuid: z.string(),
  userUuid: z.string(),
  isMember: z.boolean(),
});

export function registerPeopleChangeTools({ server, registerToolSafe, client }: Toolbox): void {
  registerToolSafe(
    server,
    'create_group',
    {
      title: 'Create group',
      description: 'Creates a new, empty group in the Lightdash organization.',
      inputSchema: z.strictObject({ name: NAME }),
      outputSchema: GROUP,
      annotations: WRITE_ADDITIVE,
    },
    async (args, { signal }) => {
      const { uuid, name } = await client.createGroup(args.name, { signal });
      return answer({ groupUuid: uuid, name });
    },
  );

  registerToolSafe(
    server,
    'update_group',
    {
      title: 'Update group',
      description: 'Renames a group of the Lightdash organization.',
      inputSchema: z.strictObject({ groupUuid: GROUP_UUID, name: NAME }),
      outputSchema: GROUP,
      annotations: WRITE_IDEMPOTENT,
    },
    async ({ groupUuid, name }, { signal }) => {
      await client.updateGroup(groupUuid, name, { signal });
      return answer({ groupUuid, name });
    },
  );

  registerToolSafe(
    server,
    'delete_group',
    {
      title: 'Delete group',
      description:
        'Deletes a group of the Lightdash organization. Its members lose the access that it gave them. Ask the user first.',
      inputSchema: z.strictObject({ groupUuid: GROUP_UUID }),
      outputSchema: z.object({ groupUuid: z.string(), isDeleted: z.boolean() }),
      annotations: WRITE_DESTRUCTIVE,
    },
    async ({ groupUuid }, { signal }) => {
      await client.deleteGroup(groupUuid, { signal });
      return answer({ groupUuid, isDeleted: true });
    },
  );

  registerToolSafe(
    server,
    'add_user_to_group',
    {
      title: 'Add user to group',
      description: 'Adds a member of the Lightdash organization to a group.',
      inputSchema: MEMBERSHIP,
      outputSchema: MEMBERSHIP_NOW,
      annotations: WRITE_IDEMPOTENT,
    },
    async ({ groupUuid, userUuid }, { signal }) => {
      await client.addUserToGroup(groupUuid, userUuid, { signal });
      return answer({ groupUuid, userUuid, isMember: true });
    },
  );

  registerToolSafe(
    server,
    'remove_user_from_group',
    {
      title: 'Remove user from group',
      description:
        'Removes a member of the Lightdash organization from a group. They lose the access that it gave them. Ask the user first.',
      inputSchema: MEMBERSHIP,
      outputSchema: MEMBERSHIP_NOW,
      annotations: WRITE_DESTRUCTIVE,
    },
    async ({ groupUuid, userUuid }, { signal }) => {
      await client.removeUserFromGroup(groupUuid, userUuid, { signal });
      return answer({ groupUuid, userUuid, isMember: false });
    },
  );

  registerToolSafe(
    server,
    'delete_member',
    {
      title: 'Delete member',
      description:
        'Removes a member from the Lightdash organization for good. Say who it is, and ask the user first.',
      inputSchema: z.strictObject({ userUuid: USER_UUID }),
      outputSchema: z.object({ userUuid: z.string(), isDeleted: z.boolean() }),
      annotations: WRITE_DESTRUCTIVE,
    },
    async ({ userUuid }, { signal }) => {
      await client.deleteMember(userUuid, { signal });
      return answer({ userUuid, isDeleted: true });
    },
  );
}
