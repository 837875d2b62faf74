/** The entry of a server from a registry, as the configuration gets it. A pure function of its way and the values. */

import type { WrittenEntry } from '@callsign/config';

import type { Argument, Asked, Field, Template, Way } from './registry-server.js';

type Texts = ReadonlyMap<string, readonly string[]>;

/** What was given and belongs to nothing that the server asks for: the person wants it all the same. */
export interface MoreFields {
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

export function registryEntry(way: Way, texts: Texts, { env, headers }: MoreFields): WrittenEntry {
  if (way.kind === 'remote') {
    const all = { ...fieldsOf(way.headers, texts), ...headers };
    return { type: way.type, url: textOf(way.url, texts) ?? '', ...optional('headers', all) };
  }
  const args = [...way.start, ...way.args.flatMap((each) => wordsOf(each, texts))];
  return {
    command: way.command,
    args,
    ...optional('env', { ...fieldsOf(way.env, texts), ...env }),
  };
}

function optional(name: string, fields: Readonly<Record<string, string>>): WrittenEntry {
  return Object.keys(fields).length > 0 ? { [name]: fields } : {};
}

function fieldsOf(fields: ReadonlyMap<string, Field>, texts: Texts): Record<string, string> {
  return Object.fromEntries(
    [...fields].flatMap(([name, field]) => {
      const text = textOf(field.text, texts, field.isRequired);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}

function wordsOf(
  { flag, text, isRepeated, isRequired, isSwitch }: Argument,
  texts: Texts,
): string[] {
  const before = flag === undefined ? [] : [flag];
  if (isSwitch) {
    const isOn = text.length === 0 || textOf(text, texts) === 'true';
    return isOn ? before : [];
  }
  const [only] = text;
  const repeated = isRepeated && text.length === 1 && typeof only === 'object';
  const values = repeated ? (texts.get(only.name) ?? []) : [textOf(text, texts, isRequired)];
  return values.flatMap((value) => (value === undefined ? [] : [...before, value]));
}

/** `undefined`: a value in it is missing, so it is left out. `isNeeded`: a value that is missing is empty. */
function textOf(template: Template, texts: Texts, isNeeded = false): string | undefined {
  const valueOf = ({ name }: Asked): string | undefined => texts.get(name)?.at(-1);
  const parts = template.map((part) => (typeof part === 'string' ? part : valueOf(part)));
  const isWhole = parts.every((part) => part !== undefined);
  const hasFixed = template.some((part) => typeof part === 'string');
  if (!isWhole && !(isNeeded && hasFixed)) return undefined;
  return parts.map((part) => part ?? '').join('');
}
