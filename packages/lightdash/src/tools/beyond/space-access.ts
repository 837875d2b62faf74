/** Tools that grant and revoke access to a space, for members and groups. */

import { WRITE_DESTRUCTIVE, WRITE_IDEMPOTENT } from '@callsign/toolkit';
import * as z from 'zod';

import { answer } from '../answer.js';
import { GROUP_UUID, PROJECT_UUID, SPACE_UUID, USER_UUID } from '../argument.js';
import { spaceOfProject } from '../project-scope.js';
import type { Toolbox } from '../toolbox.js';

const SPACE = { projectUuid: PROJECT_UUID, spaceUuid: SPACE_UUID };
const ROLE = z.enum(['viewer', 'editor', 'admin']).describe('What they may do there.');
const USER_ACCESS = z.object({
  spaceUuid: z.string(),
  userUuid: z.string(),
  spaceRole: z.string().nullable().describe('The role that was given; null for none.'),
});
const GROUP_ACCESS = z.object({
  spaceUuid: z.string(),
  groupUuid: z.string(),
  spaceRole: z.string().nullable().describe('The role that was given; null for none.'),
});

export function registerSpaceAccessTools(toolbox: Toolbox): void {
  const { server, registerToolSafe, client } = toolbox;

  registerToolSafe(
    server,
    'grant_user_space_access',
    {
      title: 'Grant user access to space',
      description: 'Gives a member access to a space of a Lightdash project, in the given role.',
      inputSchema: z.strictObject({ ...SPACE, userUuid: USER_UUID, spaceRole: ROLE }),
      outputSchema: USER_ACCESS,
      annotations: WRITE_IDEMPOTENT,
    },
    async ({ userUuid, spaceRole, ...space }, { signal }) => {
      const address = await addressOf(toolbox, space, signal);
      await client.grantUserSpaceAccess(address, userUuid, spaceRole, { signal });
      return answer({ spaceUuid: address.space, userUuid, spaceRole });
    },
  );

  registerToolSafe(
    server,
    'revoke_user_space_access',
    {
      title: 'Revoke user access to space',
      description:
        'Removes the direct access that a member has to a space of a Lightdash project. Ask the user first.',
      inputSchema: z.strictObject({ ...SPACE, userUuid: USER_UUID }),
      outputSchema: USER_ACCESS,
      annotations: WRITE_DESTRUCTIVE,
    },
    async ({ userUuid, ...space }, { signal }) => {
      const address = await addressOf(toolbox, space, signal);
      await client.revokeUserSpaceAccess(address, userUuid, { signal });
      return answer({ spaceUuid: address.space, userUuid, spaceRole: null });
    },
  );

  registerToolSafe(
    server,
    'grant_group_space_access',
    {
      title: 'Grant group access to space',
      description: 'Gives a group access to a space of a Lightdash project, in the given role.',
      inputSchema: z.strictObject({ ...SPACE, groupUuid: GROUP_UUID, spaceRole: ROLE }),
      outputSchema: GROUP_ACCESS,
      annotations: WRITE_IDEMPOTENT,
    },
    async ({ groupUuid, spaceRole, ...space }, { signal }) => {
      const address = await addressOf(toolbox, space, signal);
      await client.grantGroupSpaceAccess(address, groupUuid, spaceRole, { signal });
      return answer({ spaceUuid: address.space, groupUuid, spaceRole });
    },
  );

  registerToolSafe(
    server,
    'revoke_group_space_access',
    {
      title: 'Revoke group access to space',
      description:
        'Removes the access of a group to a space of a Lightdash project. Ask the user first.',
      inputSchema: z.strictObject({ ...SPACE, groupUuid: GROUP_UUID }),
      outputSchema: GROUP_ACCESS,
      annotations: WRITE_DESTRUCTIVE,
    },
    async ({ groupUuid, ...space }, { signal }) => {
      const address = await addressOf(toolbox, space, signal);
      await client.revokeGroupSpaceAccess(address, groupUuid, { signal });
      return answer({ spaceUuid: address.space, groupUuid, spaceRole: null });
    },
  );
}

/** Checks that the space belongs to the project if only some projects are allowed. */
async function addressOf(
  { client, scope }: Toolbox,
  space: { readonly projectUuid: string; readonly spaceUuid: string },
  signal: AbortSignal,
): Promise<{ readonly project: string; readonly space: string }> {
  if (scope.projects) await spaceOfProject(client, space, signal);
  return { project: space.projectUuid, space: space.spaceUuid };
}
