/** The version of all packages, and the name that we announce. */

import type { Implementation } from '@callsign/wire/rpc';

/** Equal to the version in every package.json. A test compares them. */
export const VERSION = '0.1.0';

/** What clients and servers are told about us. */
export const SELF: Implementation = { name: 'callsign', title: 'Callsign', version: VERSION };
