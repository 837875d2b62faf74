/**
 * The instructions of several servers as one text: each as a quote under its server's key, within a
 * limit for all.
 */

import { hiddenSpelledOut } from '@callsign/effects';
import { fairShares } from '@callsign/naming';

import type { ServerInstructions } from '../source/source.js';

/** Bytes of UTF-8 for everything together. */
export const MAX_INSTRUCTIONS = 2_048;
/** Bytes. A server whose share would be smaller is left out: so little text is of no use. */
const LEAST_SHARE = 64;
const CUT = ' [cut]';

interface Section {
  readonly head: string;
  readonly text: string;
}

/**
 * The merged text. The text of a single source without a key stays as it is. `undefined`: no server
 * has instructions.
 */
export function mergeInstructions(all: readonly ServerInstructions[]): string | undefined {
  const given = all
    .map(({ server, text }) => ({ server, text: text.trim() }))
    .filter(({ text }) => text !== '');
  const [first] = given;
  if (!first || first.server === '') return first?.text;
  // No more than this is ever shown, so no more is worked on.
  const sections = given.map(({ server, text }) => {
    return { head: `## ${server}\n`, text: quoted(text.slice(0, MAX_INSTRUCTIONS)) };
  });
  let count = sections.length;
  while (
    count > 1 &&
    roomFor(sections, count) < Math.min(count * LEAST_SHARE, needOf(sections, count))
  )
    count--;
  const shares = fairShares(
    sections.slice(0, count).map(({ text }) => bytesOf(text)),
    roomFor(sections, count),
  );
  const parts = shares.map((share, i) => sections[i]!.head + cutTo(sections[i]!.text, share));
  return [...parts, ...noticeOf(sections.length - count)].join('\n\n');
}

/** The bytes that are left for texts if the first `kept` servers are shown. */
function roomFor(sections: readonly Section[], count: number): number {
  const heads = sections.slice(0, count).reduce((sum, { head }) => sum + bytesOf(head), 0);
  const notice = noticeOf(sections.length - count).map((text) => text.length + 2);
  return MAX_INSTRUCTIONS - heads - 2 * (count - 1) - (notice[0] ?? 0);
}

function needOf(sections: readonly Section[], count: number): number {
  return sections.slice(0, count).reduce((sum, { text }) => sum + bytesOf(text), 0);
}

function noticeOf(left: number): readonly string[] {
  if (left === 0) return [];
  return [`(${left} more ${left === 1 ? 'server has' : 'servers have'} instructions.)`];
}

/** Everything that some program reads as the end of a line. */
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * A Markdown quote: no heading, list or code block inside it reaches the sections of other servers.
 * So the text itself needs no parsing. Characters that a model reads and a person cannot see are
 * spelled out.
 */
function quoted(text: string): string {
  return text
    .split(LINE_END)
    .map((line) => (line === '' ? '>' : `> ${hiddenSpelledOut(line)}`))
    .join('\n');
}

/** Cuts at the end of a sentence, or else of a word, and says so. */
function cutTo(text: string, limit: number): string {
  if (bytesOf(text) <= limit) return text;
  const start = firstBytes(text, limit - CUT.length);
  const sentence = /^[\s\S]*[.!?](?=\s)/.exec(start)?.[0] ?? '';
  const word = /^[\s\S]*\S(?=\s)/.exec(start)?.[0] ?? '';
  // A text without spaces, as in Chinese, is cut after any character.
  return ([sentence, word].find(({ length }) => length * 2 > start.length) ?? start) + CUT;
}

function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += lengthOf(character);
  return bytes;
}

/** As many whole characters as fit. */
function firstBytes(text: string, limit: number): string {
  let [bytes, end] = [0, 0];
  for (const character of text) {
    bytes += lengthOf(character);
    if (bytes > limit) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** The length of a character in UTF-8. */
function lengthOf(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x1_0000 ? 3 : 4;
}
