/** Turns text from the command line into the JSON of a schema. Numbers keep their digits. */

export type TypedValue = { readonly json: string } | { readonly wrong: string };

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;

/** The value of `name=text`, as the schema of that parameter wants it. */
export function typedValue(schema: Readonly<Record<string, unknown>>, text: string): TypedValue {
  const types = typesOf(schema);
  if (Array.isArray(schema['enum']) && types.length === 0) return ofEnum(schema['enum'], text);
  const found = types.map((type) => jsonAs(type, text)).find((json) => json !== undefined);
  if (found !== undefined) return { json: found };
  if (types.length === 0) return { json: isJson(text) ? text : JSON.stringify(text) };
  return { wrong: `takes ${types.map(articled).join(' or ')}` };
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** `string` comes last: every input is a valid string, so any other allowed type is tried first. */
function typesOf({ type, anyOf, oneOf }: Readonly<Record<string, unknown>>): string[] {
  const either = anyOf ?? oneOf;
  const nested = Array.isArray(either)
    ? either.flatMap((each) => typesOf((each ?? {}) as Readonly<Record<string, unknown>>))
    : [];
  const own = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');
  const all = [...new Set([...own, ...nested])];
  return all.toSorted((a, b) => Number(a === 'string') - Number(b === 'string'));
}

function jsonAs(type: string, text: string): string | undefined {
  switch (type) {
    case 'string':
      return JSON.stringify(text);
    case 'integer':
      return INTEGER.test(text) ? text : undefined;
    case 'number':
      return NUMBER.test(text) ? text : undefined;
    case 'boolean':
      return text === 'true' || text === 'false' ? text : undefined;
    case 'null':
      return text === 'null' ? text : undefined;
    case 'array':
      return arrayJson(text);
    case 'object':
      return text.startsWith('{') && isJson(text) ? text : undefined;
    default:
      return isJson(text) ? text : undefined;
  }
}

/** A single value becomes a list of one. */
function arrayJson(text: string): string {
  if (text.startsWith('[') && isJson(text)) return text;
  return `[${isJson(text) ? text : JSON.stringify(text)}]`;
}

function ofEnum(choices: readonly unknown[], text: string): TypedValue {
  const meant = choices.find((choice) => String(choice) === text);
  if (meant !== undefined) return { json: JSON.stringify(meant) };
  return { wrong: `takes one of ${choices.map(String).join(', ')}` };
}

function articled(type: string): string {
  if (type === 'string') return 'text';
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}
