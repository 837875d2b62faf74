/** Reads the effect of a tool from its description, mostly from its first sentence. */

import { verbIn, type Form } from './inflection.js';
import type { Reading } from './reading.js';
import { isCheckIn, READINGS } from './name-reading.js';
import { type Effect, effectOf, isChange, isSurelyVerb } from './verb-effects.js';

/** Characters of a description that are read. */
const MAX_LENGTH = 4000;

/** Openings without information: `This tool allows you to`, `Use this to`. */
const OPENINGS: readonly RegExp[] = [
  /^[^\p{L}[]+/u,
  /^\[[^\]]{0,40}\]\s*/,
  /^\[+/,
  /^[\w .-]{1,30} \| /,
  /^(?:important|note|deprecated|beta|experimental|preview|purpose|summary|description):\s*/,
  /^(?:use|call|invoke) (?:this|it)(?: (?:tool|function|endpoint|command|operation))?(?: (?:when|if) (?:you|the user) (?:need|want|wish|ask)s?)?(?: (?:to|for))\s+/,
  /^(?:this|the|an?|mcp)? ?(?:[\w-]+ )?(?:tool|function|endpoint|operation|command|method)(?: is)?(?: (?:that|which|used|designed|meant|will|can|is))*(?: (?:to|for))?\s+/,
  /^(?:it |which |that )?(?:allows?|lets?|enables?|helps?)(?: (?:you|users?|agents?|clients?|the \w+|an? \w+|llms?))? ?(?:to )?\s*/,
  /^(?:can |will )?(?:be )?used (?:to|for)\s+/,
  /^(?:you can|to|always|first|please)\s+/,
  /^\w+ly\s+/,
];

/**
 * `Performs a web search`, `Run multiple search queries`: here the noun is the verb that counts.
 */
const PERFORMED =
  /^(?:perform|conduct|run|execute|do|make|carry out|issue)(?:s|es|ing)? (?:an? |multiple |several |the )?(?:[\w-]+,? ){0,4}?(search|searches|lookup|lookups)\b|^(?:perform|conduct)(?:s|ing)? (?:[\w-]+,? ){0,4}?(research)\b/;

const TAKEN =
  /^(?:take|capture|grab|get)(?:s|ing)? (?:an? |the )?(?:[\w-]+ ){0,3}(?:screenshot|snapshot)s?\b/;

/** A word after commas or joining words: `, and then quietly removes`. */
const JOINED = /(?:(?:[,/&]|\b(?:and|or|then))\s+)+(?:\w+ly )?(\p{L}+)/gu;

/** The words after these are about something else, or are denied. */
const ASIDE =
  /\b(?:not|never|without|cannot|can't|don't|doesn't|won't|instead|rather than|before|after|prior to|once|until|unless|if|when|whether|so that|in order to|that (?:was|were|has|have|is|are|can|could|will|would)|which (?:was|were|has|have|is|are|can|could)|to|for|by|how)\b.*$/;

const HARM =
  /\b(?:irreversibl[ey]|cannot be undone|can't be undone|can not be undone|destructive (?:operation|action|command)|permanently (?:delete|remove|destroy|erase)s?|will be (?:permanently )?(?:deleted|removed|overwritten|lost)|overwrit(?:e|es|ing) (?:the |an |any )?existing)\b/;

const DENIED_HARM = /\b(?:non-?destructive|not (?:a )?destructive)\b/;

const ITSELF =
  /\b(?:this (?:tool|function|command|operation|action|endpoint|call)|it|this)(?: (?:will|can|may|also|then|automatically|permanently|immediately))* (?:create|delete|remove|update|modify|overwrite|send|write|execute|trigger|change|replace|insert)s?\b/;

const ONLY_READS =
  /\b(?:read-?only|(?:does|do|will) not (?:modify|change|write|alter|make (?:any )?changes)|doesn't (?:modify|change)|never (?:modifies|changes|writes)|no side[- ]effects?|without (?:modifying|changing|making any changes))\b/;

/** What a description says. */
export interface DescriptionReading {
  /** The effect that the first words state. */
  readonly head?: Reading;
  /** A change that is mentioned later. */
  readonly change?: Reading;
  /** The description says that the tool changes nothing. */
  readonly isReadOnly: boolean;
}

export function readDescription(description: unknown): DescriptionReading {
  if (typeof description !== 'string') return { isReadOnly: false };
  const text = description.slice(0, MAX_LENGTH).toLowerCase().replaceAll('’', "'");
  const sentence = afterOpenings(sentencesOf(text)[0] ?? '');
  const head = headOf(sentence);
  const change = changeIn(sentence, head?.form) ?? harmIn(text);
  return {
    ...(head ? { head: head.reading } : {}),
    ...(change ? { change } : {}),
    isReadOnly: ONLY_READS.test(text),
  };
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}{2}/u.test(sentence));
}

function afterOpenings(sentence: string): string {
  let rest = sentence;
  for (let round = 0; round < 4; round++) {
    const before = rest;
    for (const opening of OPENINGS) rest = rest.replace(opening, '');
    if (rest === before) break;
  }
  return rest;
}

interface Head {
  readonly reading: Reading;
  readonly form: Form;
}

function headOf(sentence: string): Head | undefined {
  const performed = PERFORMED.exec(sentence);
  if (performed) return { reading: saying('read', performed[1] ?? performed[2]!), form: 'base' };
  if (TAKEN.test(sentence)) return { reading: saying('likely-read', 'screenshot'), form: 'base' };
  const [first = '', second] = sentence.match(/\p{L}+/gu) ?? [];
  const verb = verbIn(first);
  if (verb === undefined) return undefined;
  const { base, form } = verb;
  if (base === 'look' && second === 'up') return { reading: saying('read', 'look up'), form };
  if (isCheckIn(base, second)) return { reading: saying('change', `check ${second}`), form };
  return { reading: saying(saysOf(effectOf(base)!), base), form };
}

/** A second verb in the same form as the first: `Lists old files and removes them`. */
function changeIn(sentence: string, form: Form = 'base'): Reading | undefined {
  const plain = sentence.replace(ASIDE, '');
  for (const [, word] of plain.matchAll(JOINED)) {
    const verb = verbIn(word!);
    if (verb === undefined || verb.form !== form) continue;
    const effect = effectOf(verb.base);
    // A word that is also a noun may be a thing: `issues and comments`.
    if (isChange(effect) && isSurelyVerb(verb.base)) return saying(saysOf(effect!), verb.base);
  }
  return undefined;
}

function harmIn(text: string): Reading | undefined {
  const harm = HARM.exec(text);
  if (harm && !DENIED_HARM.test(text)) return saying('destructive', harm[0]);
  for (const [i, sentence] of sentencesOf(text).slice(0, 4).entries()) {
    const own = ITSELF.exec(sentence.replace(ASIDE, ''));
    if (own) return saying('change', own[0]);
    const next = i === 0 || i > 2 ? undefined : verbIn(/^\p{L}+/u.exec(sentence)?.[0] ?? '');
    if (next?.form === 'third' && isDeed(next.base)) return saying('change', next.base);
  }
  return undefined;
}

/** Verbs that do not say what is done: `Performs filtered searches`, `Authenticates by token`. */
const VAGUE: ReadonlySet<string> = new Set(
  'perform run execute call invoke use handle process manage authenticate connect apply enable accept make'.split(
    ' ',
  ),
);

/**
 * Whether a verb at the start of a later sentence is something that the tool does: `Downloads
 * objects` is, `Comments are sorted` is not.
 */
function isDeed(verb: string): boolean {
  if (VAGUE.has(verb)) return false;
  return isChange(effectOf(verb)) && (isSurelyVerb(verb) || verb === 'download' || verb === 'save');
}

function saysOf(effect: Effect): Reading['says'] {
  if (effect === 'adds') return 'write';
  if (effect === 'harms') return 'destructive';
  return READINGS[effect] ?? 'change';
}

function saying(says: Reading['says'], word: string): Reading {
  return { says, word, because: `the description says ${word}` };
}
