/** Finds parameters with which a caller can turn a read into a change: `action=delete`, `?drop=`. */

import { readSchema } from '../inference/schema-reading.js';
import { wordsOf } from '../words/words.js';
import { isClearChange } from './change-verbs.js';
import { isReadPhrase } from './read-verbs.js';
import type { Statement } from './statement.js';
import { isNoun, isPlural } from './things.js';

/** A parameter of an HTTP operation, as the API names it. */
export interface RequestParam {
  readonly name: string;
  /** `query`, `path`, `header`, `cookie`. */
  readonly place?: string | undefined;
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  /** The values that it can have, and its default, as far as they are texts. */
  readonly values: readonly string[];
  /** Whether it lists all its values. */
  readonly isListed: boolean;
  /** Whether the caller chooses the keys that are sent. */
  readonly hasFreeKeys?: boolean;
}

/** Keys that name the action: `/#Action=RunInstances`, `?do=purge`. */
export const ACTION_KEY: RegExp =
  /^_*(?:action|act|method|\w*cmd|cmnd|command|operation|op|do|funcs?|fn|verb|x-amz-target|turn|go)$/i;

const METHOD_OVERRIDE =
  /^(?:_+(?:http[-_]?)?method|_*x[-_](?:http[-_]?)?method(?:[-_]?override)?|_*(?:http[-_]?)?method[-_]?override)$/i;

/** Whether a parameter replaces the method of its request: `_method`, `X-HTTP-Method-Override`. */
export function overridesMethod(wireName: string): boolean {
  return METHOD_OVERRIDE.test(wireName);
}

/** Parameters whose value is a program or a request of its own. */
const PROGRAM =
  /^(?:sql|cypher|gremlin|sparql|script|gcode|statement|mutation|operationname|stream\.body|cmd|expression|payload|eval)$/i;

/** Who gets something, and what. */
const RECIPIENT =
  /^(?:to|recipients?|number|numbers|phone|mobiles?|msisdn|chat_?id|channel|email_?to|dest(?:ination)?)$/i;
const CONTENT = /^(?:text|message|msg|body|content|sms|document|subject)$/i;

/** Parameters whose values are names of events, fields or states, not actions. */
const FILTER =
  /^(?:\w*(?:type|event|kind|scope|permission|expand|field|include|sort|status|state|reason|context|activity|category|role|topic|label|format)s?|\$\w+)$/i;

/** The first parameter that may change something. */
export function againstInParams(params: readonly RequestParam[], path: string): Statement[] {
  const found = params.find((param) => isDoubtful(param, path.toLowerCase()));
  const sent =
    params.some(({ name }) => RECIPIENT.test(name)) &&
    params.find(({ name }) => CONTENT.test(name));
  const word = found?.name ?? (sent ? sent.name : undefined);
  return word === undefined ? [] : [{ where: 'parameter', word, says: 'change' }];
}

function isDoubtful(param: RequestParam, path: string): boolean {
  const { name, values, isListed } = param;
  if (overridesMethod(name) || param.hasFreeKeys === true) return true;
  if (param.place === 'header' || param.place === 'cookie') return false;
  if (PROGRAM.test(name)) return true;
  const key = name.toLowerCase();
  // In `/operations/{operation}` it is the name of a thing.
  if (ACTION_KEY.test(key) && !path.includes(`/${key}s/{${key}}`)) {
    return !isListed || values.some((value) => !isReadPhrase(calledBy(value)));
  }
  return (!FILTER.test(name) && values.some(namesChange)) || isSwitch(param);
}

/** `namecheap.domains.create` creates. */
function calledBy(value: string): string[] {
  return wordsOf(value.split(/[./:]/).at(-1) ?? '');
}

/** A value with spaces is a text for people, not a choice. */
function namesChange(value: string): boolean {
  if (/\s/.test(value)) return false;
  const words = calledBy(value);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (isClearChange(first) && (words.length === 1 || !isPlural(last))) return true;
  return first === 'toggle' || (isClearChange(last) && words.length === 2 && value.includes('.'));
}

/** A flag such as `mark_as_read`, or a name that is a verb and what it is done to. */
function isSwitch({ name, type, description }: RequestParam): boolean {
  // It may only check what the caller is allowed to read.
  if (/^dry_?run$/i.test(name)) return false;
  const properties = { [name]: { type, description } };
  const reading = readSchema({ properties });
  if (type === 'boolean' ? reading !== undefined : reading?.says === 'destructive') return true;
  const words = wordsOf(name);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (words.length === 1)
    return type === 'boolean' || type === undefined || type === 'string'
      ? isSwitchWord(first)
      : false;
  if (type === 'integer' || type === 'number') return false;
  return (
    isClearChange(first) &&
    !NOT_SWITCHED.has(first) &&
    !isNoun(last) &&
    !isPlural(last) &&
    !/^(?:id|at|by|on|to|from|since|until|after|before|time|date)$/.test(last)
  );
}

/** `?drop=`, `?approve=`, `?reset=`. */
function isSwitchWord(word: string): boolean {
  return SWITCHES.has(word) || (isClearChange(word) && !NOT_SWITCHED.has(word));
}

/** Headers, filters, and the make of a car. */
const NOT_SWITCHED: ReadonlySet<string> = new Set(
  'accept make select authenticate merge duplicate enable disable apply use'.split(' '),
);

const SWITCHES: ReadonlySet<string> = new Set(
  'drop add toggle subscribe upload empty reset approve purge mark ack confirm activate submit vote like follow'.split(
    ' ',
  ),
);
