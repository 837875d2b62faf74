/** Reads a description or a summary: its first words, and changes that it mentions later. */

import type { Effect } from '../hints/endpoints.js';
import { type Evidence, saying } from './evidence.js';
import { foreignVerbs, promisesReadOnly } from './foreign.js';
import {
  headOf as headWords,
  isInformation,
  isNoun,
  isPlural,
  isSelection,
  isThing,
} from './things.js';
import {
  type Certainty,
  type Form,
  inflected,
  isChange,
  isClearChange,
  mayChange,
  provesRead,
  verbOf,
} from './verbs.js';
import { plainText, wordsOf } from './words.js';

/** What a text says. */
export interface TextReading {
  /** The effect that the first words state. */
  readonly head?: Evidence;
  /** The first words may only name a thing: `Order history`. */
  readonly isThing: boolean;
  /** Changes that are mentioned later. A `weak` one is only a doubt. */
  readonly changes: readonly Evidence[];
  /** How the first sentence says that an HTTP operation only reads. */
  readonly proof?: Evidence;
  /** The text says that nothing is changed. */
  readonly isReadOnly: boolean;
}

/** Characters of a text that are read, and sentences in which a change counts. */
const MAX_LENGTH = 4000;
const MAX_SENTENCES = 4;

export function readText(written: unknown): TextReading {
  if (typeof written !== 'string') return { changes: [], isThing: false, isReadOnly: false };
  const text = withoutMarkup(plainText(written.slice(0, MAX_LENGTH)));
  const sentences = text
    .split(/(?<=[.!?])\s+|\n+|(?<=\u3002)/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}{2}/u.test(sentence));
  const first = afterOpenings(sentences[0] ?? '');
  const later = sentences.slice(1);
  const head = headOf(first) ?? afterTitle(first, later[0]);
  const second = secondVerb(first, head?.form);
  const stated = [...(second ? [second] : []), ...laterChanges(text, [first, ...later])];
  const doubts = doubtsIn(first, later, head);
  return {
    ...(head ? { head: head.evidence } : {}),
    isThing: head !== undefined && !isAction(first, head.evidence.word),
    changes: [...stated, ...doubts],
    ...proofIn(first, head),
    isReadOnly:
      promisesReadOnly(text) ||
      sentences.some((each) => ONLY_READS.test(each) && !SOMETIMES.test(each)),
  };
}

function said(word: string, effect: Effect | undefined, certainty: Certainty): Evidence {
  return saying('description', word, effect, certainty);
}

function withoutMarkup(text: string): string {
  return text
    .replaceAll(/<[^<>]*>|&\w+;|&#\d+;/g, ' ')
    .replaceAll(/[*_`#]{1,6}(?=\S)|(?<=\S)[*_`]{1,3}/g, '')
    .replaceAll(/\b(?:does |do )?not only\b/g, '')
    .replaceAll(/,? (?:you can )?(?:send|make|issue|perform) an? (?:http )?get request/g, '')
    .trim();
}

/** Openings without information: `This tool allows you to`, `Use this API call to`. */
const OPENINGS: readonly RegExp[] = [
  /^[^\p{L}[]+/u,
  /^\[[^\]]{0,40}\]\s*/,
  /^\[+/,
  /^[\w .-]{1,30} \| /,
  /^(?:important|note|deprecated|beta|experimental|preview|purpose|summary|description):\s*/,
  /^use (?:this|it) as (?:the|an?|your) (?:[\w-]+ ){0,4}(?:to|for)\s+/,
  /^(?:use|call|invoke) (?:this|it)(?: (?:tool|function|endpoint|command|operation))?(?: (?:when|if) (?:you|the user) (?:need|want|wish|ask)s?)?(?: (?:to|for))\s+/,
  /^use (?:this|the) (?![^.]{0,40}\b(?:when|if)\b)[^.]{0,40}? to\s+/,
  /^(?:this|the|an?|mcp)? ?(?:[\w-]+ )?(?:tool|function|endpoint|operation|command|method)(?: is)?(?: (?:that|which|used|designed|meant|will|can|is))*(?: (?:to|for))?\s+/,
  /^(?:this|the|an?) (?:[\w-]+ ){0,2}(?:resource|service|api|call|request|route|interface|page)(?: (?:endpoint|method|call))? (?:(?:will|can|may|is|be|used|useful|to|for) )*/,
  /^(?:an?|the)? ?(?:[\w-]+ ){0,3}(?:tool|function|utility|helper|wrapper)(?: (?:that|which|to|for|used|designed|is|can|will))+\s+/,
  /^use (?:to|for)\s+/,
  /^(?:it |which |that )?(?:allows?|lets?|enables?|helps?)(?: (?:you|one|users?|models?|assistants?|developers?|agents?|clients?|the \w+|an? \w+|llms?))? ?(?:to )?\s*/,
  /^(?:can |will )?(?:be )?(?:used|useful|helpful|ideal|great) (?:to|for|when you need to)\s+/,
  /^(?:given|for|with) (?:an? |the )[^,.]{1,60}, (?:it |this tool |you can )?/,
  /^(?:provides?|offers?|gives?) (?:the )?(?:ability|functionality|capability) (?:to|for)\s+/,
  /^(?:you can|to|always|first|please|will(?= \w+ ))\s+/,
  /^handle get request (?:for|to)\s+|^invoke function |^export (?=(?:a|the) list )/,
  /^\w+ly\s+/,
];

function afterOpenings(sentence: string): string {
  let rest = sentence;
  for (let round = 0; round < 4; round++) {
    const before = rest;
    for (const opening of OPENINGS) rest = rest.replace(opening, '');
    if (rest === before) break;
  }
  return rest;
}

/** `Performs a web search`, `Run multiple search queries`: here the noun is the verb that counts. */
const PERFORMED =
  /^(?:perform|conduct|run|execute|do|make|carry out|issue)(?:s|es|ing)? (?:an? |multiple |several |the )?(?:[\w-]+,? ){0,4}?(search|searches|lookup|lookups)\b|^(?:perform|conduct)(?:s|ing)? (?:[\w-]+,? ){0,4}?(research)\b|^(?:run|execute)s? an? (find|select) (?:query|statement)\b/;

/** `Performs sentiment analysis`, `Run a health check`, `Generate an authorization URL`, `Test the connection`. */
const COMPUTED =
  /^(?:generate|build|construct)s? (?:an? |the )?(?:[\w-]+ ){0,4}(?:ur[li]|uuid|hash|checksum|summary|query|embeddings?|diff)\b|^tests? (?:an? |the |your )?(?:[\w-]+ ){0,3}(?:connection|connectivity|credentials)\b|^(?:perform|conduct|run|do|execute|carry out)(?:s|es|ing)? (?:an? |the )?(?:[\w-]+,? ){0,3}?(?:analysis|calculations?|comparison|validation|checks?|inspection|diagnostics|detection|recognition|translation|extraction|lookups?)\b/;

const TAKEN =
  /^(?:take|capture|grab|get)(?:s|ing)? (?:an? |the )?(?:[\w/-]+ ){0,6}(?:screenshot|snapshot)s?\b/;

const ONLY_READS =
  /\b(?:read-?only|(?:does|do|will) not (?:modify|change|write|alter|make (?:any )?changes)|doesn't (?:modify|change)|never (?:modifies|changes|writes)|no side[- ]effects?|without (?:modifying|changing|making any changes))\b/;

/** The promise holds only sometimes, or is about something else. */
const SOMETIMES =
  /^(?:if|when|unless|otherwise)\b|\bnot read-?only|\bread-?only (?:mode|fields?|files?|attributes?|propert\w+)\b/;

interface Head {
  readonly evidence: Evidence;
  readonly form: Form;
}

function headOf(sentence: string): Head | undefined {
  const performed = PERFORMED.exec(sentence);
  if (performed) {
    const word = performed[1] ?? performed[2] ?? performed[3]!;
    return { evidence: said(word, 'reads', 'clear'), form: 'base' };
  }
  if (COMPUTED.test(sentence))
    return { evidence: said('analysis', 'reads', 'likely'), form: 'base' };
  if (TAKEN.test(sentence))
    return { evidence: said('screenshot', 'reads', 'likely'), form: 'base' };
  const [first = '', second = ''] = sentence.match(/\p{L}+/gu) ?? [];
  const found = inflected(first);
  const verb = verbOf(found?.base ?? '');
  if (found === undefined || found.form === 'done' || verb === undefined)
    return foreignHead(sentence);
  const { base, form } = found;
  if (base === 'look' && second === 'up')
    return { evidence: said('look up', 'reads', 'clear'), form };
  if ((base === 'check' && /^(?:in|out)$/.test(second)) || (base === 'get' && second === 'rid')) {
    return { evidence: said(`${base} ${second}`, 'changes', 'likely'), form };
  }
  // `Provides a list of ships` gives information.
  if (base === 'provide' && PROVIDED.test(sentence))
    return { evidence: said(base, 'reads', 'clear'), form };
  // `Use this tool when …` says nothing, and `Forward geocode an address` geocodes.
  if (/^(?:use|call)$/.test(base) && /^(?:this|it)$/.test(second)) return undefined;
  if (second === 'geocode') return { evidence: said(second, 'reads', 'clear'), form };
  // A word that only counts where an action stands.
  if (verb.effect !== 'reads' && verb.certainty === 'weak') return undefined;
  return { evidence: said(base, verb.effect, verb.certainty), form };
}

/** The first sentence may be a title without a verb: `The Airtable tool. Lists records.` */
function afterTitle(first: string, second: string | undefined): Head | undefined {
  const word = firstWord(first);
  const isTitle = /^(?:an?|the)$/.test(word) || isNoun(word) || isPlural(word);
  const head = isTitle && second !== undefined ? headOf(afterOpenings(second)) : undefined;
  if (head?.evidence.effect !== 'reads' || head.form === 'base') return undefined;
  return { ...head, evidence: { ...head.evidence, certainty: 'likely' } };
}

/** Information, and nothing that is done. */
const PROVIDED =
  /^provid(?:es?|ing) (?:an? |the |all |you with )?(?:[\w-]+ ){0,3}(?:list|information|details|data|metadata|statistics|summary|overview|guidelines|guidance|instructions|documentation|recommendations|insights|status|history)\b/;

/** The worst verb where the verb of a sentence stands, or else a read anywhere: `根据城市查询天气`. */
function foreignHead(sentence: string): Head | undefined {
  const verbs = foreignVerbs(sentence);
  const heads = verbs.filter(({ isHead }) => isHead);
  const verb = heads.findLast(({ effect }) => effect !== 'reads') ?? heads[0];
  if (verb) return { evidence: said(verb.word, verb.effect, 'clear'), form: 'base' };
  const [read] = verbs;
  const isRead = read !== undefined && verbs.every(({ effect }) => effect === 'reads');
  return isRead ? { evidence: said(read.word, 'reads', 'likely'), form: 'base' } : undefined;
}

/** Joints and the word behind them, and the next one: `, and then quietly removes them`. */
const JOINED =
  /((?:(?:[,/&;\u2013\u2014]|\s-|\b(?:and|or|then))\s+|\(\s*){1,4})(?:\w+ly )?(\p{L}+)(?!\p{L}|-)(?:\s+(\p{L}+))?/gu;

/** Joints that begin a clause of its own: `Gets a session (creates one if necessary)`. */
const CLAUSE = /^\s*[;(\u2013\u2014-]\s*$/;

/** `Read or change settings`: the second word is a verb like the first. */
const PAIRED = /^\p{L}+(?:,? (?:and|or) | ?[/&] ?)(\p{L}+)\b/u;

/** Before one of these words stands a verb, not a noun: `marks them`, `post the summary`. */
const OBJECTS: ReadonlySet<string> = new Set(
  'it them this these those the a an its their each every all any'.split(' '),
);

/** `Gets the next job for a worker, marking it as started`. */
const ADDED = /(,|\b(?:and|or|then)) (?:\w+ly )?(\p{L}+) (?:it|them)\b/gu;

/** The words after these are denied, or about another time. */
const DENIED =
  "not|never|without|cannot|can't|don't|doesn't|won't|instead|rather than|before|after|prior to|once|until|unless|if|when|whether|so that|in order to|to|how";

/** The words after these are about something else too. */
const ASIDE = new RegExp(
  `\\b(?:${DENIED}|such as|that (?:was|were|has|have|is|are|can|could|will|would)|which (?:was|were|has|have|is|are|can|could)|for|by)\\b.*$`,
);

const DENIAL = new RegExp(`\\b(?:${DENIED})\\b.*$`);

/** A second verb in the first sentence. `form` is the form of its main verb. */
function secondVerb(sentence: string, form: Form = 'base'): Evidence | undefined {
  const pair = inflected(PAIRED.exec(sentence)?.[1] ?? '');
  const isPair = pair?.form === form && pair.base !== 'navigate' && isChange(verbOf(pair.base));
  if (isPair) return sayingVerb(pair.base);
  const plain = sentence.replace(ASIDE, '');
  for (const [, joint, word, next] of plain.matchAll(JOINED)) {
    const found = inflected(word!);
    if (found === undefined || found.form === 'done' || !isChange(verbOf(found.base))) continue;
    const fits = CLAUSE.test(joint!) ? found.form === 'third' : found.form === form;
    // A word that is also a noun may be a thing: `issues and comments`.
    const isSure = isClearChange(found.base) && fits && found.base !== 'navigate';
    const isOther = found.form === form || found.form !== 'base';
    if (isSure || (isOther && isDone(found.base, next))) return sayingVerb(found.base);
  }
  for (const [, joint, word] of sentence.replace(DENIAL, '').matchAll(ADDED)) {
    const found = inflected(word!);
    if (found === undefined || !isDone(found.base, 'it')) continue;
    const other = joint === ',' ? 'ing' : form;
    if (found.form === other || found.form === 'third') return sayingVerb(found.base);
  }
  const foreign = foreignVerbs(sentence).find(({ effect, isHead }) => isHead && effect !== 'reads');
  return foreign && said(foreign.word, foreign.effect, 'clear');
}

/** A verb of a change with its object. */
function isDone(verb: string, next: string | undefined): boolean {
  if (!OBJECTS.has(next ?? '') || !isChange(verbOf(verb))) return false;
  return !VAGUE.test(verb) && !PRODUCES.test(verb);
}

const HARM =
  /\b(?:irreversibl[ey]|cannot be undone|can't be undone|can not be undone|destructive (?:operation|action|command)|permanently (?:delete|remove|destroy|erase)s?|will be (?:permanently )?(?:deleted|removed|overwritten|lost)|overwrit(?:e|es|ing) (?:the |an |any )?existing|exists?,? [\w ]{1,30}(?:is|are|will be|gets?) (?:replaced|overwritten|updated)|existing [\w ]{1,30} (?:is|are|will be) (?:replaced|overwritten|updated))\b/g;

const DENIED_HARM = /\b(?:non-?destructive|not (?:a )?destructive)\b/;

/** Before a harm: `never overwrites an existing file`, `no data will be lost`. */
const DENIED_BEFORE =
  /\b(?:never|not|no|nothing|without|doesn't|don't|won't|cannot|can't) (?:\w+ ){0,2}$/;

const ITSELF =
  /\b(?:this (?:tool|function|command|operation|action|endpoint|call)|it|this)(?: (?:will|can|may|also|then|automatically|permanently|immediately))* (?:create|delete|remove|update|modify|overwrite|send|write|execute|trigger|change|replace|insert|reset|clear|emptie|empty|archive|mark|consume|acknowledge|increment|restart|install|drain|purge|rotate)s?\b/;

/** What happens to the thing that was read: `The message is then deleted`. */
const UNDERGOES =
  /\b(?:is|are|gets?|will be)(?: (?:then|also|automatically|immediately|subsequently|permanently))* (?:deleted|removed|cleared|consumed|acknowledged|dequeued|emptied|archived|invalidated|revoked|kicked|marked as (?:read|seen|done|processed|delivered)|reset)\b|\ba new one is (?:automatically )?(?:created|generated)\b/;

/** What happens to the thing, in a clause about the result: `messages, which are then marked as read`. */
const THEN_UNDERGOES =
  /\b(?:is|are) (?:then|subsequently|immediately) (?:deleted|removed|cleared|consumed|marked|archived|acknowledged|reset|updated|saved|sent)\b/;

/** `Gets a token, which invalidates the old one`. */
const WHICH =
  /, which (?:then |also |automatically |immediately )?(?:deletes|removes|clears|consumes|archives|invalidates|revokes|resets|marks|overwrites)\b/;

const SIDE_EFFECT = /\bside[- ]effects?:\s*(?!none\b|no\b|n\/a\b)\p{L}+/u;

/** The result becomes a file, or something is made for it: `save to a local path`, `with fresh credentials`. */
const LEAVES =
  /\b(?:sav|writ|download)(?:es?|s|ing)? (?:\w+ ){0,5}?(?:to|into|in) (?:an? |the |your )?(?:local|specified|given|output) (?:path|file|folder|directory|disk|filesystem)\b|\bwith (?:fresh|new) credentials\b/;

/** A warning, or a change in one of the first sentences. */
function laterChanges(text: string, sentences: readonly string[]): Evidence[] {
  const harms = [...text.matchAll(HARM)];
  const harm = harms.find(
    ({ index }) => !DENIED_BEFORE.test(text.slice(Math.max(0, index - 80), index)),
  )?.[0];
  if (harm !== undefined && !DENIED_HARM.test(text)) return [said(harm, 'destroys', 'clear')];
  const effect = SIDE_EFFECT.exec(text) ?? WHICH.exec(text) ?? LEAVES.exec(text);
  if (effect) return [said(effect[0], 'changes', 'likely')];
  const deletion = foreignVerbs(sentences.slice(0, MAX_SENTENCES).join('\n')).find(
    ({ effect: each, isHead }) => each === 'destroys' && isHead,
  );
  if (deletion) return [said(deletion.word, 'destroys', 'likely')];
  for (const [i, sentence] of sentences.slice(0, MAX_SENTENCES).entries()) {
    const found =
      ITSELF.exec(sentence.replace(ASIDE, '')) ??
      UNDERGOES.exec(sentence.replace(CONDITION, '').replace(ASIDE, '')) ??
      THEN_UNDERGOES.exec(sentence.replace(DENIAL, ''));
    if (found) return [said(found[0], 'changes', 'likely')];
    const [, word = '', next] = /^(\p{L}+)(?:\s+(\p{L}+))?/u.exec(sentence) ?? [];
    const verb = i === 0 || i > 2 ? undefined : inflected(word);
    if (verb?.form !== 'third') continue;
    if (isDeed(verb.base) || isDone(verb.base, next)) return [sayingVerb(verb.base, 'likely')];
  }
  return [];
}

/** `If none exists, a new one is created`: the condition is left out. */
const CONDITION = /^(?:if|when|once|after)\b[^,]*,/;

/** Verbs that do not say what is done: `Performs filtered searches`, `This endpoint only applies to private ships`. */
const VAGUE =
  /^(?:accept|act|apply|authenticate|begin|call|connect|continue|do|down|enable|end|exclude|execute|give|go|handle|host|include|invoke|issue|like|load|make|manage|new|next|off|on|perform|process|raise|receive|request|run|signal|take|throw|turn|type|unlike|up|use)$/;

/** Verbs that often only produce the answer: `, generating a report`, `and building the query`. */
const PRODUCES = /^(?:generate|build|select|start|control|link|type|index|capture)$/;

/** Whether a verb at the start of a later sentence is something that the tool does: `Comments are sorted` is not. */
function isDeed(verb: string): boolean {
  return !VAGUE.test(verb) && (isClearChange(verb) || verb === 'download' || verb === 'save');
}

function sayingVerb(base: string, certainty?: Certainty): Evidence {
  const verb = verbOf(base)!;
  return said(base, verb.effect, certainty ?? verb.certainty);
}

// What follows are doubts: they keep an HTTP operation from being a proven read, but do not decide a label.

function doubtsIn(first: string, later: readonly string[], head: Head | undefined): Evidence[] {
  const words = [
    ...titleChange(first),
    ...(head ? [] : ownVerb(first).filter((verb) => isAction(first, verb))),
    ...later.flatMap(laterDoubt),
    ...[first, ...later].flatMap(sideChanges),
    ...[first, ...later].flatMap((sentence) =>
      foreignVerbs(sentence).flatMap(({ word, effect }) => (effect === 'reads' ? [] : [word])),
    ),
  ];
  // `Creates a number. Purchase a phone number for the account.`
  const sent = later.slice(0, MAX_SENTENCES).flatMap((sentence) => {
    const word = firstWord(sentence);
    const isSent = verbOf(word)?.effect === 'sends' && HAS_OBJECT.test(sentence);
    return isSent ? [said(word, 'sends', 'weak')] : [];
  });
  const found = [...words.map((word) => said(word, 'changes', 'weak')), ...sent];
  const isUnknown = found.length === 0 && startsWithUnknownVerb(first, head);
  return isUnknown ? [said(firstWord(first), undefined, 'weak')] : found;
}

function firstWord(text: string): string {
  return /\p{L}+/u.exec(text)?.[0] ?? '';
}

/** A title of two words that ends in a verb: `Views Publish`, `Channel Archive`. */
function titleChange(sentence: string): string[] {
  const words = wordsOf(sentence);
  const last = words.at(-1) ?? '';
  const isTitle = words.length === 2 && !/[.,:()]/.test(sentence.slice(0, -1));
  if (!isTitle || inflected(words[0]!)?.form === 'base') return [];
  return isClearChange(last) ? [last] : [];
}

/** Words before the verb of a later sentence: `It also deletes the file`. */
const BEFORE_VERB =
  /^(?:(?:it|this(?: (?:call|request|endpoint|operation|method|action|api))?|and|also|then|additionally|afterwards?|furthermore|finally|will)\b[, ]*)+/;

/** What a later sentence says that the operation does: `Also deletes it.` Its verb ends in "s". */
function laterDoubt(sentence: string): string[] {
  const rest = sentence.replace(BEFORE_VERB, '');
  if (rest === sentence && !/^\p{L}+s\b/u.test(rest)) return [];
  const [own] = ownVerb(rest);
  if (own !== undefined && HAS_OBJECT.test(rest) && !VAGUE.test(own)) return [own];
  const head = headOf(rest)?.evidence;
  if (!head || head.effect === 'reads' || provesRead(head.word)) return [];
  return isClearChange(head.word) && !VAGUE.test(head.word) ? [head.word] : [];
}

/** The first word, if it may be a verb of a change: `Invalidates`. */
function ownVerb(text: string): string[] {
  const verb = inflected(firstWord(text));
  return verb && verb.form !== 'done' && verb.form !== 'ing' && isStatedChange(verb.base)
    ? [verb.base]
    : [];
}

function isStatedChange(verb: string): boolean {
  return mayChange(verb) && !VAGUE.test(verb);
}

/** Words before an object that are no verbs, and verbs that change nothing. */
const NO_CHANGE: ReadonlySet<string> = new Set(
  `about above across after against all also among and are as at based because before below besides between both but by
  can despite details do does during either except following for from given has have here if in inside into is just
  like may must not note of on once only or out outside over per please provided same should since so some than that
  then there these this those through thus to under unless until up upon using was were warning what when whenever
  where whether which while who will with within without
  allow allows contain contains enable enables expose exposes gain give gives grab grabs include includes let lets load
  loads making perform performs print prints produce produces pull pulls receive receives represent represents request
  requests respond responds retrun specify take takes unlike use used uses visit visits geeft restituisce zwraca`.split(
    /\s+/,
  ),
);

/** Whether the first word is a verb that we do not know: `Nukes everything`. */
function startsWithUnknownVerb(text: string, head: Head | undefined): boolean {
  if (head) return false;
  const first = firstWord(text);
  const isNoVerb = first.length < 2 || NO_CHANGE.has(first) || isNoun(first) || isSelection(first);
  if (isNoVerb || /(?:ous|al|ic|ive|ful|less)$/.test(first) || !HAS_OBJECT.test(text)) return false;
  // `Teams (all)` has no object.
  return /^\P{L}*\p{L}+\s+\p{L}/u.test(text);
}

/** Whether the sentence describes an action: `Orders a pizza` does; `Order history` and `Types of rides` do not. */
function isAction(sentence: string, verb: string): boolean {
  const [first = '', second] = wordsOf(sentence);
  const isPluralOf =
    second === undefined || /^(?:of|for|by|in|with|from|and|to|at|on|are)$/.test(second);
  if (first !== verb && first.endsWith('s') && isPluralOf && inflected(first)?.base === verb)
    return false;
  return isClearChange(verb) || first !== verb || second === undefined || HAS_OBJECT.test(sentence);
}

/** The second word begins the object of the verb. `Requests are limited` has none. */
const HAS_OBJECT =
  /^\P{L}*\p{L}+\P{L}+(?:an?|the|all|any|every|everything|this|one|your|its|new|multiple|specified|it|them|alle|die|das|den|eine|einen|el|la|los|las|una|todos|todas|le|les|une|tous|toutes)(?!\p{L})/u;

/** A second action of the same sentence: `Fetch, then burns the token`. */
const THEN_DOES =
  /(?:,|\band|\bthen)\s+(?:(?:and|then|also)\s+){0,2}(?:\p{L}+ly\s+)?(\p{L}+s)\s+(?=(?:an?|the|all|any|every|this|your|its|it|them)(?!\p{L}))/gu;

/** What happens to something else: `all sessions get terminated`, `will be deleted`. */
const PASSIVE =
  /(?<=\p{L} )(?:gets?|will (?:be|get)|(?<=\ball (?:[\p{L}-]+ ){1,3})are|(?:is|are) (?:also|then|thereby|automatically|immediately|permanently)) (?:\p{L}+ly )?(\p{L}+ed|sent|overwritten)(?!\p{L})/gu;

/** The words after these, up to a comma, are about another time or another thing. */
const OTHER_TIME =
  /\b(?:if|when|whenever|whether|once|until|unless|before|after|since|that|which|who|whose|where|how|because|not|never|without|to)\b[^,;:]*/gu;

const ANY_SIDE_EFFECT = /(?<!\b(?:no|any|without|without any) )\bside[- ]effects?\b/u;

/** What was valid is not any more: `The previous link becomes invalid.` */
const ENDED =
  /\b(?:previous|previously|old|older|existing|earlier|former|current|prior)\b[^.]*\b(?:becomes?|is|are|will be|gets?) (?:then |now |immediately |automatically )?(?:invalid(?:ated)?|revoked|replaced|deleted|removed|expired|void)\b|\b(?:is|are|will be) no longer (?:valid|visible|available|accessible)\b|\bbecomes? invalid\b|\bsets? (?:it|them) to (?:zero|0)\b|\bshown only once\b|\bcan only be (?:used|retrieved|read) once\b/u;

/** Changes that a sentence mentions after its first verb, or in the passive. */
function sideChanges(sentence: string): string[] {
  const own = sentence.replaceAll(OTHER_TIME, '');
  const forms = [...own.matchAll(THEN_DOES), ...own.matchAll(PASSIVE)].map(
    ([, form]) => inflected(form!)?.base ?? '',
  );
  const others = [ANY_SIDE_EFFECT, ENDED].flatMap((pattern) => pattern.exec(sentence)?.[0] ?? []);
  return [...forms.filter(isStatedChange), ...others];
}

/** `Returns a list of orders`, `Information about a ship`, `Order details`: nothing but information. */
const INFORMS =
  /^\W*(?:(?:returns?|provides?|contains?|responds? with|gives?) (?:(?:an?|the|all|full|complete|paginated|paged|detailed|current) ){0,3}(?:list|array|collection|details|information|info|metadata|summary|statistics) (?:of|about|on|for)|returns? (?:all|every|both) |(?:detailed |general )?(?:information|details|metadata|statistics) (?:about|of|on|for)|(?:[\w-]+ ){1,4}(?:details|information|metadata|statistics|overview|list|history|summary|analysis|status)$)/;

/** How the first sentence of an HTTP operation says that it only reads. */
function proofIn(first: string, head: Head | undefined): Pick<TextReading, 'proof'> {
  const proof = readVerb(first, head) ?? INFORMS.exec(first)?.[0] ?? namedThings(first);
  return proof === undefined ? {} : { proof: said(proof, 'reads', 'clear') };
}

/** `List users` and `Gets a user` begin with a verb that reads; `Views Publish` and `Checks` do not. */
function readVerb(sentence: string, head: Head | undefined): string | undefined {
  const words = wordsOf(sentence);
  if (!head) return [words[0] ?? '', inflected(words[0] ?? '')?.base ?? ''].find(provesRead);
  const { word } = head.evidence;
  const verb = word === 'look up' ? 'lookup' : word;
  if (!provesRead(verb)) return undefined;
  const at = words.findIndex((each) => inflected(each)?.base === word || each === 'look');
  const next = words[at + 1];
  if (verb === 'check') {
    return /^(?:if|whether|that|for|the|an?|availability|status|all)$/.test(next ?? '')
      ? word
      : undefined;
  }
  if (next === undefined) return words[at]?.endsWith('s') ? undefined : word;
  // `Views Publish`: the second and last word is the verb.
  const isTitleVerb = at + 2 === words.length && mayChange(next) && !provesRead(next);
  return isClearChange(next) || isTitleVerb ? undefined : word;
}

/** A sentence that only names things: `Recent changes`, `Tax rates by country`. */
function namedThings(sentence: string): string | undefined {
  const words = headWords(wordsOf(sentence));
  const last = words.at(-1) ?? '';
  const areThings = words.every((word) => isThing(word) && !mayChange(word) && !provesRead(word));
  return words.length < 7 && areThings && (isPlural(last) || isInformation(last))
    ? last
    : undefined;
}
