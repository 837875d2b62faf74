/** `callsign init`. */

import type { CommandModule } from '@callsign/command';
import { createInit } from '@callsign/setup';

import { checkCommand } from '../doctor/config-checks.js';

export const command: CommandModule<never> = createInit(checkCommand);
