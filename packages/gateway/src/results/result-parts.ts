/** The parts of a tool's result that are held back if they are long, and those that never are. */

import { elementsOf, membersOf, memberText } from '@callsign/core';

export interface ResultParts {
  /** The text of all its blocks. Empty if it has none. */
  readonly text: string;
  /** `structuredContent` as JSON text. */
  readonly data: string | undefined;
  /** The other blocks as JSON text: images, sounds, links. */
  readonly others: readonly string[];
}

/** `undefined`: it is no result of a tool, or the tool failed. */
export function partsOf(json: string): ResultParts | undefined {
  const members = membersOf(json);
  const textOf = (key: string): string | undefined => {
    const range = members?.get(key);
    return range && json.slice(range.start, range.end);
  };
  const blocks = elementsOf(textOf('content') ?? '');
  if (!blocks || textOf('isError') === 'true') return undefined;
  const texts: string[] = [];
  const others: string[] = [];
  for (const block of blocks) {
    const text = previewedText(block);
    if (text === undefined) others.push(block);
    else texts.push(text);
  }
  return { text: texts.join('\n'), data: textOf('structuredContent'), others };
}

/** The text of a block, even if it is in an embedded resource. */
function previewedText(block: string): string | undefined {
  if (!block.startsWith('{')) return undefined;
  const type = memberText(block, 'type');
  const holder = type === '"resource"' ? memberText(block, 'resource') : block;
  if ((type !== '"text"' && type !== '"resource"') || !holder?.startsWith('{')) return undefined;
  const text = memberText(holder, 'text');
  return text?.startsWith('"') ? (JSON.parse(text) as string) : undefined;
}
