/**
 * The danger level of an operation: as its author states it, else by its name, else by its
 * endpoint.
 */

import type { Endpoint } from '@callsign/effects';

/** From harmless to forbidden. */
export const DANGER_LEVELS = [
  'safe',
  'reversible',
  'destructive',
  'dangerous',
  'forbidden',
] as const;

/**
 * How much harm a call can do. It decides whether the call is confirmed or denied; see `trust.ts`.
 */
export type DangerLevel = (typeof DANGER_LEVELS)[number];

const BY_ENDPOINT: Readonly<Record<Endpoint, DangerLevel>> = {
  create: 'reversible',
  read: 'safe',
  update: 'reversible',
  delete: 'destructive',
  execute: 'reversible',
};

/** Names that are more dangerous than their endpoint, the worst first. The first match counts. */
const BY_NAME: readonly (readonly [pattern: RegExp, level: DangerLevel])[] = [
  [/^(?:drop|truncate|reset|destroy|wipe)_|^delete_all|_production$/, 'forbidden'],
  [/^(?:force|override|bypass|purge)_|^bulk_delete|_permanently$|_without_backup$/, 'dangerous'],
];

/** Whether a level is as dangerous as another one, or more. */
export function isAtLeast(level: DangerLevel, least: DangerLevel): boolean {
  return DANGER_LEVELS.indexOf(level) >= DANGER_LEVELS.indexOf(least);
}

/** The level of an operation whose author states none. A read is safe under any name. */
export function assumedDanger(name: string, endpoint: Endpoint): DangerLevel {
  if (endpoint === 'read') return 'safe';
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? BY_ENDPOINT[endpoint];
}
