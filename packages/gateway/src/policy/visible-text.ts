/** Text of strangers as a person may be shown it: short, and with everything that hides in it made visible. */

/** What a reader cannot see, or what moves the cursor: all but line breaks and tabs. */
const HIDDEN =
  /[^\P{Cc}\n\t]|[\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Hidden characters as `⟨U+202E⟩`; what is too long ends in `…`. */
export function visibleText(text: string, maxLength: number): string {
  const isLong = text.length > maxLength;
  // A pair of surrogates that the cut would split goes as a whole.
  const shown = isLong ? text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '') : text;
  return shown.replaceAll(HIDDEN, codePoint) + (isLong ? '…' : '');
}

/** The same on one line. */
export function visibleLine(text: string, maxLength: number): string {
  return visibleText(
    text
      .slice(0, 2 * maxLength)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    maxLength,
  );
}

function codePoint(character: string): string {
  const hex = character.codePointAt(0)!.toString(16).toUpperCase();
  return `⟨U+${hex.padStart(4, '0')}⟩`;
}
