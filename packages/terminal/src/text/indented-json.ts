/** Formats JSON text on several lines. Every number and escape stays as written. */

/** A mark, a literal, or the quote that starts a string. */
const TOKEN = /[[\]{},:"]|[^\s[\]{},:"]+/g;
const INDENT = '  ';
/** Deeper lines start at the same column: otherwise deep JSON gets hundreds of times longer. */
const MAX_INDENT = 20;

/** Returns text that is not a JSON object or list unchanged. */
export function indented(json: string): string {
  if (!isStructure(json)) return json;
  const parts: string[] = [];
  let depth = 0;
  let before = '';
  const line = (): string => `\n${INDENT.repeat(Math.min(depth, MAX_INDENT))}`;
  for (const token of tokensIn(json)) {
    const isClosing = token === '}' || token === ']';
    if (isClosing) depth--;
    const isFirst = before === '{' || before === '[';
    if (isClosing ? !isFirst : isFirst || before === ',') parts.push(line());
    parts.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') depth++;
    before = token;
  }
  return parts.join('');
}

function* tokensIn(json: string): Generator<string> {
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(json); found; found = TOKEN.exec(json)) {
    if (found[0] !== '"') yield found[0];
    else yield json.slice(found.index, (TOKEN.lastIndex = stringEnd(json, found.index)));
  }
}

/** Not a regular expression: the engine runs out of stack for long strings with many escapes. */
function stringEnd(json: string, start: number): number {
  let end = start;
  let slashes: number;
  do {
    end = json.indexOf('"', end + 1);
    slashes = 0;
    while (json[end - 1 - slashes] === '\\') slashes++;
  } while (slashes % 2 === 1);
  return end + 1;
}

function isStructure(json: string): boolean {
  if (!/^\s*[[{]/.test(json)) return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
