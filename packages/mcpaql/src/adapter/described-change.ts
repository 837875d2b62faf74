/** What the sentences of a description say that an operation does. */

import { voicesOf } from '@callsign/effects';

import { isChangeVerb } from './change-verbs.js';
import { changeBy, nameVoice, type Voice, voiceOf } from './voice.js';

/** The verbs of all sentences. */
export function descriptionVoices(text: string): Voice[] {
  const { head, change } = voicesOf({ name: '', description: text }).description;
  const voices = [head, change].flatMap((reading) => (reading ? [voiceOf(reading)] : []));
  const own = ownVerb(text);
  if (!head && own !== undefined) voices.push(changeBy(own));
  // `Order history` and `Record types` are things, not actions.
  const first = voices.filter(
    ({ isChange, isSure, word }) => !isChange || isSure || isDeed(text, word),
  );
  const sentences = text.split(SENTENCE_END);
  return [...first, ...sentences.slice(1).flatMap(laterVoice), ...sentences.flatMap(sideVoices)];
}

const SENTENCE_END = /(?<=[.!?;])\s+|\n+/;
/** Words before the verb of a later sentence: `It also deletes the file`. */
const BEFORE_VERB =
  /^(?:(?:it|this(?: (?:call|request|endpoint|operation|method|action|api))?|and|also|then|additionally|afterwards?|furthermore|finally|will)\b[, ]*)+/i;
/** Verbs that say nothing about what is done: `This endpoint only applies to private ships`. */
const VAGUE =
  /^(?:accept|apply|authenticate|call|connect|enable|execute|handle|make|manage|perform|process|run|use)$/;

/** What a later sentence says that the operation does: `Also deletes it.` Its verb ends in "s". */
function laterVoice(sentence: string): Voice[] {
  const rest = sentence.replace(BEFORE_VERB, '');
  const isSaid = rest !== sentence || /^\p{L}+s\b/u.test(rest);
  if (!isSaid) return [];
  const own = ownVerb(rest);
  if (own !== undefined && HAS_OBJECT.test(rest)) return [changeBy(own)];
  const { head } = voicesOf({ name: '', description: rest }).description;
  const voice = head && voiceOf(head);
  return voice?.isChange && voice.isSure && !VAGUE.test(voice.word) ? [voice] : [];
}

function firstWord(text: string): string {
  return /\p{L}+/u.exec(text.toLowerCase())?.[0] ?? '';
}

/** The first word, if it is one of our own verbs: `Invalidates`. */
function ownVerb(text: string): string | undefined {
  const first = firstWord(text);
  return [first, first.replace(/s$/, ''), first.replace(/es$/, '')].find(isChangeVerb);
}

/** Words before an object that are no verbs, and verbs that change nothing. */
const NO_CHANGE: ReadonlySet<string> = new Set(
  `about above across after against also among and are as at based because before below besides between both but by
  can despite do does during either except following for from given has have here if in inside into is just like may
  must not note of on once only or out outside over per please provided should since so some than that then there
  these this those through thus to under unless until up upon using was were warning what when whenever where whether
  which while who will with within without
  allow allows contain contains enable enables include includes infer infers let lets load loads print prints produce
  produces represent represents specify use used uses`.split(/\s+/),
);

/** Whether the first word is a verb that we do not know: `Nukes everything`, `Löscht alle Dinge`. */
export function startsWithUnknownVerb(text: string): boolean {
  const first = firstWord(text);
  if (first.length < 2 || NO_CHANGE.has(first) || !HAS_OBJECT.test(text)) return false;
  // `Teams (all)` has no object.
  return /^\P{L}*\p{L}+\s+\p{L}/u.test(text) && descriptionVoices(text).length === 0;
}

/** Whether the text describes an action: `Publishes a view` and `Publish a view` do. */
function isDeed(text: string, verb: string): boolean {
  return firstWord(text) !== verb || HAS_OBJECT.test(text);
}

/** The second word begins the object of the verb. `Requests are limited` has none. */
const HAS_OBJECT =
  /^\P{L}*\p{L}+\P{L}+(?:an?|the|all|any|every|everything|this|one|your|its|new|multiple|specified|it|them|alle|die|das|den|eine|einen|el|la|los|las|una|todos|todas|le|les|une|tous|toutes)(?!\p{L})/iu;

/** A second action of the same sentence: `Fetch, then burns the token`. */
const JOINED =
  /(?:,|\band|\bthen)\s+(?:(?:and|then|also)\s+){0,2}(?:\p{L}+ly\s+)?(\p{L}+)s\s+(?=(?:an?|the|all|any|every|this|your|its|it|them)(?!\p{L}))/giu;
/** What happens to something else: `all sessions get terminated`, `will be deleted`. */
const PASSIVE =
  /(?<=\p{L} )(?:gets?|will (?:be|get)|(?<=\ball (?:[\p{L}-]+ ){1,3})are|(?:is|are) (?:also|then|thereby|automatically|immediately|permanently)) (?:\p{L}+ly )?(\p{L}+ed|sent|overwritten)(?!\p{L})/giu;
/** The words after these, up to a comma, are about another time or another thing. */
const ASIDE =
  /\b(?:if|when|whenever|whether|once|until|unless|before|after|since|that|which|who|whose|where|how|because|not|never|without|to)\b[^,;:]*/giu;
const SIDE_EFFECT = /(?<!\b(?:no|any|without|without any) )\bside[- ]effects?\b/iu;

/** Changes that a sentence mentions after its first verb, or in the passive. */
function sideVoices(sentence: string): Voice[] {
  const own = sentence.replaceAll(ASIDE, '');
  const joined = Array.from(own.matchAll(JOINED), ([, stem]) => stem!.toLowerCase());
  const passive = Array.from(own.matchAll(PASSIVE), ([, participle]) => participle!.toLowerCase());
  const [side] = SIDE_EFFECT.exec(sentence) ?? [];
  return [
    ...joined.flatMap((stem) => [stem, stem.replace(/e$/, '')].filter(isChangeVerb).slice(0, 1)),
    ...passive.flatMap(doneBy),
    ...(side === undefined ? [] : [side]),
  ].map(changeBy);
}

/** The verb of a participle, if it clearly changes something: `terminated`. */
function doneBy(participle: string): string[] {
  const stem = participle.replace(/ed$|ten$/, '');
  const bases = [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1'), stem.replace(/nt$/, 'nd')];
  return bases.filter((base) => isChangeVerb(base) || isClear(base)).slice(0, 1);
}

function isClear(verb: string): boolean {
  return nameVoice(verb)?.isSure === true && !VAGUE.test(verb);
}
