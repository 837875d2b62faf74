/** JSON text on several lines, with every number and every escape as it was written. */

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gs;
const INDENT = '  ';

/** The text is returned as it is if it is not JSON, or no object or list. */
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
