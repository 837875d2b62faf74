/**
 * JSON as its tokens: keys in their order, numbers and strings as they were written. It shares no
 * code with Callsign.
 */

// oxlint-disable-next-line typescript/no-explicit-any -- what came over the wire may be anything, and tests look into it at will
export type Json = any;

export type Tree =
  | { readonly is: 'scalar'; readonly text: string }
  | { readonly is: 'array'; readonly items: readonly Tree[] }
  | { readonly is: 'object'; readonly members: readonly Member[] };

/** The key as it was written, quotes included. */
type Member = readonly [key: string, value: Tree];

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|([[\]{},:])|([^\s[\]{},:"]+))\s*/gy;

export function readTree(text: string): Tree {
  JSON.parse(text);
  const tokens = Array.from(
    text.matchAll(TOKEN),
    ([, string, mark, word]) => string ?? mark ?? word!,
  );
  let at = 0;
  const readValue = (): Tree => {
    const token = tokens[at++]!;
    if (token === '[') {
      const items: Tree[] = [];
      while (tokens[at] !== ']') {
        items.push(readValue());
        if (tokens[at] === ',') at++;
      }
      at++;
      return { is: 'array', items };
    }
    if (token !== '{') return { is: 'scalar', text: token };
    const members: Member[] = [];
    while (tokens[at] !== '}') {
      const key = tokens[at]!;
      at += 2;
      members.push([key, readValue()]);
      if (tokens[at] === ',') at++;
    }
    at++;
    return { is: 'object', members };
  };
  return readValue();
}

export function writeTree(tree: Tree): string {
  if (tree.is === 'scalar') return tree.text;
  if (tree.is === 'array') return `[${tree.items.map(writeTree).join(',')}]`;
  return `{${tree.members.map(([key, value]) => `${key}:${writeTree(value)}`).join(',')}}`;
}

/** A member of the outermost object exactly as it is written, including its spaces. */
export function rawMember(text: string, key: string): string | undefined {
  let depth = 0;
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') {
      const end = endOfString(text, at);
      const colon = /^\s*:\s*/.exec(text.slice(end, end + 20))?.[0];
      const isKey = depth === 1 && start === -1 && colon !== undefined;
      if (isKey && text.slice(at, end) === JSON.stringify(key)) start = end + colon.length;
      at = end - 1;
    } else if (char === '{' || char === '[') depth++;
    else if (start !== -1 && depth === 1 && (char === ',' || char === '}')) {
      return text.slice(start, at).trimEnd();
    } else if (char === '}' || char === ']') depth--;
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
