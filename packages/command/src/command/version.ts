/** The version of all packages, and our name. */

import type { Implementation } from '@callsign/rpc';

export const VERSION = '0.1.0';

/** How we call ourselves to clients. */
export const SELF: Implementation = { name: 'callsign', title: 'Callsign', version: VERSION };
