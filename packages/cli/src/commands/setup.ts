/** `callsign setup`. */

import type { CommandModule } from '@callsign/command';
import { createSetup } from '@callsign/setup';

import { checkCommand } from '../doctor/config-checks.js';
import { showLabels } from '../governed/label-screen.js';

export const command: CommandModule<never> = createSetup(checkCommand, showLabels);
