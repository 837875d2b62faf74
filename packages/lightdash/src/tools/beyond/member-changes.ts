/** The tool that removes a member from the organization. */

import { WRITE_DESTRUCTIVE } from '@callsign/toolkit';
import * as z from 'zod';

import { answer } from '../answer.js';
import { USER_UUID } from '../argument.js';
import type { Toolbox } from '../toolbox.js';

export function registerMemberChangeTools({ server, registerToolSafe, client }: Toolbox): void {
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
