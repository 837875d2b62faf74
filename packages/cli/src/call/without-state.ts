/** A call without a usable state folder: one warning, instead of one from each part that needs it. */

import { folderFault, homeIn, stateFolder } from '@callsign/config';
import type { GatewayConfig, Settings } from '@callsign/gateway/host';

import type { Context } from '../command/command.js';

/** What a gateway for one call can use. */
export interface UsableState {
  /** The configuration, without what needs the folder. */
  readonly config: GatewayConfig;
  /** Whether the folder can be written. */
  readonly hasState: boolean;
}

/** Warns if the folder cannot be written, and says what does not work. */
export function usableState({ env, stderr }: Context, config: GatewayConfig): UsableState {
  const folder = stateFolder(homeIn(env));
  const code = folderFault(folder);
  if (code === undefined) return { config, hasState: true };
  const { settings } = config;
  const isLost = losesRecords(settings);
  const effects = [
    ...(settings.remember ? ['lists are not remembered'] : []),
    ...(isLost ? ['the call is not recorded'] : []),
    'approvals from another terminal cannot reach it',
  ];
  const text = effects.join(', ');
  const advice = 'To use another folder, set XDG_STATE_HOME.';
  stderr.log(
    'warning',
    `${text.charAt(0).toUpperCase()}${text.slice(1)}: ${folder} cannot be written (${code}). ${advice}`,
  );
  const audit = isLost ? { ...settings.audit, mode: 'off' as const } : settings.audit;
  return {
    config: { ...config, settings: { ...settings, remember: false, audit } },
    hasState: false,
  };
}

/** With `strict`, the gateway refuses the call and says why. With a folder or a storage of their own, records are kept. */
function losesRecords({ audit, storage }: Settings): boolean {
  return audit.mode === 'best-effort' && audit.folder === undefined && storage === undefined;
}
