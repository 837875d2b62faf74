/** `callsign setup`, with the screen of labels, which the setup package must not import. */

import type { CommandModule } from '@callsign/command';
import { createSetup } from '@callsign/setup';

import { showLabels } from '../governed/label-screen.js';

export const command: CommandModule<never> = createSetup(showLabels);
