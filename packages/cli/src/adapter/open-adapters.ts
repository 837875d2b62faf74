/** A hub of adapters, ready to be called and served under their own names. */

import { resolve } from 'node:path';

import { Hub, View } from '@callsign/core';
import { createAdapterSource, type Adapter, type AdapterSource } from '@callsign/mcpaql';
import { IDENTITY } from '@callsign/naming';
import { createServedSource, type ServedSource } from '@callsign/wire';

import type { Context } from '../command/command.js';
import { usageFailure } from '../command/failure.js';
import { SELF } from '../fleet/running-gateway.js';
import { openUpstreams } from './upstreams.js';

export interface AdapterWords {
  /** Replaces the adapter's own address. Only for a single adapter. */
  readonly baseUrl?: string;
  /** Where binary answers are saved. Replaces the adapter's own folder. */
  readonly downloads?: string;
}

export interface OpenAdapters {
  readonly sources: readonly AdapterSource[];
  readonly served: ServedSource;
  close(): Promise<void>;
}

/** The caller must close the result, which also ends the servers behind adapters. */
export async function openAdapters(
  context: Context,
  adapters: readonly Adapter[],
  { baseUrl, downloads }: AdapterWords,
): Promise<OpenAdapters> {
  if (baseUrl !== undefined) checkBaseUrl(baseUrl, adapters);
  checkToolNames(adapters);
  const upstreams = await openUpstreams(context, adapters);
  const sources = adapters.map((adapter) => {
    const upstream = upstreams.of(adapter);
    return createAdapterSource(adapter, {
      env: context.env,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(downloads === undefined ? {} : { downloads: resolve(context.cwd, downloads) }),
      ...(upstream ? { upstream } : {}),
    });
  });
  return {
    sources,
    served: servedSourceOf(sources),
    async close() {
      await Promise.all([upstreams.close(), ...sources.map((source) => source.close())]);
    },
  };
}

/** Several adapters need the adapter in their names, so that a model can tell their tools apart. */
function checkToolNames(adapters: readonly Adapter[]): void {
  const bare = adapters.find(({ toolNames }) => !toolNames.pattern.includes('{adapter}'));
  if (bare === undefined || adapters.length === 1) return;
  throw usageFailure(
    `${bare.name} names its tools "${bare.toolNames.pattern}", which works for a single adapter only. ` +
      'Use "{adapter}_mcpaql_{endpoint}", or serve it alone.',
  );
}

/** A hub of adapters. Their labels are trusted: they come from files that the user chose. */
export function adapterHub(sources: readonly AdapterSource[]): Hub {
  const hub = new Hub({ label: () => ({ trust: 'full' }) });
  // By number: two files may give their adapters the same name.
  for (const [i, source] of sources.entries()) hub.set(`${i}`, source);
  return hub;
}

function servedSourceOf(sources: readonly AdapterSource[]): ServedSource {
  const hub = adapterHub(sources);
  const view = new View(hub, { profile: IDENTITY, titles: false });
  const [only, ...others] = sources.map(({ adapter }) => adapter);
  const self =
    only && others.length === 0
      ? { name: only.name, title: only.displayName, version: only.version }
      : SELF;
  return createServedSource(view, { self });
}

function checkBaseUrl(text: string, adapters: readonly Adapter[]): void {
  if (adapters.length > 1) throw usageFailure('--base-url is for one adapter; serve it alone.');
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw usageFailure(`--base-url takes an http or https address, not "${text}".`);
  }
}
