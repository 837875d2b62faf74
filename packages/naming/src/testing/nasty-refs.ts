/** Tool identities that break naming schemes: a seeded, fast stream for property tests. */

import { canonicalName, serverKeyProblem, type ToolRef } from '../identity/tool-ref.js';

const FRAGMENTS = [
  ...'abcxyzABZ0189',
  '_',
  '__',
  '___',
  '-',
  '--',
  '.',
  '/',
  ' ',
  ':',
  '::',
  '\\',
  '{',
  '}',
  '$',
  '%2e',
  '\t',
  '\u0000',
  'read',
  'file',
  'read_file',
  'list',
  'server',
  'tool',
  'mcp',
  'mcp__',
  'x',
  '_0abcdefghj',
  '_7zzzzzzzzz',
  '_h',
  '_d',
  '_h0',
  '_h1',
  '-h1',
  '_h3d4',
  '.d2',
  '_k4',
  'a-b',
  'c.d',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '😀',
  '👩‍👩‍👧',
  'é',
  'e\u0301',
  'ß',
  'İ',
  'а',
  '\u202e',
  '\u200b',
  'שלום',
  'مرحبا',
  '読む',
  '\ud800',
  '\udfff',
];

const JOINTS = ['_', '-', '.', '__', '_-', ''];

/** Distinct, valid identities. The same seed gives the same list. */
export function nastyRefs(seed: number, count: number): ToolRef[] {
  const next = mulberry32(seed);
  const pick = (limit: number): number => Math.floor(next() * limit);
  const text = (): string => {
    if (pick(50) === 0)
      return FRAGMENTS[pick(FRAGMENTS.length)]!.repeat(1 + pick(400)).slice(0, 400);
    let result = '';
    for (let parts = 1 + pick(6); parts > 0; parts--) result += FRAGMENTS[pick(FRAGMENTS.length)]!;
    return result;
  };
  const refs = new Map<string, ToolRef>();
  while (refs.size < count) {
    const server = text();
    // One tool in eight carries the key of its server.
    const tool = pick(8) === 0 ? server + JOINTS[pick(JOINTS.length)]! + text() : text();
    const ref = { server, tool };
    if (serverKeyProblem(ref.server) === undefined) refs.set(canonicalName(ref), ref);
  }
  return [...refs.values()];
}

/**
 * Every identity over a few characters: keys of up to two characters, tools of up to five. If two
 * forms can collide, they collide here.
 */
export function denseRefs(characters: string): ToolRef[] {
  const keys = textsUpTo(2, characters);
  return keys.flatMap((server) => textsUpTo(5, characters).map((tool) => ({ server, tool })));
}

function textsUpTo(length: number, characters: string): string[] {
  if (length === 0) return [];
  const shorter = textsUpTo(length - 1, characters);
  const longest = shorter.filter((text) => text.length === length - 1);
  const stems = length === 1 ? [''] : longest;
  return [...shorter, ...stems.flatMap((stem) => [...characters].map((c) => stem + c))];
}

/** A small random generator with a seed; good enough to mix text fragments. */
function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
