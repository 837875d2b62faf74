/**
 * The short mark at the end of a name whose underscores were not all underscores: which ones were
 * hyphens or dots, and where the first part ends. So the name can be read back without loss.
 *
 *     mark      = "_" ( "h" | "d" | parts )
 *     parts     = [ "h" positions ] [ "d" positions ] [ "k" length ]     at least one of them
 *     positions = digits, ascending: 1 to 9 is that underscore; 0 adds nine to what follows
 *     length    = the number of characters of the first part (the server key), in decimal
 *
 * `_h` alone: every underscore of the parts was a hyphen. `_d` alone: a dot. `_h0`: none was
 * changed; this mark ends names that would otherwise end like a mark or a fingerprint.
 */

const MARK = /_(?:([hd])|(?=[hdk])(?:h(\d+))?(?:d(\d+))?(?:k(\d{1,4}))?)$/;

/** A mark, parsed. */
export interface ReversibleMark {
  /** The character that every underscore of the parts was. */
  readonly every?: '-' | '.';
  /** Which underscores were hyphens, counted from 1. */
  readonly hyphens: readonly number[];
  readonly dots: readonly number[];
  /** The length of the first part, if the text does not show where it ends. */
  readonly firstLength?: number;
}

/** A name, split before its mark. */
export interface MarkedText {
  /** The text before the mark. */
  readonly stem: string;
  readonly mark: ReversibleMark;
}

/** Whether a name has the form of a marked name. Such a name is never rendered as exact. */
export function endsInReversibleMark(name: string): boolean {
  return MARK.test(name);
}

/** The text before the mark. Names without a mark are returned unchanged. */
export function withoutReversibleMark(name: string): string {
  return name.replace(MARK, '');
}

export function writeMark({ every, hyphens, dots, firstLength }: ReversibleMark): string {
  if (every !== undefined) return every === '-' ? '_h' : '_d';
  const parts =
    (hyphens.length > 0 ? `h${writePositions(hyphens)}` : '') +
    (dots.length > 0 ? `d${writePositions(dots)}` : '') +
    (firstLength === undefined ? '' : `k${firstLength}`);
  return `_${parts || 'h0'}`;
}

/** Splits a name before its mark; `undefined` if it has none. */
export function readMark(name: string): MarkedText | undefined {
  const match = MARK.exec(name);
  if (match === null) return undefined;
  const [mark, every, hyphens = '', dots = '', firstLength] = match;
  return {
    stem: name.slice(0, -mark.length),
    mark: {
      ...(every === undefined ? {} : { every: every === 'h' ? ('-' as const) : ('.' as const) }),
      hyphens: readPositions(hyphens),
      dots: readPositions(dots),
      ...(firstLength === undefined ? {} : { firstLength: Number(firstLength) }),
    },
  };
}

/**
 * Puts hyphens and dots back where the mark says. Not for marks with `every`: those apply to the
 * values, not to the separator.
 */
export function restoreText(stem: string, { hyphens, dots }: ReversibleMark): string {
  if (hyphens.length === 0 && dots.length === 0) return stem;
  const restored = new Map<number, string>();
  for (const position of hyphens) restored.set(position, '-');
  for (const position of dots) restored.set(position, '.');
  let underscores = 0;
  return stem.replace(/_/g, () => restored.get(++underscores) ?? '_');
}

/** The mark that leads from a stem back to the original text. Both have the same length. */
export function markBetween(original: string, stem: string): ReversibleMark {
  const hyphens: number[] = [];
  const dots: number[] = [];
  let underscores = 0;
  for (let i = 0; i < stem.length; i++) {
    if (stem[i] !== '_') continue;
    underscores++;
    if (original[i] === '-') hyphens.push(underscores);
    else if (original[i] === '.') dots.push(underscores);
  }
  return { hyphens, dots };
}

function writePositions(positions: readonly number[]): string {
  let text = '';
  let base = 0;
  for (const position of positions) {
    for (; position > base + 9; base += 9) text += '0';
    text += position - base;
  }
  return text;
}

function readPositions(text: string): number[] {
  const positions: number[] = [];
  let base = 0;
  for (const digit of text) {
    if (digit === '0') base += 9;
    else positions.push(base + Number(digit));
  }
  return positions;
}
