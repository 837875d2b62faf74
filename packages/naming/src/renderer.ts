/** Exact or hashed: renders values under a client's rules so that nothing else decides the name. */

import { createNameCheck, nameRoom, notOneOf } from './client-profile.js';
import type { ClientProfile, NameFault } from './client-profile.js';
import { endsInMark, fingerprintMark, MARK_LENGTH } from './fingerprint.js';
import { namePattern, type NamePattern } from './pattern.js';
import { TOOL_SCOPE, type PatternScope, type PatternValues } from './pattern-scope.js';
import { canonicalName, type ToolRef } from './tool-ref.js';

/**
 * Why a name is not exact: a rule of the client, or the name would not lead back to its values
 * (`ambiguous`), or it could be mistaken for a hashed one (`looks-hashed`).
 */
export type HashReason = NameFault | 'ambiguous' | 'looks-hashed';

export interface RenderedName {
  readonly name: string;
  /** Nothing was lost: no mark, and the name leads back to its values. */
  readonly exact: boolean;
  readonly reasons: readonly HashReason[];
}

export interface RendererOptions {
  readonly profile: ClientProfile;
  /** The profile's own, `{server}` and `{tool}` around its separator, if absent. */
  readonly pattern?: NamePattern;
  /** The key under which the client knows us, where its length counts. */
  readonly clientKey?: string;
}

/** Renders values; `identity` is what the mark is made of. */
export type Renderer = (values: PatternValues, identity: string) => RenderedName;

const EXACT: readonly HashReason[] = [];
const IDENTITY_SCOPE: PatternScope = { variables: { tool: { required: true } } };

/** The pattern that a profile implies. */
export function profilePattern({ separator }: ClientProfile): NamePattern {
  return separator === null
    ? namePattern('{tool}', { scope: IDENTITY_SCOPE })
    : namePattern(`{server}${separator}{tool}`, { scope: TOOL_SCOPE });
}

export function createRenderer(options: RendererOptions): Renderer {
  const { profile, clientKey } = options;
  const pattern = options.pattern ?? profilePattern(profile);
  const room = nameRoom(profile, clientKey);
  const nameFaults = createNameCheck(profile, room);
  const shorten = createShortener(profile, pattern, room - MARK_LENGTH);
  // The convention's own form takes every valid identity as it is, so no hashed name exists to be confused with.
  const takesAll =
    !options.pattern && profile.characters === null && profile.maxLength === Infinity;

  return function render(values, identity) {
    const name = pattern.format(values);
    if (takesAll) return { name, exact: true, reasons: EXACT };
    const reasons: HashReason[] = nameFaults(name);
    if (!leadsBack(pattern, name, values)) reasons.push('ambiguous');
    if (endsInMark(name)) reasons.push('looks-hashed');
    if (reasons.length === 0) return { name, exact: true, reasons: EXACT };
    return { name: shorten(values) + fingerprintMark(identity), exact: false, reasons };
  };
}

/** A renderer of tools by their identity. */
export function createToolRenderer(options: RendererOptions): (ref: ToolRef) => RenderedName {
  const render = createRenderer(options);
  return function renderTool(ref) {
    return render({ server: ref.server, tool: ref.tool }, canonicalName(ref));
  };
}

function leadsBack(pattern: NamePattern, name: string, values: PatternValues): boolean {
  const parsed = pattern.parse(name);
  if (parsed === undefined) return false;
  for (const variable in parsed) if (parsed[variable] !== values[variable]) return false;
  return true;
}

/** Makes the readable stem of a hashed name: legal characters only, each value cut to its fair share. */
function createShortener(
  profile: ClientProfile,
  pattern: NamePattern,
  room: number,
): (values: PatternValues) => string {
  const illegal = profile.characters === null ? undefined : notOneOf(profile.characters);
  const illegalRun = illegal === undefined ? undefined : new RegExp(`${illegal}+`, 'g');
  const clean = (text: string): string => (illegalRun ? text.replace(illegalRun, '_') : text);
  const variables = pattern.parts.filter(({ kind }) => kind === 'variable').map(({ text }) => text);
  const literals = pattern.parts.filter(({ kind }) => kind === 'literal');
  const literalLength = literals.reduce((sum, { text }) => sum + clean(text).length, 0);

  return function shorten(values) {
    // Nothing beyond a few times the room can be seen in the end; strangers' names may be endless.
    const cleaned = variables.map((name) =>
      trimmed(clean((values[name] ?? '').slice(0, 4 * room))),
    );
    const shares = fairShares(
      cleaned.map(({ length }) => length),
      room - literalLength,
    );
    const cut: Record<string, string> = {};
    for (const [i, name] of variables.entries()) {
      cut[name] = trimmed(cleaned[i]!.slice(0, shares[i]));
    }
    const stem = clean(pattern.format(cut));
    const first = profile.firstCharacters;
    const started = first && !first.includes(stem.charAt(0)) ? `x${stem}` : stem;
    return started.slice(0, room);
  };
}

/** Without underscores at the ends; by hand, since patterns for that take quadratic time. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === '_') start++;
  while (end > start && text[end - 1] === '_') end--;
  return text.slice(start, end) || 'x';
}

/** Divides room among lengths: the short keep what they need, the long share what is left. */
function fairShares(lengths: readonly number[], room: number): number[] {
  const shares: number[] = [];
  let left = Math.max(room, 0);
  const shortestFirst = lengths.map((_, i) => i).toSorted((a, b) => lengths[a]! - lengths[b]!);
  for (const [done, i] of shortestFirst.entries()) {
    shares[i] = Math.min(lengths[i]!, Math.floor(left / (lengths.length - done)));
    left -= shares[i]!;
  }
  return shares;
}
