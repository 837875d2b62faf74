/** Adds, enables, disables and restarts servers of a running gateway. */

import {
  isRecord,
  placedEntries,
  readJson,
  withEntry,
  withSwitch,
  type WrittenEntry,
} from '@callsign/config';
import { configuredKeyProblem } from '@callsign/naming';
import * as z from 'zod';

import type { Gateway } from '../../gateway/gateway.js';
import type { ConfigChange, ConfigProposal } from '../data/admin-data.js';
import { requireOwner } from '../router/admin-caller.js';
import { AdminError } from '../router/admin-error.js';
import type { AdminRouter } from '../router/admin-router.js';
import { CHANGE, readBody } from './request-body.js';

/** Shows a change of the configuration, or saves it. */
export type ApplyChange = (
  edit: (text: string) => string,
  request: { readonly save?: boolean; readonly base?: string },
) => Promise<ConfigChange>;

const SWITCH = z.lazy(() => z.strictObject({ enabled: z.boolean(), ...CHANGE }));
const ADD = z.lazy(() =>
  z.strictObject({
    key: z.string(),
    entry: z.record(z.string(), z.unknown()),
    ...CHANGE,
  }),
);

export function serveServerChanges(
  router: AdminRouter,
  gateway: Gateway,
  apply: ApplyChange,
): void {
  router.on('POST', '/servers', ({ body, caller }) => {
    // A new server is a program that runs as the user, so an API key must not add one.
    requireOwner(caller);
    const { key, entry, ...request } = readBody(ADD, body);
    const put = (): Promise<ConfigChange> => apply((text) => added(text, key, entry), request);
    return request.save === true ? put() : proposed(put);
  });

  router.on('POST', '/servers/:key/enabled', ({ params, body }) => {
    const { enabled, ...request } = readBody(SWITCH, body);
    const key = params.get('key')!;
    return apply((text) => switched(text, key, enabled), request);
  });

  router.on('POST', '/servers/:key/restart', ({ params }) => {
    const key = params.get('key')!;
    if (!gateway.servers.restart(key)) {
      throw new AdminError(404, `There is no server ${key} to restart.`);
    }
    return { restarted: key };
  });
}

/** While a person types the entry, a problem in it is a normal answer, not an error. */
async function proposed(change: () => Promise<ConfigChange>): Promise<ConfigProposal> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof AdminError) return { problem: error.message };
    throw error;
  }
}

function added(text: string, key: string, entry: WrittenEntry): string {
  const wrongKey = configuredKeyProblem(key);
  if (wrongKey !== undefined) throw new AdminError(422, wrongKey);
  const document = documentIn(text);
  if (placedEntries(document).some((placed) => placed.key === key)) {
    throw new AdminError(409, `There is already a server "${key}".`);
  }
  return withEntry(text, document, key, entry);
}

function switched(text: string, key: string, isOn: boolean): string {
  const placed = placedEntries(documentIn(text)).find((each) => each.key === key);
  if (!placed) throw new AdminError(404, `There is no server "${key}" in the configuration.`);
  return withSwitch(text, placed, isOn);
}

function documentIn(text: string): WrittenEntry {
  const document = readJson(text);
  if (!isRecord(document))
    throw new AdminError(422, 'The configuration file is not valid JSON. Correct it first.');
  return document;
}
