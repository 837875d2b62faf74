/** Which definitions of tools were accepted, and what is to be said of those that servers give now. */

import { readFileSync } from 'node:fs';

import type { Item } from '@callsign/core';

import { definitionOf } from './definition.js';
import { differenceOf } from './definition-difference.js';
import { exclusively, replaceFile } from '@callsign/config';
import {
  accepted,
  parseLock,
  renderLock,
  type AcceptedTool,
  type AcceptedTools,
} from './lock-file.js';

/** What is to be said of one tool. */
export type Standing =
  | { readonly is: 'accepted' | 'new' }
  | { readonly is: 'changed'; readonly difference: readonly string[] }
  /** It was accepted, and is not offered any more. */
  | { readonly is: 'gone' };

export interface ToolStanding {
  readonly tool: string;
  readonly standing: Standing;
}

type Change = (servers: Map<string, Map<string, AcceptedTool>>) => void;

export class ToolLock {
  readonly file: string;
  #servers: AcceptedTools;
  #text: string | undefined;

  /** Throws if there is a file that cannot be read: nobody knows what it accepted. */
  constructor(file: string) {
    this.file = file;
    this.#text = textOf(file);
    this.#servers = read(file, this.#text);
  }

  /** The tools that were accepted of a server; `undefined` if it is not in the lock at all. */
  tools(server: string): ReadonlyMap<string, AcceptedTool> | undefined {
    return this.#servers.get(server);
  }

  standing(server: string, item: Item): Standing {
    const known = this.#servers.get(server)?.get(item.name);
    if (!known) return { is: 'new' };
    const { hash, text } = definitionOf(item);
    if (hash === known.hash) return { is: 'accepted' };
    return { is: 'changed', difference: differenceOf(known.definition, text) };
  }

  /** Every tool that a server offers or was accepted with, in order. */
  status(server: string, items: readonly Item[]): readonly ToolStanding[] {
    const offered = new Map(items.map((item) => [item.name, item]));
    const names = new Set([...(this.#servers.get(server)?.keys() ?? []), ...offered.keys()]);
    return [...names].toSorted().map((tool) => {
      const item = offered.get(tool);
      return { tool, standing: item ? this.standing(server, item) : { is: 'gone' } };
    });
  }

  /** Accepts a server that is not in the lock yet, as it is now. One that another process put there stays. */
  pin(server: string, items: readonly Item[]): Promise<void> {
    const put: Change = (servers) => {
      if (!servers.has(server)) servers.set(server, acceptedOf(items));
    };
    // At once for us: what this server adds from now on is new.
    this.#servers = changed(this.#servers, put);
    return this.#write(put);
  }

  /** Accepts what a server offers now: all of it, or one tool. Whatever is gone leaves the lock with all of it. */
  accept(server: string, items: readonly Item[], tool?: string): Promise<void> {
    return this.#write((servers) => {
      const now = acceptedOf(items);
      if (tool === undefined) servers.set(server, now);
      else {
        const one = now.get(tool);
        const tools = new Map(servers.get(server));
        if (one) tools.set(tool, one);
        else tools.delete(tool);
        servers.set(server, tools);
      }
    });
  }

  /** Reads the file again; true if it says something else. Throws if it cannot be read; what it said holds on. */
  reload(): boolean {
    const text = textOf(this.file);
    if (text === this.#text) return false;
    this.#servers = read(this.file, text);
    this.#text = text;
    return true;
  }

  /** Changes what the file says by then, which may be another's word. */
  #write(change: Change): Promise<void> {
    return exclusively(this.file, async () => {
      const before = textOf(this.file);
      const servers = changed(read(this.file, before), change);
      const text = renderLock(servers);
      if (text !== before) replaceFile(this.file, text, { mode: 0o644, isDurable: true });
      this.#servers = servers;
      this.#text = text;
    });
  }
}

/** Of a name that a server lists twice the first counts, as everywhere. */
function acceptedOf(items: readonly Item[]): Map<string, AcceptedTool> {
  const entries = items.map((item) => [item.name, accepted(definitionOf(item))] as const);
  return new Map(entries.toReversed());
}

function changed(servers: AcceptedTools, change: Change): AcceptedTools {
  const copy = new Map(Array.from(servers, ([server, tools]) => [server, new Map(tools)]));
  change(copy);
  return copy;
}

function read(file: string, text: string | undefined): AcceptedTools {
  if (text === undefined) return new Map();
  try {
    return parseLock(text);
  } catch (error) {
    const { message } = error as Error;
    const advice = 'Restore it from version control, or delete it to accept all tools as they are.';
    throw new Error(`${file} cannot be read: ${message}. ${advice}`, { cause: error });
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
