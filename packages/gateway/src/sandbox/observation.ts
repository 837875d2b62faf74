/** What was observed of one tool, and what it says about the label. */

import { isRecord } from '@callsign/config';
import type { ObservedEffect } from '@callsign/effects';

import type { Deed } from './trace.js';

/** Stored in the state folder, and shown to people. */
export interface Observation {
  readonly server: string;
  readonly tool: string;
  /** The digest of the definition: another definition may do something else. */
  readonly definition: string;
  /** The command that was observed, as one digest. */
  readonly command: string;
  /** The version that the server announced. */
  readonly version?: string;
  /** As ISO text. */
  readonly at: string;
  /** `not-called`: the call failed before anything could be seen, such as for missing credentials. */
  readonly outcome: 'answered' | 'failed';
  /** What it tried: each once. */
  readonly changed: readonly string[];
  readonly destroyed: readonly string[];
  readonly ran: readonly string[];
  readonly reached: readonly string[];
  /** Why some of it may be missing. */
  readonly doubts: readonly string[];
}

export type ObservedDeeds = Pick<
  Observation,
  'changed' | 'destroyed' | 'ran' | 'reached' | 'doubts'
>;

/** Logs, caches, locks and temporary files are how a program works, not what a tool does. */
const HOUSEKEEPING = [
  /^\/(?:dev|proc|tmp|var\/tmp|run)(?:\/|$)/,
  /\/(?:\.cache|\.npm|Caches|__pycache__|logs?)(?:\/|$)/,
  /\.(?:log|lock|tmp|pyc)$/,
  /-(?:wal|shm|journal)$/,
];
const MOST = 20;

/** What a server did between two moments. */
export function observedDeeds(deeds: readonly Deed[], from: number, to: number): ObservedDeeds {
  const during = deeds.filter(({ at }) => at >= from && at <= to);
  const of = (...kinds: Deed['kind'][]): string[] => [
    ...new Set(during.filter(({ kind }) => kinds.includes(kind)).map(({ what }) => what)),
  ];
  // ENOENT: there was nothing to change or to run.
  const missed = new Set(
    during
      .filter(({ kind, error }) => error === 'ENOENT' && kind !== 'changes')
      .map(({ what }) => what),
  );
  const isDone = (what: string): boolean => !missed.has(what);
  return {
    changed: of('changes').filter(isReal).slice(0, MOST),
    destroyed: of('destroys').filter(isReal).filter(isDone).slice(0, MOST),
    ran: [
      ...new Set(
        during
          .filter(({ kind, error }) => kind === 'runs' && error === undefined)
          .map(({ what }) => what),
      ),
    ].slice(0, MOST),
    reached: [...of('asks'), ...of('connects').filter((what) => !isHere(what))].slice(0, MOST),
    doubts: of('hides'),
  };
}

function isReal(path: string): boolean {
  return !HOUSEKEEPING.some((pattern) => pattern.test(path));
}

function isHere(address: string): boolean {
  return /^(?:127\.|\[::1\])/.test(address);
}

/** Whether nothing was seen. That proves nothing: with other arguments, it may do more. */
export function isEmpty({ changed, destroyed, ran, reached }: ObservedDeeds): boolean {
  return changed.length + destroyed.length + ran.length + reached.length === 0;
}

/** What the label makes of it. Running a program says nothing by itself. */
export function effectOf({
  changed,
  destroyed,
  reached,
}: ObservedDeeds): ObservedEffect | undefined {
  const [lost, written, far] = [destroyed[0], changed[0], reached[0]];
  if (lost === undefined && written === undefined && far === undefined) return undefined;
  return {
    ...(lost === undefined
      ? {}
      : { destroys: `it tried to delete or replace ${lost} when it was observed` }),
    ...(written === undefined
      ? {}
      : { changes: `it tried to write ${written} when it was observed` }),
    ...(far === undefined ? {} : { reaches: `it tried to reach ${far} when it was observed` }),
  };
}

/** The claims of a tool that what was observed contradicts, as sentences. */
export function contradictedClaims(claims: unknown, deeds: ObservedDeeds): string[] {
  const { destroys, changes = destroys, reaches } = effectOf(deeds) ?? {};
  const claim = isRecord(claims) ? claims : {};
  const { readOnlyHint, destructiveHint, openWorldHint } = claim;
  return [
    ...(readOnlyHint === true && changes !== undefined
      ? [`It claims to be read-only, but ${changes}.`]
      : []),
    ...(destructiveHint === false && readOnlyHint !== true && destroys !== undefined
      ? [`It claims to destroy nothing, but ${destroys}.`]
      : []),
    ...(openWorldHint === false && reaches !== undefined
      ? [`It claims to reach no other system, but ${reaches}.`]
      : []),
  ];
}

/** The first things of one kind. */
function part(verb: string, what: readonly string[]): string[] {
  if (what.length === 0) return [];
  const more = what.length > 3 ? ` and ${what.length - 3} more` : '';
  return [`${verb} ${what.slice(0, 3).join(', ')}${more}`];
}

/** One line for people. */
export function observationInWords(observation: ObservedDeeds): string {
  const { changed, destroyed, ran, reached, doubts } = observation;
  const parts = [
    ...part('tried to write', changed),
    ...part('tried to delete or replace', destroyed),
    ...part('ran', ran),
    ...part('tried to reach', reached),
    ...part('used', doubts),
  ];
  return parts.length === 0 ? 'nothing observed' : parts.join('; ');
}
