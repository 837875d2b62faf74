/** `callsign install`. */

import type { CommandModule } from '@callsign/command';
import { createInstall } from '@callsign/setup';

import { checkCommand } from '../doctor/config-checks.js';

export const command: CommandModule<never> = createInstall(checkCommand);
