/** Formats JSON text on several lines. Every number and escape stays as written. */

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gs;
const INDENT = '  ';

/** Returns text that is not a JSON object or list unchanged. */
export function indented(json: string): string {
  if (!isStructure(json)) return json;
  const parts: string[] = [];
  let depth = 0;
  let before = '';
  const line = (): string => `\n${INDENT.repeat(depth)}`;
  for (const [token] of json.matchAll(TOKEN)) {
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

function isStructure(json: string): boolean {
  if (!/^\s*[[{]/.test(json)) return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
