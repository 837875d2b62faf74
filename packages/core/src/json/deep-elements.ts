/**
 * Removes list elements that are nested too deeply to be read, so that the rest of a list can be
 * used.
 */

export interface ShallowList {
  /** The whole message without them. */
  readonly text: string;
  /** The quoted names of the removed elements, or `an element` where no name was found. */
  readonly leftOut: readonly string[];
}

/** In a message the list is a member of the result: `{"result":{"tools":[…]}}`. */
const LIST_DEPTH = 3;
/** Somewhat below the limit of `JsonScan`, since an element is also read on its own. */
const MAX_DEPTH = 500;
const NAME = /"(?:name|uri|uriTemplate)"\s*:\s*("(?:[^"\\]|\\.){1,200}")/;

/** `undefined`: nothing is nested too deeply, so the text has another fault. */
export function withoutDeepElements(text: string): ShallowList | undefined {
  const leftOut: string[] = [];
  let shortened = '';
  let from = 0;
  for (const { start, end, isDeep } of elementsIn(text)) {
    if (!isDeep) continue;
    leftOut.push(NAME.exec(text.slice(start, end))?.[1] ?? 'an element');
    const before = text.slice(from, start);
    // Remove one of the two commas around it.
    const comma = /^\s*,/.exec(text.slice(end, end + 100))?.[0];
    shortened += comma === undefined ? before.replace(/,\s*$/, '') : before;
    from = end + (comma?.length ?? 0);
  }
  return leftOut.length === 0 ? undefined : { text: shortened + text.slice(from), leftOut };
}

interface Element {
  readonly start: number;
  readonly end: number;
  readonly isDeep: boolean;
}

/** The objects in lists of the message, found by brackets and quotes alone. */
function* elementsIn(text: string): Generator<Element> {
  const marks = /["{}[\]]/g;
  let depth = 0;
  let start = -1;
  let isDeep = false;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '"') {
      marks.lastIndex = endOfString(text, mark.index);
    } else if (mark[0] === '{' || mark[0] === '[') {
      if (depth++ === LIST_DEPTH) [start, isDeep] = [mark.index, false];
      if (depth > MAX_DEPTH) isDeep = true;
    } else if (--depth === LIST_DEPTH && start !== -1) {
      yield { start, end: mark.index + 1, isDeep };
      start = -1;
    }
  }
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}
