/** Writes accepted reviews into the text of an adapter, line by line. Every other line stays as it is. */

import { isDeepStrictEqual } from 'node:util';

import { readDocument } from '../../adapter/written-document.js';

/** A line with a key and a value, possibly the first line of an item: `    - name: list_ships`. */
const MEMBER = /^( *)(- )?(\w+):(?: (.*?))?\r?$/;

export interface AcceptedReviews {
  /** Fingerprints by the name of the operation. */
  readonly prints: ReadonlyMap<string, string>;
  /** The new trust level. Default: it stays. */
  readonly level?: string;
}

/**
 * `expected`: the document that the new text must have. `undefined` if the text is written in a form that lines do
 * not show, so the caller must write it in another way.
 */
export function patchReview(
  frontMatter: string,
  { prints, level }: AcceptedReviews,
  expected: unknown,
): string | undefined {
  const lines = frontMatter.split('\n');
  let section = '';
  /** The column of the keys of the current operation, and what is known about it. */
  let item = { column: -1, name: '', reviewed: -1 };
  const finish = (): void => {
    const print = prints.get(item.name);
    if (print === undefined || item.reviewed === -1) return;
    // Without another letter than "e" it would be a number.
    const value = /[a-df]/.test(print) ? print : `"${print}"`;
    lines[item.reviewed] = lines[item.reviewed]!.replace(/(?<=reviewed: +)\S+/, value);
  };
  for (const [i, line] of lines.entries()) {
    const [, indent = '', dash, key = '', value = ''] = MEMBER.exec(line) ?? [];
    if (key === '') continue;
    const column = indent.length + (dash ? 2 : 0);
    if (column === 0) section = key;
    if (section === 'trust' && key === 'level' && level !== undefined) {
      lines[i] = line.replace(/(?<=level: +)\S+/, level);
    }
    if (section !== 'operations') continue;
    if (dash && (item.column === -1 || column <= item.column)) {
      finish();
      item = { column, name: '', reviewed: -1 };
    }
    if (column !== item.column) continue;
    if (key === 'name') item.name = value;
    if (key === 'reviewed') item.reviewed = i;
  }
  finish();
  const text = lines.join('\n');
  return isDeepStrictEqual(readDocument(text, '').value, expected) ? text : undefined;
}
