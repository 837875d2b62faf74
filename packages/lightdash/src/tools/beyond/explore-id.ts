/** How tools name an explore. */

import * as z from 'zod';

import { segmentProblem } from '../../client/path.js';

export const EXPLORE_ID: z.ZodString = z
  .string()
  .min(1)
  .max(255)
  .refine((name) => segmentProblem(name) === undefined, 'This cannot be the name of an explore.')
  .describe('The name of the explore, as list_explores gives it.');
