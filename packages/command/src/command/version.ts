/** The version of all packages, and our name. */

import type { Implementation } from '@callsign/rpc';

export const VERSION = '0.1.0';

/** Our name and version for clients. */
export const SELF: Implementation = { name: 'callsign', title: 'Callsign', version: VERSION };
