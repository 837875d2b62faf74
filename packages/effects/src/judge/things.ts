/** Words of paths and names that stand for things, not for actions. */

import { mayChange } from './verbs.js';
import { NOUNS } from './nouns.js';

/** Words that say which things of a kind are meant: `/releases/latest`. */
const SELECTIONS: ReadonlySet<string> = new Set(
  `about active adhoc advanced aggregated all annual any available average basic best bottom bought brief built by
  closest commercial common compact count critical csv current custom daily default detail domestic done dynamic
  eligible everyone exists expanded extended external featured federal final first for found fourth from full future
  generic given held hidden high highest historical history hot hourly html inactive inbound incoming index
  individual info internal international invalid json kept known large last latest legacy list live local long lost
  low lowest made main many me mine mini minimal missing mobile monthly most multiple my national native near nearby
  nearest newest now of official old oldest one online original other outbound outgoing overall own paid partial
  past pdf pending personal popular possible potential premium present presidential previous primary private public
  quarterly random raw real realtime recent regional related remote second self sent short shown similar simple
  single small social sold special specific standard static successful supported taken temporary text third this
  today top trending txt typical unique unread upcoming valid visible waiting weekly where with without won xml
  yearly`.split(/\s+/),
);

/** Words with the ending of a noun that are verbs. */
const VERBS_LIKE_NOUNS: ReadonlySet<string> = new Set(
  `provision decommission commission recommission deprovision transition reposition requisition partition mention
  caution auction implement increment decrement comment augment advance enhance rebalance commence silence influence
  finance sequence reference condition petition function ration question ping ring bring sing sting king wing swing
  spring string fling sling wring zing ding`.split(/\s+/),
);

const NOUN_ENDING =
  /(?:[st]ion|ment|ness|ity|[ae]nce|[ae]ncy|ship|hood|ism|ology|ography|ometry|ware|dom|[^aeiou]ing|[aeiou][^aeiou]ing|ability|arity|ature|logue|gram|graph|metry|phone|scope|sphere|sis|tude|cracy|pedia|[ir]ium|ator|izer|iser|yzer|erter|[^i]cker)$/;

const IRREGULAR_PLURALS: ReadonlySet<string> = new Set(
  `people children data media metadata criteria indices matrices vertices news men women feet staff series species
  analytics statistics graphics logistics ids ips ads apis urls uris skus vms vpcs pcs tvs faqs dvds cds gpus cpus
  nics acls vlans ssids pdfs sims isps atms pois kpis apks pods jobs tags logs ios personnel equipment info information
  stats details`.split(/\s+/),
);

/** Words that end in "s" and are no plurals. */
const NO_PLURALS =
  /(?:ss|us|is|sms|dns|rss|gps|tls|ssl|https?|cors|css|aws|sas|kerberos|always|perhaps|towards)$/;

/** `orders`, `people`. Also `deleteusers`: the caller looks for verbs first. */
export function isPlural(word: string): boolean {
  if (IRREGULAR_PLURALS.has(word)) return true;
  if (word.length < 4 || !word.endsWith('s')) return false;
  // `menus` and `wikis` are plurals, `status` and `analysis` are not.
  return !NO_PLURALS.test(word) || NOUNS.has(word.slice(0, -1));
}

export function singular(word: string): string {
  if (!isPlural(word)) return word;
  if (word.endsWith('ies')) return word.replace(/ies$/, 'y');
  return word.replace(/(?<=s|x|z|ch|sh)es$|s$/, '');
}

/** A noun, in the singular. */
export function isNoun(word: string): boolean {
  if (NOUNS.has(word)) return true;
  return word.length > 5 && NOUN_ENDING.test(word) && !VERBS_LIKE_NOUNS.has(word);
}

/** Nouns that only name what is known about something, or its form. They count as a plural. */
const INFORMATION: ReadonlySet<string> = new Set(
  `info information details history metadata statistics stats status summary overview version health usage availability
  schema analytics performance progress balance price pricing weather forecast ranking reputation definition
  specification documentation description catalog catalogue glossary image thumbnail logo avatar icon picture photo pdf
  html xml csv json`.split(/\s+/),
);

export function isInformation(word: string): boolean {
  return INFORMATION.has(word);
}

const ADJECTIVE = /(?:[^e]ed|able|ible|[^qu]est|ical|[ie]nal|onal|[iu]ous|ular|ready)$/;

/** `latest`, `all`, `deleted`: not a thing, but a choice among things. */
export function isSelection(word: string): boolean {
  return SELECTIONS.has(word) || (word.length > 4 && ADJECTIVE.test(word));
}

const PREPOSITIONS: ReadonlySet<string> = new Set(
  'for by of with without in from at per using as'.split(' '),
);

/** `by_location` says which things are meant. */
export function isPreposition(word: string): boolean {
  return PREPOSITIONS.has(word);
}

/** The words before a preposition, which say what the whole is: `list_by_route_and_stop` lists. */
export function headOf(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => PREPOSITIONS.has(word));
  return at > 0 ? words.slice(0, at) : words;
}

/** Whether a word of a path or a name cannot be an action. */
export function isThing(word: string): boolean {
  // No verb has a digit, one letter, or no vowel.
  if (/\p{N}/u.test(word) || word.length < 3 || /^[^aeiouy\P{ASCII}]+$/u.test(word)) return true;
  return isNoun(word) || isSelection(word) || isPlural(word) || isCompound(word);
}

/** Two words in one, of which the second is a noun: `countrycode`, `maritalstatus`. */
function isCompound(word: string): boolean {
  for (let at = 3; at <= word.length - 3; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    if (mayChange(head) || mayChange(tail)) continue;
    if (COMPOUND_ENDINGS.has(tail) || (isNoun(head) && NOUNS.has(tail))) return true;
  }
  return false;
}

const COMPOUND_ENDINGS: ReadonlySet<string> = new Set(
  'list count check search info status type code data details number history summary settings config'.split(
    ' ',
  ),
);
