/** Looks for secrets in results, and removes them. The rest of a result stays as its server wrote it. */

import { elementsOf, membersOf, withMembers } from '@callsign/core';
import { redactJson } from '@callsign/core/secrets';

/** Blocks with these members are images, sounds and files. Their data is not searched. */
const BINARY = ['data', 'blob'];

export interface CheckedResult {
  /** The result as JSON text, with `[redacted]` in place of each secret. */
  readonly json: string;
  /** How many values held a secret. */
  readonly count: number;
}

export function checkedForSecrets(json: string): CheckedResult {
  const before: unknown = JSON.parse(json);
  const counter = { count: 0 };
  const masked = patched(json, before, withBinary(redactJson(before), before), counter);
  return { json: masked, count: counter.count };
}

/** Puts back the data of images and files: what looks like a secret in it is chance. */
function withBinary(after: unknown, before: unknown): unknown {
  if (!isRecord(after) || !isRecord(before)) return after;
  const result = { ...after };
  for (const list of ['content', 'contents', 'messages']) {
    const [blocks, own] = [after[list], before[list]];
    if (Array.isArray(blocks) && Array.isArray(own))
      result[list] = blocks.map((block: unknown, i) => restored(block, own[i]));
  }
  return result;
}

function restored(after: unknown, before: unknown): unknown {
  if (!isRecord(after) || !isRecord(before)) return after;
  const binary = BINARY.filter((key) => typeof before[key] === 'string');
  const inner = ['resource', 'content'].filter((key) => isRecord(before[key]));
  return {
    ...after,
    ...Object.fromEntries(binary.map((key) => [key, before[key]])),
    ...Object.fromEntries(inner.map((key) => [key, restored(after[key], before[key])])),
  };
}

/** Changes only the values that differ, so that numbers and the order of members stay the same. */
function patched(
  text: string,
  before: unknown,
  after: unknown,
  counter: { count: number },
): string {
  if (before === after) return text;
  if (Array.isArray(before) && Array.isArray(after)) {
    const elements = elementsOf(text)!.map((each, i) =>
      patched(each, before[i], after[i], counter),
    );
    return `[${elements.join(',')}]`;
  }
  if (isRecord(before) && isRecord(after) && hasSameKeys(before, after)) {
    const members = membersOf(text)!;
    const changes: Record<string, string> = {};
    for (const [key, { start, end }] of members) {
      const member = text.slice(start, end);
      const now = patched(member, before[key], after[key], counter);
      if (now !== member) changes[key] = now;
    }
    return Object.keys(changes).length === 0 ? text : withMembers(text, changes, members);
  }
  counter.count++;
  return JSON.stringify(after);
}

/** A key may be a secret too. */
function hasSameKeys(a: object, b: object): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
