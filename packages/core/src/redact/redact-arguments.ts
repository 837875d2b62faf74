/**
 * A call's arguments for people and records: without secrets, without invisible characters, and
 * short. What is sent to servers never comes from here.
 */

import {
  announcesSecret,
  createSecretDetector,
  isValueName,
  type SecretDetector,
} from '@callsign/secrets';

import { globMatcher } from '../text/glob.js';
import { JsonScan, NOWHERE } from '../json/json-scan.js';
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
}

/** Arguments for a person, and what is missing from them. */
export interface ShownArguments {
  /** JSON. */
  readonly text: string;
  /** In order. Longer lists end with the sum of the rest. */
  readonly hidden: readonly HiddenPart[];
}

const USUAL: RedactOptions = {};
const MAX_LENGTH = 2_000;
const MAX_TEXT = 300;
/** Characters of a text that are searched for secrets: a whole private key must fit. */
const MAX_READ = 8_192;
const MAX_KEY = 100;
const MAX_NUMBER = 40;
const MAX_DEPTH = 10;
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
 * The same, and a list of all parts that are not shown. For questions: a person must know that
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

/** One pass over one text. Not reusable. */
class Redaction {
  readonly #scan: JsonScan;
  readonly #detector: SecretDetector;
  /** The objects in which one member names a secret and another holds it. */
  readonly #labels: ReadonlySet<number>;
  readonly #hidden: HiddenParts;
  readonly #maxText: number;
  /** The keys that lead to the current value. */
  readonly #path: (string | number)[] = [];
  /** Characters that may still be written. */
  #left: number;

  constructor(
    text: string,
    detector: SecretDetector,
    { maxLength = MAX_LENGTH, maxText = MAX_TEXT }: RedactOptions,
    hidden: HiddenParts,
  ) {
    this.#scan = new JsonScan(text);
    this.#labels = secretLabels(text);
    this.#detector = detector;
    this.#left = maxLength;
    this.#maxText = maxText;
    this.#hidden = hidden;
  }

  run(places: SecretPlaces): string | undefined {
    const { text } = this.#scan;
    const written: string[] = [];
    const end = this.#value(this.#scan.skipSpace(0), places, 0, written);
    return end === NOWHERE || this.#scan.skipSpace(end) !== text.length
      ? undefined
      : written.join('');
  }

  /** Writes the visible part of the value that starts here, and returns the value's end. */
  #value(start: number, places: SecretPlaces, depth: number, written: string[]): number {
    const scan = this.#scan;
    const first = scan.text[start];
    if (places.isSecret) return this.#skip(start, REDACTED, written, 'secret');
    if (first === '{' || first === '[') {
      if (depth >= MAX_DEPTH) return this.#skip(start, TOO_MUCH, written, 'length');
      return first === '{'
        ? this.#object(start, places, depth, written)
        : this.#array(start, places, depth, written);
    }
    const end = scan.skipValue(start);
    if (end !== NOWHERE) this.#write(this.#scalar(scan.text.slice(start, end)), written);
    return end;
  }

  #object(start: number, places: SecretPlaces, depth: number, written: string[]): number {
    const scan = this.#scan;
    const members: string[] = [];
    const isLabelled = this.#labels.has(start);
    let more = 0;
    const end = scan.visitObject(start, (key, valueStart) => {
      if (this.#left <= 0) {
        more++;
        return this.#leaveOut(key, valueStart);
      }
      this.#path.push(key);
      const member: string[] = [];
      this.#write(`${JSON.stringify(visibleText(key, MAX_KEY))}:`, member);
      const isSecret = this.#detector.isSecretName(key) || (isLabelled && isValueName(key));
      const valueEnd = isSecret
        ? this.#skip(valueStart, REDACTED, member, 'secret')
        : this.#value(valueStart, places.at(key), depth + 1, member);
      this.#path.pop();
      members.push(member.join(''));
      return valueEnd;
    });
    if (more > 0) members.push(`"…":"${more} more"`);
    written.push(`{${members.join(',')}}`);
    return end;
  }

  #array(start: number, places: SecretPlaces, depth: number, written: string[]): number {
    const scan = this.#scan;
    const elements: string[] = [];
    const { items } = places;
    let isAnnounced = false;
    let more = 0;
    const end = scan.visitArray(start, (valueStart) => {
      if (this.#left <= 0) {
        return this.#leaveOut(elements.length + more++, valueStart);
      }
      this.#path.push(elements.length);
      const element: string[] = [];
      const isSecret =
        isAnnounced && scan.text[valueStart] === '"' && scan.text[valueStart + 1] !== '-';
      const valueEnd = isSecret
        ? this.#skip(valueStart, REDACTED, element, 'secret')
        : this.#value(valueStart, items, depth + 1, element);
      this.#path.pop();
      isAnnounced = announcesSecret(shortText(scan.text, valueStart, valueEnd) ?? '');
      this.#left--;
      elements.push(element.join(''));
      return valueEnd;
    });
    if (more > 0) elements.push(`"… ${more} more"`);
    written.push(`[${elements.join(',')}]`);
    return end;
  }

  #scalar(json: string): string {
    if (!json.startsWith('"')) {
      if (json.length <= MAX_NUMBER) return json;
      this.#hidden.add(this.#path, json.length, 'length');
      return TOO_MUCH;
    }
    const text = JSON.parse(json) as string;
    const most = this.#maxText;
    // Searches more than it shows: a secret that begins before the cut must be recognised.
    const part = text.slice(0, Math.max(MAX_READ, most));
    const safe = this.#detector.redactText(part);
    if (safe !== part) this.#hidden.add(this.#path, redactedIn(part, safe), 'secret');
    const unread = text.length - part.length;
    const cut = unread + Math.max(0, safe.length - most);
    if (cut > 0) this.#hidden.add(this.#path, cut, 'length');
    return JSON.stringify(visibleText(safe, most) + (unread > 0 && safe.length <= most ? '…' : ''));
  }

  #skip(start: number, json: string, written: string[], because: HiddenPart['because']): number {
    this.#write(json, written);
    const end = this.#scan.skipValue(start);
    this.#hidden.add(this.#path, end - start, because);
    return end;
  }

  /** Skips a member or element for which no characters are left. */
  #leaveOut(key: string | number, start: number): number {
    const end = this.#scan.skipValue(start);
    this.#hidden.add([...this.#path, key], end - start, 'length');
    return end;
  }

  #write(json: string, written: string[]): void {
    this.#left -= json.length;
    written.push(json);
  }
}
