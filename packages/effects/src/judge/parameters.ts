/** Reads parameters: `sql` that is run, `action: delete`, `force`, `mark_as_read`, `?drop=`. They never prove a read. */

import type { Effect } from '../hints/endpoints.js';
import { isObject, ownProperty, ownText } from '../hints/property.js';
import type { Evidence } from './evidence.js';
import { isNoun, isPlural } from './things.js';
import { type Certainty, isChange, isClearChange, isRead, provesRead, verbOf } from './verbs.js';
import { plainText, wordsOf } from './words.js';

/** A parameter, however deep in the schema. */
export interface Parameter {
  readonly name: string;
  readonly type?: unknown;
  readonly description?: string | undefined;
  /** The values that it can have, its default and its examples, as far as they are texts. */
  readonly values: readonly string[];
  /** Whether it lists all its values. */
  readonly isListed: boolean;
  /** Whether it belongs to an object of options or filters. */
  readonly isInner?: boolean;
  /** Whether that object narrows a list. */
  readonly isFilter?: boolean;
  /** Of an HTTP operation: `query`, `path`, `header`, `cookie`. */
  readonly place?: string | undefined;
  /** Whether the caller chooses the keys that are sent. */
  readonly hasFreeKeys?: boolean;
}

/** Tools written by people have fewer. */
const MAX_PARAMETERS = 200;
const MAX_DEPTH = 8;

/** All parameters of an input schema. References, alternatives, items and inner objects are followed. */
export function parametersOf(inputSchema: unknown): Parameter[] {
  const found: Parameter[] = [];
  const visit = (schema: unknown, inside: string | undefined, depth: number): void => {
    for (const part of partsOf(schema, inputSchema, depth)) {
      const properties = ownProperty(part, 'properties');
      for (const [name, own] of isObject(properties) ? Object.entries(properties) : []) {
        if (found.length >= MAX_PARAMETERS) return;
        found.push(parameterOf(name, own, inside, inputSchema, depth));
        if (depth < MAX_DEPTH) visit(own, name, depth + 1);
      }
    }
  };
  visit(inputSchema, undefined, 0);
  return found;
}

/** A schema with all that it refers to, its alternatives and its items. */
function partsOf(schema: unknown, root: unknown, depth: number): unknown[] {
  const parts: unknown[] = [];
  const add = (each: unknown, left: number): void => {
    if (!isObject(each) || left === 0 || parts.length >= 50 || parts.includes(each)) return;
    parts.push(each);
    add(referredBy(ownText(each, '$ref'), root), left - 1);
    for (const key of ['oneOf', 'anyOf', 'allOf']) {
      const options = ownProperty(each, key);
      for (const option of Array.isArray(options) ? options : []) add(option, left - 1);
    }
    add(ownProperty(each, 'items'), left - 1);
  };
  add(schema, MAX_DEPTH - depth);
  return parts;
}

function referredBy(reference: string | undefined, root: unknown): unknown {
  if (!reference?.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .reduce(
      (each, key) => ownProperty(each, key.replaceAll('~1', '/').replaceAll('~0', '~')),
      root,
    );
}

function parameterOf(
  name: string,
  schema: unknown,
  inside: string | undefined,
  root: unknown,
  depth: number,
): Parameter {
  const parts = partsOf(schema, root, depth);
  const choices = parts.flatMap((part) => {
    const listed = ownProperty(part, 'enum');
    return [...(Array.isArray(listed) ? listed : []), ownProperty(part, 'const')];
  });
  const texts = choices.filter((each) => typeof each === 'string');
  const standard = ownProperty(schema, 'default');
  return {
    name,
    type: parts.map((part) => ownProperty(part, 'type')).find((type) => type !== undefined),
    description: ownText(schema, 'description'),
    values: typeof standard === 'string' ? [...texts, standard] : texts,
    isListed: texts.length > 0,
    isInner: inside !== undefined,
    isFilter: /filter|where|criteria/i.test(inside ?? ''),
  };
}

/** Parameters whose value is a program. */
const PROGRAMS: ReadonlySet<string> = new Set(
  'sql command commands cmd script shell bash javascript python program statement statements cypher'.split(
    ' ',
  ),
);

/** Parameters whose value is a program if their description says so. */
const MAYBE_PROGRAMS: ReadonlySet<string> = new Set(
  'code query queries function expression snippet source graphql pipeline mutation body'.split(' '),
);

const LANGUAGES = /\b(?:sql|graphql|cypher|sparql)\b/;

const PROGRAM_WORDS =
  /\b(?:sql|graphql|cypher|sparql|javascript|typescript|python|shell|bash|script|(?:to|will be|is) (?:execute|run|evaluate)d?)\b/;

/** `JavaScript to evaluate`, under any name. */
const TO_BE_RUN =
  /\b(?:javascript|typescript|python|ruby|lua|sql|cypher|code|script|command|commands)(?: \w+){0,3} (?:to|will be|that is|which is|is) (?:be )?(?:execut|run|evaluat)/;

/** The program can only read: `Execute a SELECT query`. */
const ONLY_SELECTS =
  /\b(?:execute|run|runs|executes|perform)s? an? select (?:query|statement)|\bonly select|\bselect(?: (?:query|queries|statements?))? only|\bread-?only (?:sql|query|queries|statements?|commands?|transactions?)|\u53ea\u8bfb ?(?:sql|\u67e5\u8be2|\u8bed\u53e5)/;

/** Parameters that choose the action. */
const CHOICES: ReadonlySet<string> = new Set(
  'action actions operation op method subcommand verb mutation'.split(' '),
);

/** The parameter only narrows a list. */
const NARROWS =
  /\bfilter|\breturn (?:only |entities|results|items)|\bonly (?:return|list|show|include)/;

const METHODS: ReadonlySet<string> = new Set(['post', 'put', 'patch', 'delete']);

/** Parameters that only operations with side effects have. */
const CONSENT =
  /^(?:force|confirm\w*|dry ?run|overwrite|upsert|purge|on conflict|if exists|replace existing)\b/;

/** The first words of booleans that make a tool change something. `remove` is none: `remove_duplicates`. */
const CHANGING_FLAGS: ReadonlySet<string> = new Set(
  'mark delete create update overwrite reset send archive acknowledge ack clear flush consume fix autofix autocorrect'.split(
    ' ',
  ),
);

/** Those that count inside of an object; others describe it: `filter: { archive: true }`. */
const REMOVING_FLAGS: ReadonlySet<string> = new Set(
  'delete overwrite reset clear flush consume'.split(' '),
);

/** Booleans that do so if this is their whole name: `apply` does, `apply_filters` does not. */
const CHANGING_ALONE: ReadonlySet<string> = new Set(
  'write apply save remove commit push install publish drain rotate restart'.split(' '),
);

/** Words before the verb of a flag: `should_delete`, `auto_fix`. */
const FLAG_OPENINGS: ReadonlySet<string> = new Set('should also and then do auto'.split(' '));

/** Parameters that name a file or a folder for the output. */
const OUTPUTS =
  /^(?:output|save|download|dest|destination|export) (?:.* )?(?:to|path|file|dir|directory|folder|filename|name)$|^out(?:file|dir)$|^local (?:path|file|dir|directory|folder)$/;

const WRITES_FILE =
  /\b(?:save|saved|saves|saving|write|written|store|stored|output|download(?:ed|ing)?) /;

/**
 * What the parameters say against a read. `about` is the description. A `likely` change blocks an inferred read; a `weak`
 * one only a proof.
 */
export function readParameters(
  parameters: readonly Parameter[],
  about: string,
  path = '',
): Evidence[] {
  const found = [programIn, choiceIn, consentIn, outputIn].flatMap(
    (reader) => reader(parameters, about) ?? [],
  );
  return found.length > 0 ? found : doubtsIn(parameters, path.toLowerCase());
}

type Reader = (parameters: readonly Parameter[], about: string) => Evidence | undefined;

function stated(word: string, effect: Effect, certainty: Certainty, because: string): Evidence {
  return { where: 'parameter', word, effect, certainty, because };
}

const programIn: Reader = (parameters, about) => {
  if (ONLY_SELECTS.test(about)) return undefined;
  const isLanguage = LANGUAGES.test(about);
  const program = parameters.find(({ name, description = '', type, isListed, place }) => {
    const words = wordsOf(name);
    const last = words.at(-1) ?? '';
    if (!isText(type) || isListed || place === 'header' || place === 'path') return false;
    const text = plainText(description);
    if (PROGRAMS.has(last)) return words.length <= 2;
    if (TO_BE_RUN.test(text)) return true;
    // A `query` without a description, in a tool whose description speaks of SQL.
    return MAYBE_PROGRAMS.has(last) && (PROGRAM_WORDS.test(text) || (isLanguage && text === ''));
  });
  if (!program) return undefined;
  const isNamed = PROGRAMS.has(wordsOf(program.name).at(-1) ?? '');
  return stated(
    program.name,
    'runs',
    isNamed ? 'clear' : 'likely',
    `the parameter ${program.name} is run`,
  );
};

const choiceIn: Reader = (parameters) => {
  for (const { name, description = '', values, isListed, isFilter, place } of parameters) {
    const words = wordsOf(name);
    const last = words.at(-1) ?? '';
    const isChoice = CHOICES.has(last);
    // `sms_method` is the method of another request.
    const isOther =
      words.length > 1 && (place !== undefined || (last === 'method' && words[0] !== 'http'));
    if (words.length > 2 || !(isChoice || last === 'mode') || isOther || place === 'path') continue;
    const text = plainText(description);
    if (isFilter || NARROWS.test(text)) continue;
    const effects = values.map((value) => ({ value, effect: chosenEffect(value, isChoice) }));
    // Names the worst choice: "can be create" does not contradict a claim to delete nothing.
    const change =
      effects.find(({ effect }) => effect === 'destroys') ??
      effects.find(({ effect }) => effect !== undefined);
    if (change)
      return stated(
        change.value,
        change.effect!,
        'clear',
        `the parameter ${name} can be ${change.value}`,
      );
    if (!isChoice) continue;
    const said = (isListed ? values : wordsOf(description)).find((word) => {
      const [first = ''] = wordsOf(word);
      return METHODS.has(first) || (isListed ? isChange(verbOf(first)) : isClearChange(first));
    });
    if (said !== undefined)
      return stated(name, 'changes', 'likely', `the parameter ${name} can be ${said}`);
    // Free text for an `operation` or a `method` may be a filter. An `action` is always executed.
    if (!isListed && !/^(?:operation|method)$/.test(last)) {
      return stated(name, 'runs', 'likely', `${name} chooses what it does`);
    }
  }
  return undefined;
};

/** The change that a value clearly stands for. Not only `open` or `export`, which may change something. */
function chosenEffect(value: string, isVerb: boolean): Effect | undefined {
  const [first = ''] = wordsOf(value);
  const verb = verbOf(first);
  if (!isChange(verb) || verb.certainty !== 'clear' || (!isVerb && verb.isNoun)) return undefined;
  if (verb.effect === 'runs') return undefined;
  return METHODS.has(first) && first !== 'delete' ? 'changes' : verb.effect;
}

const consentIn: Reader = (parameters) => {
  const consent = parameters.find(({ name, type, isInner = false, place }) => {
    const words = wordsOf(name);
    if (!isInner && place === undefined && CONSENT.test(words.join(' '))) return true;
    // `mark_as_read: true` on a tool that gets messages.
    return type === 'boolean' && isChangingFlag(words, isInner);
  });
  return consent && stated(consent.name, 'changes', 'likely', `it has a parameter ${consent.name}`);
};

function isChangingFlag(words: readonly string[], isInner: boolean): boolean {
  if (isInner) return REMOVING_FLAGS.has(words[0] ?? '');
  // `archive_serial_number__isnull` is a filter.
  if (words.length > 3) return false;
  const [verb = '', ...rest] = FLAG_OPENINGS.has(words[0] ?? '') ? words.slice(1) : words;
  return CHANGING_FLAGS.has(verb) || (rest.length === 0 && CHANGING_ALONE.has(verb));
}

const outputIn: Reader = (parameters) => {
  const found = parameters.flatMap(({ name, description = '', isInner, place, type }) => {
    if (isInner || place !== undefined || !isText(type)) return [];
    const words = wordsOf(name);
    const said = (certainty: Certainty): Evidence =>
      stated(name, 'changes', certainty, `the parameter ${name} names an output`);
    if (OUTPUTS.test(words.join(' '))) return [said('clear')];
    const text = plainText(description);
    const isPlace = /^(?:output|target|destination|dest|out)$/.test(words.join(' '));
    if (isPlace && /\b(?:director(?:y|ies)|folder|file ?path|path)\b/.test(text))
      return [said('clear')];
    const isFile = /(?:^| )(?:file|file ?name|filepath|path|dir|directory|folder)$/.test(
      words.join(' '),
    );
    // An optional file name in a tool that mostly answers does not contradict its claim.
    return isFile && WRITES_FILE.test(text) ? [said('likely')] : [];
  });
  return found.find(({ certainty }) => certainty === 'clear') ?? found[0];
};

function isText(type: unknown): boolean {
  return type === undefined || type === 'string' || type === 'array' || Array.isArray(type);
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

/** Parameters with which a caller may turn a read into a change. They are no proof that one does. */
function doubtsIn(parameters: readonly Parameter[], path: string): Evidence[] {
  const found = parameters.find((each) => isDoubtful(each, path));
  const sent =
    parameters.some(({ name }) => RECIPIENT.test(name)) &&
    parameters.find(({ name }) => CONTENT.test(name));
  const name = found?.name ?? (sent ? sent.name : undefined);
  return name === undefined
    ? []
    : [stated(name, 'changes', 'weak', `the parameter ${name} may change something`)];
}

function isDoubtful(parameter: Parameter, path: string): boolean {
  const { name, values, isListed } = parameter;
  if (overridesMethod(name) || parameter.hasFreeKeys === true) return true;
  if (parameter.place === 'header' || parameter.place === 'cookie') return false;
  if (PROGRAM.test(name)) return true;
  const key = name.toLowerCase();
  // In `/operations/{operation}` it is the name of a thing.
  if (ACTION_KEY.test(key) && !path.includes(`/${key}s/{${key}}`)) {
    return !isListed || values.some((value) => !provesRead(calledBy(value)[0] ?? ''));
  }
  return (!FILTER.test(name) && values.some(namesChange)) || isSwitch(parameter);
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

/** A parameter whose name is a verb, or a verb and what it is done to. */
function isSwitch({ name, type }: Parameter): boolean {
  const words = wordsOf(name);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  // A dry run may only check what the caller is allowed to read.
  if (/^dry_?run$/i.test(name) || NOT_SWITCHED.has(first) || isRead(verbOf(first))) return false;
  if (words.length === 1) {
    const isWord = type === 'boolean' || type === undefined || type === 'string';
    return isWord && (SWITCHES.has(first) || isClearChange(first));
  }
  if (type === 'integer' || type === 'number') return false;
  if (type === 'boolean' && CONSENT.test(words.join(' '))) return true;
  const isThing =
    isNoun(last) ||
    isPlural(last) ||
    /^(?:id|at|by|on|to|from|since|until|after|before|time|date)$/.test(last);
  return isClearChange(first) && !isThing;
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
