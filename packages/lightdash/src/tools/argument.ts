/** Arguments that many tools have. */

import * as z from 'zod';

/** A UUID of Lightdash, converted to lower case. */
function identifier(what: string, from: string): z.ZodGUID {
  return z.guid().toLowerCase().describe(`The UUID of the ${what}, as ${from} gives it.`);
}

export const PROJECT_UUID: z.ZodGUID = identifier('project', 'list_projects');
export const SPACE_UUID: z.ZodGUID = identifier('space', 'list_spaces');
export const USER_UUID: z.ZodGUID = identifier('member', 'list_organization_members');
export const GROUP_UUID: z.ZodGUID = identifier('group', 'list_groups');

export const SEARCH_QUERY: z.ZodOptional<z.ZodString> = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .optional()
  .describe('Only items whose name contains this text, ignoring case.');
