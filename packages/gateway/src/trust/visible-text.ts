/** Foreign text as people may be shown it: on one line, every character in sight, none that steers a terminal. */

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

export function visibleText(text: string, most = 200): string {
  // A character may be two units long; one more than the most shows that there is more.
  const first = Array.from(text.slice(0, most * 2 + 2));
  const cut = first.length > most ? `${first.slice(0, most).join('')}…` : text;
  return cut.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    return `\\u{${code}}`;
  });
}
