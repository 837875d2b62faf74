/**
 * Finds changes that a description mentions beside its main verb: `Lists files and removes them`,
 * `Gets a job, marking it as started`, `The message is then deleted.`
 */

import { FOREIGN_DELETION } from './foreign-deletion.js';
import { verbIn, type Form } from './inflection.js';
import { READINGS } from './name-reading.js';
import type { Reading } from './reading.js';
import { type Effect, effectOf, isChange, isSurelyVerb } from './verb-effects.js';

/** A word after commas or joining words, and the next one: `, and then quietly removes them`. */
const JOINED =
  /((?:(?:[,/&;\u2013\u2014]|\s-|\b(?:and|or|then))\s+|\(\s*){1,4})(?:\w+ly )?(\p{L}+)(?:\s+(\p{L}+))?/gu;

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
  `\\b(?:${DENIED}|that (?:was|were|has|have|is|are|can|could|will|would)|which (?:was|were|has|have|is|are|can|could)|for|by)\\b.*$`,
);

const DENIAL = new RegExp(`\\b(?:${DENIED})\\b.*$`);

const HARM =
  /\b(?:irreversibl[ey]|cannot be undone|can't be undone|can not be undone|destructive (?:operation|action|command)|permanently (?:delete|remove|destroy|erase)s?|will be (?:permanently )?(?:deleted|removed|overwritten|lost)|overwrit(?:e|es|ing) (?:the |an |any )?existing)\b/g;

const DENIED_HARM = /\b(?:non-?destructive|not (?:a )?destructive)\b/;

/** Before a harm: `never overwrites an existing file`, `no data will be lost`. */
const DENIED_BEFORE =
  /\b(?:never|not|no|nothing|without|doesn't|don't|won't|cannot|can't) (?:\w+ ){0,2}$/;

const ITSELF =
  /\b(?:this (?:tool|function|command|operation|action|endpoint|call)|it|this)(?: (?:will|can|may|also|then|automatically|permanently|immediately))* (?:create|delete|remove|update|modify|overwrite|send|write|execute|trigger|change|replace|insert|reset|clear|emptie|empty|archive|mark|consume|acknowledge|increment|restart|install|drain|purge|rotate)s?\b/;

/** What happens to the thing that was read: `The message is then deleted`. */
const UNDERGOES =
  /\b(?:is|are|gets?|will be)(?: (?:then|also|automatically|immediately|subsequently|permanently))* (?:deleted|removed|cleared|consumed|acknowledged|dequeued|emptied|archived|invalidated|revoked|kicked|marked as (?:read|seen|done|processed|delivered)|reset)\b|\ba new one is (?:automatically )?(?:created|generated)\b/;

/** The same in a clause about the result: `messages, which are then marked as read`. */
const THEN_UNDERGOES =
  /\b(?:is|are) (?:then|subsequently|immediately) (?:deleted|removed|cleared|consumed|marked|archived|acknowledged|reset|updated|saved|sent)\b/;

/** `Gets a token, which invalidates the old one`. */
const WHICH =
  /, which (?:then |also |automatically |immediately )?(?:deletes|removes|clears|consumes|archives|invalidates|revokes|resets|marks|overwrites)\b/;

const SIDE_EFFECT = /\bside[- ]effects?:\s*(?!none\b|no\b|n\/a\b)\p{L}+/u;

/** Sentences that are read. */
const MAX_SENTENCES = 4;

/** A second verb in the first sentence. `form` is the form of its main verb. */
export function secondVerb(sentence: string, form: Form = 'base'): Reading | undefined {
  const pair = verbIn(PAIRED.exec(sentence)?.[1] ?? '');
  if (pair?.form === form && isChange(effectOf(pair.base))) return sayingVerb(pair.base);
  const plain = sentence.replace(ASIDE, '');
  for (const [, joint, word, next] of plain.matchAll(JOINED)) {
    const verb = verbIn(word!);
    if (verb === undefined || !isChange(effectOf(verb.base))) continue;
    const fits = CLAUSE.test(joint!) ? verb.form === 'third' : verb.form === form;
    // A word that is also a noun may be a thing: `issues and comments`.
    const isSure = isSurelyVerb(verb.base) && fits;
    const isOther = verb.form === form || verb.form !== 'base';
    if (isSure || (isOther && isDone(verb.base, next))) return sayingVerb(verb.base);
  }
  for (const [, joint, word] of sentence.replace(DENIAL, '').matchAll(ADDED)) {
    const verb = verbIn(word!);
    if (verb === undefined || !isDone(verb.base, 'it')) continue;
    const other = joint === ',' ? 'ing' : form;
    if (verb.form === other || verb.form === 'third') return sayingVerb(verb.base);
  }
  return undefined;
}

/** A verb of a change with its object. */
function isDone(verb: string, next: string | undefined): boolean {
  if (!OBJECTS.has(next ?? '') || !isChange(effectOf(verb))) return false;
  return !VAGUE.has(verb) && !PRODUCES.has(verb);
}

/** A warning, or a change in one of the first sentences. */
export function laterChange(text: string, sentences: readonly string[]): Reading | undefined {
  const harm = harmIn(text);
  if (harm !== undefined && !DENIED_HARM.test(text)) return saying('destructive', harm);
  const effect = SIDE_EFFECT.exec(text) ?? WHICH.exec(text) ?? FOREIGN_DELETION.exec(text);
  if (effect) return saying('change', effect[0]);
  for (const [i, sentence] of sentences.slice(0, MAX_SENTENCES).entries()) {
    const said =
      ITSELF.exec(sentence.replace(ASIDE, '')) ??
      UNDERGOES.exec(withoutCondition(sentence).replace(ASIDE, '')) ??
      THEN_UNDERGOES.exec(sentence.replace(DENIAL, ''));
    if (said) return saying('change', said[0]);
    const [, first = '', next] = /^(\p{L}+)(?:\s+(\p{L}+))?/u.exec(sentence) ?? [];
    const verb = i === 0 || i > 2 ? undefined : verbIn(first);
    if (verb?.form !== 'third') continue;
    if (isDeed(verb.base) || isDone(verb.base, next)) return saying('change', verb.base);
  }
  return undefined;
}

function harmIn(text: string): string | undefined {
  const harms = [...text.matchAll(HARM)];
  return harms.find(({ index }) => !DENIED_BEFORE.test(text.slice(0, index)))?.[0];
}

/** `If none exists, a new one is created`: the condition is left out. */
function withoutCondition(sentence: string): string {
  return sentence.replace(/^(?:if|when|once|after)\b[^,]*,/, '');
}

/** Verbs that do not say what is done: `Performs filtered searches`, `Authenticates by token`. */
const VAGUE: ReadonlySet<string> = new Set(
  'perform run execute call invoke use handle process manage authenticate connect apply enable accept make'.split(
    ' ',
  ),
);

/** Verbs that often only produce the answer: `, generating a report`, `and building the query`. */
const PRODUCES: ReadonlySet<string> = new Set(
  'generate build select start control link type index capture'.split(' '),
);

/**
 * Whether a verb at the start of a later sentence is something that the tool does: `Downloads
 * objects` is, `Comments are sorted` is not.
 */
function isDeed(verb: string): boolean {
  if (VAGUE.has(verb)) return false;
  return isChange(effectOf(verb)) && (isSurelyVerb(verb) || verb === 'download' || verb === 'save');
}

function sayingVerb(verb: string): Reading {
  return saying(saysOf(effectOf(verb)!), verb);
}

export function saysOf(effect: Effect): Reading['says'] {
  if (effect === 'adds') return 'write';
  if (effect === 'harms') return 'destructive';
  return READINGS[effect] ?? 'change';
}

export function saying(says: Reading['says'], word: string): Reading {
  return { says, word, because: `the description says ${word}` };
}
