/** Where the tasks of a configuration are kept, so that they are found again after a restart. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { stateFolder } from '@callsign/config';

import type { GatewayConfig } from '../config/gateway-config.js';

/** `undefined`: they are kept in memory only. */
export function taskFileOf({ file, settings }: GatewayConfig): string | undefined {
  if (!settings.remember || file === '') return undefined;
  const name = createHash('sha256').update(file).digest('hex').slice(0, 40);
  return join(stateFolder(), 'tasks', `${name}.jsonl`);
}
