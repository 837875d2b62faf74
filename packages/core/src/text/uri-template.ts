/** Matches URIs against templates: RFC 6570 in reverse, as far as routing needs it. */

/** A parsed template. */
export interface UriTemplate {
  /**
   * The number of fixed characters. Of two templates that match a URI, the one with more is used.
   */
  readonly literalLength: number;
  /** Whether the template can produce the URI. */
  fits(uri: string): boolean;
}

/** The first character of each kind of expression, and the characters that it may contain. */
interface Expansion {
  readonly lead: string;
  readonly run: RegExp;
}

const ANYTHING = /.*/sy;
const WITHIN_SEGMENT = /[^/?#]*/y;
const WITHIN_PATH = /[^?#]*/y;
const WITHIN_QUERY = /[^#]*/y;

const EXPANSIONS: Readonly<Record<string, Expansion>> = {
  '': { lead: '', run: WITHIN_SEGMENT },
  '+': { lead: '', run: ANYTHING },
  '#': { lead: '#', run: ANYTHING },
  '.': { lead: '.', run: WITHIN_SEGMENT },
  ';': { lead: ';', run: WITHIN_SEGMENT },
  '/': { lead: '/', run: WITHIN_PATH },
  '?': { lead: '?', run: WITHIN_QUERY },
  '&': { lead: '&', run: WITHIN_QUERY },
};
/** Longer templates are not useful, and longer texts only cost time. */
const LONGEST_URI = 8_192;
const LONGEST_TEMPLATE = 1_024;
const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;

/** Accepts any text. An invalid template still matches itself. */
export function parseUriTemplate(template: string): UriTemplate {
  const isTooLong = template.length > LONGEST_TEMPLATE;
  const parts: (string | Expansion)[] = [];
  let from = 0;
  for (const { 0: whole, 1: operator, 2: names, index } of template.matchAll(EXPRESSION)) {
    if (index > from) parts.push(template.slice(from, index));
    // RFC 6570 joins a plain `{path*}` with commas. Real servers mean any number of segments.
    const isPath = operator === '' && names!.includes('*');
    const expansion = EXPANSIONS[isPath ? '+' : operator!]!;
    // Two equal parts in a row match nothing more than one does.
    if (parts.at(-1) !== expansion) parts.push(expansion);
    from = index + whole.length;
  }
  if (from < template.length) parts.push(template.slice(from));
  return {
    literalLength: parts.reduce(
      (sum, part) => sum + (typeof part === 'string' ? part.length : 0),
      0,
    ),
    fits: (uri) => !isTooLong && uri.length <= LONGEST_URI && fits(parts, uri),
  };
}

/**
 * Follows all possible end positions of each part at once. A regular expression would backtrack,
 * and a malicious template could keep it busy for hours.
 */
function fits(parts: readonly (string | Expansion)[], uri: string): boolean {
  let places = [0];
  for (const part of parts) {
    if (typeof part === 'string') {
      places = places.flatMap((at) => (uri.startsWith(part, at) ? [at + part.length] : []));
    } else places = placesAfter(part, uri, places);
    if (places.length === 0) return false;
  }
  return places.at(-1) === uri.length;
}

/**
 * Each position itself, since a variable may be empty, and all positions that a run reaches;
 * ascending.
 */
function placesAfter({ lead, run }: Expansion, uri: string, places: readonly number[]): number[] {
  const after: number[] = [];
  let end = -1;
  for (const at of places) {
    // Positions inside the last run reach nothing that the run does not.
    if (at <= end) continue;
    after.push(at);
    if (!uri.startsWith(lead, at)) continue;
    run.lastIndex = at;
    run.test(uri);
    end = run.lastIndex;
    for (let next = at + 1; next <= end; next++) after.push(next);
  }
  return after;
}
