/** Reads the effect of an HTTP operation from its summary and its description. */

import { readDescription } from '../inference/description-reading.js';
import { verbIn } from '../inference/inflection.js';
import type { Reading } from '../inference/reading.js';
import { isSurelyVerb } from '../inference/verb-effects.js';
import { wordsOf } from '../words/words.js';
import { foreignChange, isChangeVerb, isClearChange } from './change-verbs.js';
import { isReadVerb } from './read-verbs.js';
import type { Statement, Statements } from './statement.js';
import { headOf, isInformation, isNoun, isPlural, isSelection, isThing } from './things.js';

const CHANGING: readonly Reading['says'][] = ['write', 'destructive', 'change'];

export function readText(written: string): Statements {
  const text = afterOpening(written);
  const sentences = text.split(SENTENCE_END).filter((sentence) => /\p{L}{2}/u.test(sentence));
  const [first = '', ...later] = sentences;
  const { head, change } = readDescription(text);
  const words = [
    ...(head && isChanging(head) && isDeed(first, head.word) ? [head.word] : []),
    ...(change && change.word !== 'download' ? [change.word] : []),
    ...titleChange(first),
    ...(head ? [] : ownVerb(first).filter((verb) => isDeed(first, verb))),
    ...later.flatMap(laterChange),
    ...sentences.flatMap(sideChanges),
    ...sentences.flatMap((sentence) => foreignChange(sentence) ?? []),
  ];
  const against = words.map((word): Statement => ({ where: 'text', word, says: 'change' }));
  if (against.length === 0 && startsWithUnknownVerb(first, head)) {
    against.push({ where: 'text', word: firstWord(first), says: 'unknown' });
  }
  const read = readVerb(first) ?? INFORMS.exec(first)?.[0] ?? namedThings(first);
  const reads: Statement[] =
    read === undefined ? [] : [{ where: 'text', word: read, says: 'read' }];
  return { reads, against };
}

/** `download` is a change for a tool that saves a file; a GET only sends it. */
function isChanging({ says, word }: Reading): boolean {
  return (
    CHANGING.includes(says) && !isReadVerb(word) && !/^(?:accept|use|load|type|index)$/.test(word)
  );
}

/** Openings of API documents: `This resource lists`, `Use this API call to read`. */
const OPENING =
  /^\s*(?:(?:this|the|an?) (?:[\w-]+ ){0,2}(?:resource|service|api|call|request|route|interface|page|endpoint|method|operation|function)(?: endpoint| method| call)? (?:(?:will|can|may|is|be|used|useful|allows?|lets?|enables?|the|you|users?|clients?|to|for) )*|use (?:this|the) [^.]{0,40}? to |handle get request (?:for|to) |export (?=(?:a|the) list )|performs? (?=(?:an? )?(?:[\w-]+ ){0,3}(?:search|query|lookup|analysis|recognition|detection|classification|comparison|calculation|extraction|translation)\b)|invoke function |will (?=\w+ ))/i;

function afterOpening(written: string): string {
  const text = written
    .replaceAll(/<[^<>]*>|&\w+;|&#\d+;/g, ' ')
    .replaceAll(/[*_`#]{1,6}(?=\S)|(?<=\S)[*_`]{1,3}/g, '')
    .replace(/^[\s#*_>-]*(?:(?:description|summary|note|purpose)\s*:\s*)?/i, '');
  const told = text.replaceAll(
    /,? (?:you can )?(?:send|make|issue|perform) an? (?:http )?`?get`? request/gi,
    '',
  );
  return told.replace(OPENING, '').replace(OPENING, '');
}

const SENTENCE_END = /(?<=[.!?;])\s+|\n+/;

function firstWord(text: string): string {
  return /\p{L}+/u.exec(text.toLowerCase())?.[0] ?? '';
}

/** `Returns a list of orders`, `Information about a ship`, `Order details`: nothing but information. */
const INFORMS =
  /^\W*(?:(?:returns?|provides?|contains?|responds? with|gives?) (?:(?:an?|the|all|full|complete|paginated|paged|detailed|current) ){0,3}(?:list|array|collection|details|information|info|metadata|summary|statistics) (?:of|about|on|for)|returns? (?:all|every|both) |(?:detailed |general )?(?:information|details|metadata|statistics) (?:about|of|on|for)|(?:[\w-]+ ){1,4}(?:details|information|metadata|statistics|overview|list|history|summary|analysis|status)$)/i;

/** A sentence that only names things: `Recent changes`, `Tax rates by country`. */
function namedThings(sentence: string): string | undefined {
  const words = headOf(wordsOf(sentence));
  const last = words.at(-1) ?? '';
  const areThings = words.every(
    (word) => isThing(word) && !isChangeVerb(word) && !isReadVerb(word),
  );
  const isName = words.length < 7 && areThings && (isPlural(last) || isInformation(last));
  return isName ? last : undefined;
}

/** The verb that the sentence begins with, if it reads: `List users`, `Infers the gender of a name`. */
function readVerb(sentence: string): string | undefined {
  const { head } = readDescription(sentence);
  if (head) return isReadHead(sentence, head) ? head.word : undefined;
  const first = firstWord(sentence);
  return [first, first.replace(/s$/, ''), first.replace(/es$/, '')].find(isReadVerb);
}

/** `List users` and `Gets a user` begin with a verb that reads; `Views Publish` and `Checks` do not. */
function isReadHead(sentence: string, { word }: Reading): boolean {
  const verb = word === 'look up' ? 'lookup' : word;
  if (!isReadVerb(verb)) return false;
  const words = wordsOf(sentence);
  const at = words.findIndex((each) => verbIn(each)?.base === word || each === 'look');
  const next = words[at + 1];
  if (verb === 'check')
    return /^(?:if|whether|that|for|the|an?|availability|status|all)$/.test(next ?? '');
  return next === undefined
    ? !words[at]!.endsWith('s')
    : !isClearChange(next) && !isTitleVerb(next, words.slice(at + 1));
}

/** `Views Publish`: the second and last word is the verb. */
function isTitleVerb(word: string, rest: readonly string[]): boolean {
  return rest.length === 1 && isChangeVerb(word) && !isReadVerb(word);
}

/** A title of two or three words that ends in a verb: `Views Publish`, `Channel Archive`. */
function titleChange(sentence: string): string[] {
  const words = wordsOf(sentence);
  const last = words.at(-1) ?? '';
  const isTitle = words.length === 2 && !/[.,:()]/.test(sentence.trim().slice(0, -1));
  if (!isTitle || verbIn(words[0]!)?.form === 'base') return [];
  return isClearChange(last) ? [last] : [];
}

/** Words before the verb of a later sentence: `It also deletes the file`. */
const BEFORE_VERB =
  /^(?:(?:it|this(?: (?:call|request|endpoint|operation|method|action|api))?|and|also|then|additionally|afterwards?|furthermore|finally|will)\b[, ]*)+/i;

/** Verbs that say nothing about what is done: `This endpoint only applies to private ships`. */
const VAGUE =
  /^(?:accept|apply|authenticate|call|connect|enable|execute|handle|include|exclude|make|manage|perform|process|run|use|request|receive|continue|take|give|like|do|act|host|issue|on|off|up|down|new|next|end|begin|load|host|signal|raise|throw|go|turn|type|unlike)$/;

/** What a later sentence says that the operation does: `Also deletes it.` Its verb ends in "s". */
function laterChange(sentence: string): string[] {
  const rest = sentence.replace(BEFORE_VERB, '');
  const isSaid = rest !== sentence || /^\p{L}+s\b/u.test(rest);
  if (!isSaid) return [];
  const [own] = ownVerb(rest);
  if (own !== undefined && HAS_OBJECT.test(rest) && !VAGUE.test(own)) return [own];
  const { head } = readDescription(rest);
  if (!head || !isChanging(head)) return [];
  return isSurelyVerb(head.word) && !VAGUE.test(head.word) ? [head.word] : [];
}

/** The first word, if it is a verb of a change that tool names do not have: `Invalidates`. */
function ownVerb(text: string): string[] {
  const first = firstWord(text);
  const stems = [
    first,
    first.replace(/s$/, ''),
    first.replace(/es$/, ''),
    first.replace(/ies$/, 'y'),
  ];
  return stems.filter(isStatedChange).slice(0, 1);
}

/** Words before an object that are no verbs, and verbs that change nothing. */
const NO_CHANGE: ReadonlySet<string> = new Set(
  `about above across after against also among and are as at based because before below besides between both but by
  can despite do does during either except following for from given has have here if in inside into is just like may
  must not note of on once only or out outside over per please provided should since so some than that then there
  these this those through thus to under unless until up upon using was were warning what when whenever where whether
  which while who will with within without
  allow allows contain contains enable enables include includes infer infers let lets load loads print prints produce
  produces represent represents specify use used uses return returns retrun provide provides expose exposes give gives
  respond responds request requests receive receives accept accepts access gain gather show shows perform performs
  takes take making see visit visits unlike grab grabs pull pulls retorna retourne renvoie devuelve restituisce liefert gibt obtiene obtén geeft zwraca all details same`.split(
    /\s+/,
  ),
);

/** Whether the first word is a verb that we do not know: `Nukes everything`. */
function startsWithUnknownVerb(text: string, head: Reading | undefined): boolean {
  if (head) return false;
  const first = firstWord(text);
  const isNoVerb = first.length < 2 || NO_CHANGE.has(first) || isNoun(first) || isSelection(first);
  if (isNoVerb || /(?:ous|al|ic|ive|ful|less)$/.test(first) || !HAS_OBJECT.test(text)) return false;
  // `Teams (all)` has no object.
  return /^\P{L}*\p{L}+\s+\p{L}/u.test(text);
}

/** Whether the sentence describes an action: `Orders a pizza` does, and `Order history` does not. */
function isDeed(sentence: string, verb: string): boolean {
  const [first = '', second] = wordsOf(sentence);
  // `Types of rides`, `Orders`.
  const isPluralOf =
    second === undefined || /^(?:of|for|by|in|with|from|and|to|at|on|are)$/.test(second);
  if (first !== verb && first.endsWith('s') && isPluralOf && verbIn(first)?.base === verb)
    return false;
  return (
    isClearChange(verb) ||
    firstWord(sentence) !== verb ||
    HAS_OBJECT.test(sentence) ||
    wordsOf(sentence).length === 1
  );
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

/** What was valid is not any more: `The previous link becomes invalid.` */
const ENDED =
  /\b(?:previous|previously|old|older|existing|earlier|former|current|prior)\b[^.]*\b(?:becomes?|is|are|will be|gets?) (?:then |now |immediately |automatically )?(?:invalid(?:ated)?|revoked|replaced|deleted|removed|expired|void)\b|\b(?:is|are|will be) no longer (?:valid|visible|available|accessible)\b|\bbecomes? invalid\b|\bsets? (?:it|them) to (?:zero|0)\b|\bshown only once\b|\bcan only be (?:used|retrieved|read) once\b/iu;

/** Changes that a sentence mentions after its first verb, or in the passive. */
function sideChanges(sentence: string): string[] {
  const own = sentence.replaceAll(ASIDE, '');
  const joined = Array.from(own.matchAll(JOINED), ([, stem]) => stem!.toLowerCase());
  const passive = Array.from(own.matchAll(PASSIVE), ([, participle]) => participle!.toLowerCase());
  const [side] = SIDE_EFFECT.exec(sentence) ?? [];
  const [ended] = ENDED.exec(sentence) ?? [];
  return [
    ...joined.flatMap((stem) => [stem, stem.replace(/e$/, '')].filter(isStatedChange).slice(0, 1)),
    ...passive.flatMap(doneBy),
    ...(side === undefined ? [] : [side]),
    ...(ended === undefined ? [] : [ended]),
  ];
}

/** The verb of a participle, if it clearly changes something: `terminated`. */
function doneBy(participle: string): string[] {
  const stem = participle.replace(/ed$|ten$/, '');
  const bases = [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1'), stem.replace(/nt$/, 'nd')];
  return bases.filter(isStatedChange).slice(0, 1);
}

function isStatedChange(verb: string): boolean {
  return isChangeVerb(verb) && !VAGUE.test(verb);
}
