/** The observations of a user's tools, one file for each server entry in the state folder. */

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { isRecord, makeFolder, replaceFile } from '@callsign/config';

import type { ServerConfig } from '../config/server-config.js';
import type { Observation } from './observation.js';

const MAX_BYTES = 4 * 1024 * 1024;

export class ObservationStore {
  readonly #folder: string;
  /** Read once: labels are made again with each change of the configuration. */
  readonly #read = new Map<string, readonly Observation[]>();

  /** `state`: the folder of the user's state. */
  constructor(state: string) {
    this.#folder = join(state, 'observations');
  }

  /** Those that were made with the server's present command. */
  of(server: ServerConfig): readonly Observation[] {
    const command = commandDigest(server);
    if (command === undefined) return [];
    const known = this.#read.get(command);
    if (known) return known;
    const found = this.#load(command).filter((each) => each.command === command);
    this.#read.set(command, found);
    return found;
  }

  /** Replaces earlier observations of the same tools. */
  add(server: ServerConfig, made: readonly Observation[]): void {
    const command = commandDigest(server);
    if (command === undefined || made.length === 0) return;
    this.#read.delete(command);
    const isMade = ({ tool }: Observation): boolean => made.some((each) => each.tool === tool);
    const all = [...this.of(server).filter((each) => !isMade(each)), ...made];
    this.#read.delete(command);
    makeFolder(this.#folder);
    replaceFile(this.#fileOf(command), JSON.stringify({ version: 1, observations: all }), {
      mode: 0o600,
    });
  }

  #load(command: string): readonly Observation[] {
    try {
      const file = this.#fileOf(command);
      if (statSync(file).size > MAX_BYTES) return [];
      const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
      if (!isRecord(value) || value['version'] !== 1 || !Array.isArray(value['observations']))
        return [];
      return value['observations'].filter(isObservation);
    } catch {
      return [];
    }
  }

  #fileOf(command: string): string {
    return join(this.#folder, `${command.slice(0, 40)}.json`);
  }
}

/** The command without its variables, which may hold secrets and do not change what a tool is. */
export function commandDigest(server: ServerConfig): string | undefined {
  if (server.transport !== 'stdio') return undefined;
  const { key, command, args } = server;
  return createHash('sha256')
    .update(JSON.stringify([key, command, args]))
    .digest('hex');
}

function isObservation(value: unknown): value is Observation {
  if (!isRecord(value)) return false;
  const lists = ['changed', 'destroyed', 'ran', 'reached', 'doubts'];
  const texts = ['server', 'tool', 'definition', 'command', 'at'];
  return (
    texts.every((name) => typeof value[name] === 'string') &&
    lists.every((name) => {
      const list = value[name];
      return Array.isArray(list) && list.every((each) => typeof each === 'string');
    })
  );
}
