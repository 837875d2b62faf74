/** Matches URIs against templates: RFC 6570 in reverse, as far as routing needs it. */

/** A parsed template. */
export interface UriTemplate {
  /**
   * The number of fixed characters. Of two templates that match a URI, the one with more is used.
   */
  readonly literalLength: number;
  /** Whether the template can produce the URI. False as well if `work` is used up. */
  fits(uri: string, work?: Work): boolean;
}

/** What a search may cost: characters to read. */
export interface Work {
  left: number;
}

/** Positions in a URI, both ends included. */
type Range = readonly [from: number, to: number];

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
const MOST_EXPRESSIONS = 16;
const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;

/** Accepts any text. An invalid template still matches itself. */
export function parseUriTemplate(template: string): UriTemplate {
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
  const expressions = parts.filter((part) => typeof part !== 'string').length;
  const isTooLong = template.length > LONGEST_TEMPLATE || expressions > MOST_EXPRESSIONS;
  return {
    literalLength: parts.reduce(
      (sum, part) => sum + (typeof part === 'string' ? part.length : 0),
      0,
    ),
    fits: (uri, work = { left: Infinity }) =>
      !isTooLong && work.left > 0 && uri.length <= LONGEST_URI && fits(parts, uri, work),
  };
}

/**
 * Follows all possible end positions of each part at once. A regular expression would backtrack,
 * and a malicious template could keep it busy for hours.
 */
function fits(parts: readonly (string | Expansion)[], uri: string, work: Work): boolean {
  let places: readonly Range[] = [[0, 0]];
  for (const part of parts) {
    const [start, end] = [places[0]![0], places.at(-1)![1]];
    work.left -= start === end ? 1 : uri.length - start;
    if (work.left < 0) return false;
    places =
      typeof part === 'string' ? afterText(part, uri, places) : afterRun(part, uri, places, work);
    if (places.length === 0) return false;
  }
  return places.at(-1)![1] === uri.length;
}

/** The ends of a text that starts at one of the places. Reads the URI once. */
function afterText(text: string, uri: string, places: readonly Range[]): Range[] {
  const [[first, last] = [0, 0]] = places;
  if (places.length === 1 && first === last) {
    return uri.startsWith(text, first) ? [[first + text.length, first + text.length]] : [];
  }
  const after: [number, number][] = [];
  let [at, i] = [-1, 0];
  while (i < places.length) {
    at = uri.indexOf(text, Math.max(at + 1, places[i]![0]));
    if (at === -1) break;
    while (i < places.length && places[i]![1] < at) i++;
    if (i < places.length && places[i]![0] <= at) add(after, at + text.length, at + text.length);
  }
  return after;
}

/** The places themselves, since a variable may be empty, and all positions that a run reaches. */
function afterRun(
  { lead, run }: Expansion,
  uri: string,
  places: readonly Range[],
  work: Work,
): Range[] {
  const after: [number, number][] = [];
  let end = -1;
  for (const [from, to] of places) {
    add(after, from, to);
    // Positions inside the last run reach nothing that the run does not.
    if (to <= end) continue;
    // The run that starts last reaches farthest.
    let start = to;
    while (start >= from && !uri.startsWith(lead, start)) start--;
    if (start < from) continue;
    run.lastIndex = start;
    run.test(uri);
    end = run.lastIndex;
    work.left -= end - start;
    add(after, start, end);
  }
  return after;
}

/** Adds a range that does not start before the last one. Ranges that touch become one. */
function add(ranges: [number, number][], from: number, to: number): void {
  const last = ranges.at(-1);
  if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
  else ranges.push([from, to]);
}
