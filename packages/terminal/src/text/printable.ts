/**
 * Makes untrusted text safe for a terminal: characters that move, colour or hide something are
 * spelled out.
 */

/**
 * Control, format and invisible characters, and lone surrogates. Joiners and variation selectors
 * stay: emoji need them.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u2028\u2029\u2800]|(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Safe text. Line breaks and tabs stay. */
export function printable(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(UNSEEN, (c) => (/[\n\t]/.test(c) ? c : spelledOut(c)));
}

/** Safe text on one line: white space becomes single spaces. */
export function onOneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}

/** JSON that means the same to a program and is safe in a terminal. */
export function printableJson(json: string): string {
  return json.replace(UNSEEN, (c) => (/[\n\r\t]/.test(c) ? c : inJson(c)));
}

function spelledOut(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

function inJson(character: string): string {
  return Array.from({ length: character.length }, (_, i) => {
    return `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }).join('');
}
