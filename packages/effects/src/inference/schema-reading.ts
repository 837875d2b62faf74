/** Reads the effect of a tool from its parameters: `sql` that is run, `action: delete`, `force`. */

import { isObject, ownProperty, ownText } from '../hints/property.js';
import { wordsOf } from '../words/words.js';
import type { Reading } from './reading.js';
import { effectOf, isChange, isSurelyVerb } from './verb-effects.js';

interface Parameter {
  readonly name: string;
  readonly words: readonly string[];
  readonly description: string;
  readonly schema: unknown;
}

/** Tools written by people have fewer. */
const MAX_PARAMETERS = 200;

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

const LANGUAGES = /\b(?:sql|graphql|cypher|sparql)\b/i;

const PROGRAM_WORDS =
  /\b(?:sql|graphql|cypher|sparql|javascript|typescript|python|shell|bash|script|(?:to|will be|is) (?:execute|run|evaluate)d?)\b/i;

/** Parameters that choose the action. */
const CHOICES: ReadonlySet<string> = new Set(
  'action actions operation op method subcommand verb mutation'.split(' '),
);

/** Parameters that choose what is done if their values are verbs: `mode: [list, delete]`. */
const MAYBE_CHOICES: ReadonlySet<string> = new Set(['mode']);

const METHODS: ReadonlySet<string> = new Set(['post', 'put', 'patch', 'delete']);

/** Parameters that only tools with side effects have. */
const CONSENT =
  /^(?:force|confirm\w*|dry ?run|overwrite|upsert|purge|on conflict|if exists|replace existing)\b/;

/**
 * The first words of booleans that make a tool change something. `remove` is not one:
 * `remove_duplicates`.
 */
const CHANGING_FLAGS: ReadonlySet<string> = new Set(
  'mark delete create update overwrite reset send archive acknowledge ack clear flush consume fix autofix autocorrect'.split(
    ' ',
  ),
);

const REMOVING_FLAGS: ReadonlySet<string> = new Set(
  'delete overwrite reset clear flush consume'.split(' '),
);

/** Booleans that do so if this is their whole name: `apply` does, `apply_filters` does not. */
const CHANGING_ALONE: ReadonlySet<string> = new Set(
  'write apply save remove commit push install publish drain rotate restart'.split(' '),
);

/** Words before the verb of a flag: `should_delete`, `auto_fix`. */
const FLAG_OPENINGS: ReadonlySet<string> = new Set('should also and then do auto'.split(' '));

/** Parameters that name a file for the output. */
const OUTPUTS =
  /^(?:output|save|download|dest|destination) (?:.* )?(?:to|path|file|dir|directory|folder|filename|name)$|^out(?:file|dir)$/;

const WRITES_FILE = /\b(?:save|saved|write|written|store|stored|output)\b/i;

/**
 * A parameter that shows that the tool changes something; `undefined` if none does. Schemas never
 * prove a read. `about` is the description of the tool.
 */
export function readSchema(inputSchema: unknown, about: unknown = ''): Reading | undefined {
  const parameters = parametersOf(inputSchema);
  const isLanguage = typeof about === 'string' && LANGUAGES.test(about);
  const harms = [programIn, choiceIn, consentIn, outputIn];
  if (isLanguage) harms.unshift(languageIn);
  for (const harmIn of harms) {
    const reading = harmIn(parameters);
    if (reading) return reading;
  }
  return undefined;
}

/** Whether a parameter of this name holds a program, under any description. */
export function isProgramName(name: string): boolean {
  return PROGRAMS.has(wordsOf(name).at(-1) ?? '');
}

function parametersOf(inputSchema: unknown): Parameter[] {
  const properties = ownProperty(inputSchema, 'properties');
  if (!isObject(properties)) return [];
  return Object.entries(properties)
    .slice(0, MAX_PARAMETERS)
    .map(([name, schema]) => ({
      name,
      words: wordsOf(name),
      description: ownText(schema, 'description') ?? '',
      schema,
    }));
}

function programIn(parameters: readonly Parameter[]): Reading | undefined {
  const program = parameters.find(({ words, description, schema }) => {
    const last = words.at(-1) ?? '';
    if (!isText(schema)) return false;
    if (PROGRAMS.has(last)) return words.length <= 2;
    return MAYBE_PROGRAMS.has(last) && PROGRAM_WORDS.test(description);
  });
  return program && saying('destructive', program.name, `the parameter ${program.name} is run`);
}

/** A `query` without a description, in a tool whose description speaks of SQL. */
function languageIn(parameters: readonly Parameter[]): Reading | undefined {
  const program = parameters.find(({ words, description, schema }) => {
    return description === '' && MAYBE_PROGRAMS.has(words.at(-1) ?? '') && isText(schema);
  });
  return program && saying('destructive', program.name, `the parameter ${program.name} is run`);
}

function choiceIn(parameters: readonly Parameter[]): Reading | undefined {
  for (const { name, words, description, schema } of parameters) {
    const last = words.at(-1) ?? '';
    if (words.length > 2 || !(CHOICES.has(last) || MAYBE_CHOICES.has(last))) continue;
    const options = choicesOf(schema);
    const isChoice = CHOICES.has(last);
    const changes = options.filter((each) => isClearlyChange(each, isChoice));
    if (changes.length > 0)
      return { ...saying('change', name, `the parameter ${name} can be ${changes[0]}`), changes };
    if (!isChoice) continue;
    const said = options.length > 0 ? options : wordsOf(description);
    const change = said.find((word) => {
      const [first = ''] = wordsOf(word);
      const isVerb = options.length > 0 || isSurelyVerb(first);
      return METHODS.has(first) || (isVerb && isChange(effectOf(first)));
    });
    if (change) return saying('change', name, `the parameter ${name} can be ${change}`);
    // Free text for an `operation` may be a filter. An `action` is always executed.
    if (options.length === 0 && last !== 'operation')
      return saying('change', name, `${name} chooses what it does`);
  }
  return undefined;
}

/** Not only `open` or `export`, which may change something. */
function isClearlyChange(option: string, isVerb: boolean): boolean {
  const [first = ''] = wordsOf(option);
  if (!isVerb && !isSurelyVerb(first)) return false;
  const effect = effectOf(first);
  return effect === 'adds' || effect === 'harms';
}

function consentIn(parameters: readonly Parameter[]): Reading | undefined {
  const consent = parameters.find(({ words, schema }) => {
    if (CONSENT.test(words.join(' '))) return true;
    // `mark_as_read: true` on a tool that gets messages.
    return flagsOf(words, schema).some(isChangingFlag);
  });
  return consent && saying('change', consent.name, `it has a parameter ${consent.name}`);
}

/** The words of a boolean, or of the booleans in an object of options. */
function flagsOf(words: readonly string[], schema: unknown): (readonly string[])[] {
  const type = ownProperty(schema, 'type');
  if (type === 'boolean') return [words];
  const inner = type === 'object' ? parametersOf(schema) : [];
  // In an object, others describe it: `filter: { archive: true }`.
  return inner.flatMap((each) =>
    ownProperty(each.schema, 'type') === 'boolean' && REMOVING_FLAGS.has(each.words[0] ?? '')
      ? [each.words]
      : [],
  );
}

function isChangingFlag(words: readonly string[]): boolean {
  const [verb = '', ...rest] = FLAG_OPENINGS.has(words[0] ?? '') ? words.slice(1) : words;
  return CHANGING_FLAGS.has(verb) || (rest.length === 0 && CHANGING_ALONE.has(verb));
}

function outputIn(parameters: readonly Parameter[]): Reading | undefined {
  const output = parameters.find(({ words, description }) => {
    if (OUTPUTS.test(words.join(' '))) return true;
    const isFile = /^(?:file|filename|filepath|path)$/.test(words.at(-1) ?? '');
    return (isFile || words.join('') === 'filename') && WRITES_FILE.test(description);
  });
  return output && saying('change', output.name, `the parameter ${output.name} names an output`);
}

function isText(schema: unknown): boolean {
  const type = ownProperty(schema, 'type');
  return type === undefined || type === 'string' || type === 'array' || Array.isArray(type);
}

function choicesOf(schema: unknown): string[] {
  const values = ownProperty(schema, 'enum') ?? [ownProperty(schema, 'const')];
  return Array.isArray(values) ? values.filter((each) => typeof each === 'string') : [];
}

function saying(says: Reading['says'], word: string, because: string): Reading {
  return { says, word, because };
}
