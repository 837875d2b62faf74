/**
 * A call's arguments for people and records: without secrets, without invisible characters, and
 * short. What is sent to servers never comes from here.
 */

import { JsonScan, NOWHERE } from '../json/json-scan.js';
import { createSecretDetector, type SecretDetector } from '../secrets/detector.js';
import { announcesSecret } from '../secrets/json/secret-positions.js';
import { beginsKey, isKeyLineAt } from '../secrets/text/private-keys.js';
import { globMatcher } from '../text/glob.js';
import { visibleText } from '../text/visible-text.js';
import { HiddenParts, redactedIn, type HiddenPart } from './hidden-parts.js';
import { secretLabels, shortText } from './secret-labels.js';
import { secretPlaces, type SecretPlaces } from './secret-places.js';

/** Pass the same object for every call: what is derived from it is cached. */
export interface RedactOptions {
  /** Words in keys whose values are secret, besides the usual ones. */
  readonly keys?: readonly string[];
  /** Globs on words in texts that are secret, besides the usual ones. */
  readonly patterns?: readonly string[];
  /** About how many characters the result may have. */
  readonly maxLength?: number;
  /** How many characters of each text are shown. */
  readonly maxText?: number;
  /** Shows everything but secrets: no text, key, number or nested value is cut. */
  readonly isWhole?: boolean;
}

/** Arguments for a person, and what is missing from them. */
export interface ShownArguments {
  /** JSON. */
  readonly text: string;
  /** In order. Longer lists end with the sum of the rest. */
  readonly hidden: readonly HiddenPart[];
}

const USUAL: RedactOptions = {};
/** How much is shown. What is over a limit is counted. */
interface Limits {
  /** Characters of everything. */
  readonly length: number;
  readonly text: number;
  readonly key: number;
  readonly number: number;
  /** Objects and lists inside each other. */
  readonly depth: number;
}

const SHORT: Limits = { length: 2_000, text: 300, key: 100, number: 40, depth: 10 };
/** The depth is the one that a message may have, so that recursion ends. */
const WHOLE: Limits = {
  length: Infinity,
  text: Infinity,
  key: Infinity,
  number: Infinity,
  depth: 512,
};
/** Characters of a text that are searched for secrets: a whole private key must fit. */
const MAX_READ = 8_192;
const MAX_SOURCE = 4 * 1024 * 1024;
const REDACTED = '"[redacted]"';
const TOO_MUCH = '"…"';

/**
 * JSON in, JSON out; never throws. Keeps the order, the spelling of numbers and duplicate keys,
 * since the server may read them differently from a parser.
 */
export function redactArguments(
  argumentsJson: string,
  inputSchemaJson: string | undefined,
  options: RedactOptions = USUAL,
): string {
  return showArguments(argumentsJson, inputSchemaJson, options).text;
}

/**
 * `redactArguments`, and a list of all parts that are not shown. For questions: a person must know that
 * something is hidden.
 */
export function showArguments(
  argumentsJson: string,
  inputSchemaJson: string | undefined,
  options: RedactOptions = USUAL,
): ShownArguments {
  const hidden = new HiddenParts();
  const { length } = argumentsJson;
  if (length > MAX_SOURCE) {
    hidden.add([], length, 'length');
    return { text: `"[${length} characters]"`, hidden: hidden.parts };
  }
  const redaction = new Redaction(argumentsJson, detectorOf(options), options, hidden);
  const text = redaction.run(secretPlaces(inputSchemaJson));
  if (text !== undefined) return { text, hidden: hidden.parts };
  const whole = new HiddenParts();
  whole.add([], length, 'length');
  return { text: '"[unreadable]"', hidden: whole.parts };
}

/** Detectors by options object. Callers pass the same object with every call. */
const known = new WeakMap<RedactOptions, SecretDetector>();

function detectorOf(options: RedactOptions): SecretDetector {
  const { keys: names = [], patterns = [] } = options;
  const detector =
    known.get(options) ?? createSecretDetector({ names, matchers: patterns.map(globMatcher) });
  known.set(options, detector);
  return detector;
}

function limitsOf({ isWhole = false, maxLength, maxText }: RedactOptions): Limits {
  if (isWhole) return WHOLE;
  const { length, text } = SHORT;
  return { ...SHORT, length: maxLength ?? length, text: maxText ?? text };
}

/** One pass over one text. Not reusable. */
class Redaction {
  readonly #scan: JsonScan;
  readonly #detector: SecretDetector;
  /** The objects in which one member names a secret and another holds it. */
  readonly #labels: ReturnType<typeof secretLabels>;
  readonly #hidden: HiddenParts;
  readonly #limits: Limits;
  readonly #written: string[] = [];
  /** The keys that lead to the current value. */
  readonly #path: (string | number)[] = [];
  /** Characters that may still be written. */
  #left: number;

  constructor(text: string, detector: SecretDetector, options: RedactOptions, hidden: HiddenParts) {
    this.#limits = limitsOf(options);
    this.#scan = new JsonScan(text);
    this.#labels = secretLabels(text, this.#limits.depth);
    this.#detector = detector;
    this.#left = this.#limits.length;
    this.#hidden = hidden;
  }

  run(places: SecretPlaces): string | undefined {
    const { text } = this.#scan;
    const end = this.#value(this.#scan.skipSpace(0), places, 0);
    return end === NOWHERE || this.#scan.skipSpace(end) !== text.length
      ? undefined
      : this.#written.join('');
  }

  /** Writes the visible part of the value that starts here, and returns the value's end. */
  #value(start: number, places: SecretPlaces, depth: number): number {
    const scan = this.#scan;
    const first = scan.text[start];
    if (places.isSecret) return this.#skip(start, REDACTED, 'secret');
    if (first === '{' || first === '[') {
      if (depth >= this.#limits.depth) return this.#skip(start, TOO_MUCH, 'length');
      return first === '{' ? this.#object(start, places, depth) : this.#array(start, places, depth);
    }
    const end = scan.skipValue(start);
    if (end !== NOWHERE) this.#write(this.#scalar(scan.text.slice(start, end)));
    return end;
  }

  #object(start: number, places: SecretPlaces, depth: number): number {
    const scan = this.#scan;
    const named = this.#labels.get(start) ?? [];
    let shown = 0;
    let more = 0;
    this.#written.push('{');
    const end = scan.visitObject(start, (key, valueStart) => {
      if (this.#left <= 0) {
        more++;
        return this.#leaveOut(key, valueStart);
      }
      if (shown++ > 0) this.#written.push(',');
      this.#path.push(key);
      this.#write(`${this.#key(key)}:`);
      const isNamed = named.some((each) => each.has(key.toLowerCase()));
      const isSecret = isNamed || this.#detector.isSecretName(key);
      const valueEnd = isSecret
        ? this.#skip(valueStart, REDACTED, 'secret')
        : this.#value(valueStart, places.at(key), depth + 1);
      this.#path.pop();
      return valueEnd;
    });
    if (more > 0) this.#written.push(`${shown > 0 ? ',' : ''}"…":"${more} more"`);
    this.#written.push('}');
    return end;
  }

  #array(start: number, places: SecretPlaces, depth: number): number {
    const scan = this.#scan;
    const { items } = places;
    let isAnnounced = false;
    let isInKey = false;
    let shown = 0;
    let more = 0;
    this.#written.push('[');
    const end = scan.visitArray(start, (valueStart) => {
      if (this.#left <= 0) return this.#leaveOut(shown + more++, valueStart);
      if (shown > 0) this.#written.push(',');
      this.#path.push(shown++);
      const isLine = isInKey && isKeyLineAt(scan.text, valueStart);
      const isSecret =
        isLine ||
        (isAnnounced && scan.text[valueStart] === '"' && scan.text[valueStart + 1] !== '-');
      const valueEnd = isSecret
        ? this.#skip(valueStart, REDACTED, 'secret')
        : this.#value(valueStart, items, depth + 1);
      this.#path.pop();
      const text = shortText(scan.text, valueStart, valueEnd) ?? '';
      isAnnounced = announcesSecret(text);
      isInKey = isLine || beginsKey(text);
      this.#left--;
      return valueEnd;
    });
    if (more > 0) this.#written.push(`${shown > 0 ? ',' : ''}"… ${more} more"`);
    this.#written.push(']');
    return end;
  }

  /** The key of the current path. */
  #key(key: string): string {
    const most = this.#limits.key;
    if (key.length > most) this.#hidden.add(this.#path, key.length - most, 'length');
    return JSON.stringify(visibleText(key, most));
  }

  #scalar(json: string): string {
    if (!json.startsWith('"')) {
      if (json.length <= this.#limits.number) return json;
      this.#hidden.add(this.#path, json.length, 'length');
      return TOO_MUCH;
    }
    const text = JSON.parse(json) as string;
    const most = this.#limits.text;
    // Searches more than it shows: a secret that begins before the cut must be recognised.
    const part = text.slice(0, Math.max(MAX_READ, most));
    const safe = this.#detector.redactText(part);
    if (safe !== part) this.#hidden.add(this.#path, redactedIn(part, safe), 'secret');
    const unread = text.length - part.length;
    const cut = unread + Math.max(0, safe.length - most);
    if (cut > 0) this.#hidden.add(this.#path, cut, 'length');
    return JSON.stringify(visibleText(safe, most) + (unread > 0 && safe.length <= most ? '…' : ''));
  }

  #skip(start: number, json: string, because: HiddenPart['because']): number {
    this.#write(json);
    const end = this.#scan.skipValue(start);
    this.#hidden.add(this.#path, end - start, because);
    return end;
  }

  /** Skips a member or element for which no characters are left. */
  #leaveOut(key: string | number, start: number): number {
    const end = this.#scan.skipValue(start);
    const name = typeof key === 'string' ? key.length : 0;
    this.#hidden.add([...this.#path, key], name + end - start, 'length');
    return end;
  }

  #write(json: string): void {
    this.#left -= json.length;
    this.#written.push(json);
  }
}
