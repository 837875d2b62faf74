/** The slug of a chart or a dashboard, as an argument. */

import * as z from 'zod';

import { segmentProblem } from '../../client/path.js';

export const SLUG: z.ZodString = z
  .string()
  .min(1)
  .max(255)
  .refine((slug) => segmentProblem(slug) === undefined, 'This is not a valid slug.');
