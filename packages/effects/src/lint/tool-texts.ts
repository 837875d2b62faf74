/**
 * Lists every text of a tool that may reach a model, with its place: titles, descriptions and all
 * strings of schemas.
 */

import type { LintedTool } from './rule.js';

/** A text and where it is. */
export interface ToolText {
  /** The place, such as `inputSchema.properties.path.description`, in visible characters. */
  readonly path: string;
  readonly text: string;
}

export interface ToolTexts {
  /** In the order of the definition. */
  readonly texts: readonly ToolText[];
  /** The first place that was not read because of the limits below. Missing if everything was read. */
  readonly unread?: string;
}

interface Place {
  readonly path: string;
  readonly value: unknown;
  readonly depth: number;
}

/** Real tools stay far below these limits. They stop the search in a Proxy with endless values. */
const MAX_VALUES = 10_000;
const MAX_DEPTH = 64;

const FIELDS = ['title', 'description', 'annotations', 'inputSchema', 'outputSchema'] as const;

/** Includes the names of properties: models see them, and people rarely do. */
export function textsOf(tool: LintedTool): ToolTexts {
  const texts: ToolText[] = [];
  const ahead: Place[] = FIELDS.map((path) => ({ path, value: tool[path], depth: 0 })).toReversed();
  let values = 0;
  let unread: string | undefined;
  for (let place = ahead.pop(); place !== undefined; place = ahead.pop()) {
    const { path, value, depth } = place;
    if (typeof value === 'string') texts.push({ path, text: value });
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_DEPTH || values > MAX_VALUES) {
      unread ??= path;
      continue;
    }
    const inside = Object.entries(value);
    values += inside.length;
    const isArray = Array.isArray(value);
    for (const [key] of isArray ? [] : inside) texts.push({ path: `${path} key`, text: key });
    for (const [key, each] of inside.toReversed()) {
      ahead.push({ path: step(path, key, isArray), value: each, depth: depth + 1 });
    }
  }
  return unread === undefined ? { texts } : { texts, unread };
}

function step(path: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${key}]`;
  if (/^[\w$-]{1,64}$/.test(key)) return `${path}.${key}`;
  const visible = JSON.stringify(key.slice(0, 64)).replaceAll(/[^ -~]/gu, escaped);
  return `${path}[${visible}]`;
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
