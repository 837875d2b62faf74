/** The danger level of an operation: as its author states it, else by its name and its endpoint. */

import { type Effect, type Endpoint, judge } from '@callsign/effects';

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

/** Names that are more dangerous than their endpoint, the worst first. The first match counts. */
const BY_NAME: readonly (readonly [pattern: RegExp, level: DangerLevel])[] = [
  [/^(?:drop|truncate|reset|destroy|wipe)_|^delete_all|_production$/, 'forbidden'],
  [/^(?:force|override|bypass|purge)_|^bulk_delete|_permanently$|_without_backup$/, 'dangerous'],
];

/** Whether a level is as dangerous as another one, or more. */
export function isAtLeast(level: DangerLevel, least: DangerLevel): boolean {
  return DANGER_LEVELS.indexOf(level) >= DANGER_LEVELS.indexOf(least);
}

/** Verbs of updates that take something away. */
const TAKES_AWAY =
  /^(?:replace|overwrite|revert|rollback|disable|deactivate|suspend|block|archive|unpublish|detach|close)$/;

/** Whether a fact tells of damage: it destroys, cannot be taken back, or takes something away. */
export function isHarmful(fact: {
  readonly effect?: Effect | undefined;
  readonly word: string;
}): boolean {
  return fact.effect === 'destroys' || fact.effect === 'sends' || TAKES_AWAY.test(fact.word);
}

/** The level of an operation whose author states none. A read is safe under any name. */
export function assumedDanger(name: string, endpoint: Endpoint): DangerLevel {
  if (endpoint === 'read') return 'safe';
  const worse = BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  if (worse !== undefined) return worse;
  if (endpoint === 'create') return 'reversible';
  const isHarm = endpoint === 'delete' || judge({ name }).evidence.some(isHarmful);
  return isHarm ? 'destructive' : 'reversible';
}
