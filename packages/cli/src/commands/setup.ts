/** `callsign setup`. */

import type { CommandModule } from '@callsign/command';
import { createSetup } from '@callsign/setup';

import { showLabels } from '../governed/label-screen.js';

export const command: CommandModule<never> = createSetup(showLabels);
