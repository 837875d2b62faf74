/** Describes the differences between two definitions, line by line, for people. */

import { visibleLetters } from '@callsign/core';

const MOST_LINES = 40;
/** How many characters of a value are shown, and how many before a change in a long text. */
const MOST_CHARACTERS = 160;
const BEFORE_CHANGE = 24;

/** Both are canonical JSON. `before` is unset if it was too long to be kept. */
export function differenceOf(before: string | undefined, after: string): readonly string[] {
  if (before === undefined)
    return ['The accepted definition was too long to be kept. Read the whole new one.'];
  const lines = [...differences('', JSON.parse(before), JSON.parse(after))];
  if (lines.length === 0) {
    return ['The difference is not visible: the spelling of a number, or a duplicate key.'];
  }
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), `… and ${more} more`] : lines;
}

function* differences(path: string, before: unknown, after: unknown): Generator<string> {
  if (isBranch(before) && isBranch(after) && Array.isArray(before) === Array.isArray(after)) {
    const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
    for (const key of new Set([...old.keys(), ...now.keys()])) {
      const inner = path === '' ? visibleLetters(key, 60) : `${path}.${visibleLetters(key, 60)}`;
      if (!old.has(key)) yield `${inner} is new: ${shown(now.get(key))}`;
      else if (!now.has(key)) yield `${inner} is gone: ${shown(old.get(key))}`;
      else yield* differences(inner, old.get(key), now.get(key));
    }
  } else if (!isSame(before, after)) yield `${path} was ${pair(before, after)}`;
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Both values. Of long texts, the part where they begin to differ. */
function pair(before: unknown, after: unknown): string {
  if (typeof before !== 'string' || typeof after !== 'string') {
    return `${shown(before)}, is ${shown(after)}`;
  }
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same++;
  const isLong = Math.max(before.length, after.length) > MOST_CHARACTERS;
  const from = isLong ? Math.max(0, same - BEFORE_CHANGE) : 0;
  const part = (text: string): string => (from > 0 ? '…' : '') + text.slice(from);
  return `${shown(part(before))}, is ${shown(part(after))}`;
}

function shown(value: unknown): string {
  return visibleLetters(JSON.stringify(value), MOST_CHARACTERS);
}
