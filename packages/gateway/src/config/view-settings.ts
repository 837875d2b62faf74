/** The keys `view` of the settings: how tools are shown to clients. */

import * as z from 'zod';

/** The setting of one server. */
export const SERVER_VIEW = z.lazy(() =>
  z
    .enum(['flat', 'crude', 'search'])
    .meta({
      description:
        'How its tools are shown: one by one, as five tools by effect, or as two tools that find and call.',
    })
    .default('flat'),
);

/** The setting for all servers together. */
export const WHOLE_VIEW = z.lazy(() =>
  z.enum(['flat', 'search']).meta({
    description:
      'How the tools of all servers are shown: one by one, or as two tools that find and call.',
  }),
);
