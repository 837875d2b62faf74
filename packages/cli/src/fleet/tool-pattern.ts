/** The pattern that a list of tools takes: part of a name, or a glob. */

import { nearestWord } from '@callsign/config';
import { globMatcher } from '@callsign/core';
import { onOneLine } from '@callsign/terminal';

import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import type { Fleet } from './fleet.js';

export function isGlob(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

export function matches(pattern: string | undefined, ...names: readonly string[]): boolean {
  if (pattern === undefined) return true;
  if (isGlob(pattern)) return names.some(globMatcher(pattern));
  return names.some((name) => name.toLowerCase().includes(pattern.toLowerCase()));
}

/** The failure for a word that no tool has, with the server or tool that was probably meant. */
export function noMatch(command: 'names' | 'tools', pattern: string, { tools }: Fleet): Failure {
  const known = [...tools.values()].flatMap(({ ref, canonical }) => [
    ref.server,
    canonical,
    ref.tool,
  ]);
  const nearest = nearestWord(pattern, known);
  const hint =
    nearest === undefined ? '' : ` Did you mean: callsign ${command} ${onOneLine(nearest)}?`;
  const message = `No tool matches "${pattern}".${hint}\nTo look again: callsign ${command} --refresh`;
  return new Failure({ exit: EXIT.usage, code: 'no-match', message });
}
