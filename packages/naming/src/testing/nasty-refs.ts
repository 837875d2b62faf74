/** Tool identities that break naming schemes: a seeded, fast stream for property tests. */

import { canonicalName, serverKeyProblem, type ToolRef } from '../tool-ref.js';

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
    const ref = { server: text(), tool: text() };
    if (serverKeyProblem(ref.server) === undefined) refs.set(canonicalName(ref), ref);
  }
  return [...refs.values()];
}

/** A small random generator with a seed; quality enough to mix fragments. */
function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
