/** Makes untrusted text safe to show: short, and with hidden characters made visible. */

/** Characters that are invisible or that move the cursor. */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const LINE_BREAK_OR_TAB = '\n\t';

/**
 * Shows hidden characters as `⟨U+202E⟩`, except line breaks and tabs. Text over `maxLength`
 * characters is cut with `…`.
 */
export function visibleText(text: string, maxLength: number): string {
  return shown(text, maxLength, LINE_BREAK_OR_TAB);
}

/** `visibleText` on one line, for text that people read. */
export function visibleLine(text: string, maxLength: number): string {
  return visibleText(
    text
      .slice(0, 2 * maxLength)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    maxLength,
  );
}

/** `visibleText` with line breaks and tabs made visible as well, for text that people compare. */
export function visibleLetters(text: string, maxLength: number = 200): string {
  return shown(text, maxLength, '');
}

/** Writes hidden characters, except line breaks and tabs, as `escape` says. For text that programs read. */
export function escapeHidden(text: string, escape: (character: string) => string): string {
  return text.replaceAll(HIDDEN, (each) =>
    LINE_BREAK_OR_TAB.includes(each) ? each : escape(each),
  );
}

function shown(text: string, maxLength: number, allowed: string): string {
  const isLong = text.length > maxLength;
  // Do not split a surrogate pair at the cut.
  const first = isLong ? text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '') : text;
  const visible = first.replaceAll(HIDDEN, (each) =>
    allowed.includes(each) ? each : codePoint(each),
  );
  return visible + (isLong ? '…' : '');
}

function codePoint(character: string): string {
  const hex = character.codePointAt(0)!.toString(16).toUpperCase();
  return `⟨U+${hex.padStart(4, '0')}⟩`;
}
