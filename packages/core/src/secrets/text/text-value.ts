/**
 * Finds the end of a value in text: its closing quote, or the place where a shell or a list
 * continues.
 */

/**
 * Ends a value without quotes. Includes the shell's separators, so that no command can hide after a
 * secret's name.
 */
const STOPS: ReadonlySet<string> = new Set(' \t\r\n\f\v"\'`&,;)]}|<>');

/**
 * The end of a value. `quote` opened it: `"` or `'`, either with backslashes before it, or nothing.
 */
export function valueEnd(text: string, start: number, quote: string): number {
  if (quote === '') return bareEnd(text, start);
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (char === '\r' || char === '\n') return i;
    if (text.startsWith(quote, i)) return i;
    // Within plain quotes a backslash escapes the next character.
    if (char === '\\' && quote.length === 1) i++;
  }
  return text.length;
}

function bareEnd(text: string, start: number): number {
  let i = start;
  while (i < text.length && !STOPS.has(text[i]!)) {
    if (text[i] === '\\' && (text[i + 1] === '"' || text[i + 1] === "'")) break;
    i++;
  }
  return i;
}
