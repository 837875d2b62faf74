/** The projects that the operator allows: all, or a list. */

import { LightdashError } from '../client/lightdash-error.js';
import type { LightdashClient } from '../client/lightdash-client.js';
import type { Space } from '../client/space.js';

export interface ProjectScope {
  /** In lower case. Default: all projects are allowed. */
  readonly projects: readonly string[] | undefined;
  allows(projectUuid: string): boolean;
}

export function createProjectScope(projects?: readonly string[]): ProjectScope {
  const named = projects?.map((uuid) => uuid.toLowerCase());
  const allowed = named && new Set(named);
  return {
    projects: named,
    allows: (projectUuid) => allowed?.has(projectUuid.toLowerCase()) ?? true,
  };
}

/**
 * Reads a space of this project. Lightdash ignores the project in the address, so it is checked
 * here.
 */
export async function spaceOfProject(
  client: LightdashClient,
  { projectUuid, spaceUuid }: { readonly projectUuid: string; readonly spaceUuid: string },
  signal: AbortSignal,
): Promise<Space> {
  const space = await client.getSpace(projectUuid, spaceUuid, { signal });
  if (space.projectUuid.toLowerCase() === projectUuid) return space;
  throw new LightdashError(
    'not-found',
    `Lightdash API error: Space with uuid ${spaceUuid} not found`,
  );
}
