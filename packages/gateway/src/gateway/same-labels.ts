/** Compares two configurations by the names and labels that follow from them. */

import { isDeepStrictEqual } from 'node:util';

import type { GatewayConfig } from '../config/gateway-config.js';

/** Whether all names and labels are unchanged, so that lists can be kept. */
export function sameLabels(a: GatewayConfig, b: GatewayConfig): boolean {
  return isDeepStrictEqual(labelsIn(a), labelsIn(b));
}

function labelsIn({ settings, servers, modules }: GatewayConfig): readonly unknown[] {
  return [settings, modules, new Map(servers.map((server) => [server.key, server.settings]))];
}
