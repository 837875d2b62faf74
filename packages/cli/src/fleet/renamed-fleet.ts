/** A preview of a fleet in which a server has another key. Writes nothing. */

import { renameServer } from '@callsign/config';
import { parseConfig } from '@callsign/gateway/host';
import { configuredKeyProblem } from '@callsign/naming';

import type { Context } from '../command/command.js';
import { usageFailure } from '../command/failure.js';
import { configFailure, entriesIn, requireEntry, requireText } from '../config-file/config-text.js';
import { fleetOf, type Fleet } from './fleet.js';

interface RenameOptions extends Pick<Context, 'file' | 'env'> {
  readonly oldKey: string;
  readonly newKey: string;
}

/** Uses the tools that the fleet already has, and starts no server. */
export function renamedFleet(fleet: Fleet, { file, env, oldKey, newKey }: RenameOptions): Fleet {
  const wrongKey = configuredKeyProblem(newKey);
  if (wrongKey !== undefined) throw usageFailure(wrongKey);
  const text = requireText(file);
  requireEntry(entriesIn(text, file), oldKey);
  const parsed = parseConfig(renameServer(text, oldKey, newKey), { file, env, isLenient: true });
  if (!parsed.ok) throw configFailure(file, parsed.problems);
  const servers = fleet.servers.map((server) =>
    server.key === oldKey ? { ...server, key: newKey } : server,
  );
  return fleetOf(parsed.config, servers, fleet.isNoted);
}
