// Reads what validators leave to others: the placeholders of a path, and the fields of a form.

/** The placeholders of a path, as they were sent, and the query. `undefined`: the request went elsewhere. */
export function partsOf(template, url) {
  const names = [];
  const marked = template.replace(/#.*$/s, '').replace(/\{([^{}]*)\}/g, (_, name) => {
    return `0placeholder${names.push(name)}0`;
  });
  // Some documents write a part of the query into the path.
  const { pathname, search } = new URL(`http://localhost${marked}`);
  const source = (pathname + search)
    .replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replace(/0placeholder\d+0/g, '([^/&?]*)');
  const match = new RegExp(`^${source}(?:[?&](.*))?$`).exec(url);
  if (!match) return undefined;
  const values = Object.fromEntries(names.map((name, i) => [name, match[i + 1]]));
  return { values, query: match[names.length + 1] ?? '' };
}

/** The body as a value. Texts of a form become what their schema says. A body that cannot be read is none. */
export async function bodyOf({ headers, body }, media, resolve) {
  const type = headers['content-type'];
  if (type === undefined && body.length === 0)
    return { hasBody: false, value: undefined, text: '' };
  const value = await valueIn(body, type ?? '', media, resolve).catch(() => undefined);
  return { hasBody: value !== undefined, value, text: body.toString() };
}

async function valueIn(body, type, media, resolve) {
  if (/[/+]json\b/i.test(type)) return JSON.parse(body.toString());
  if (/^multipart\/form-data/i.test(type)) {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    return fieldsOf([...form], media, resolve);
  }
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    return fieldsOf([...new URLSearchParams(body.toString())], media, resolve);
  }
  return body.toString();
}

/** The fields of a form, by the schema of the form. */
function fieldsOf(pairs, media, resolve) {
  const schema = resolve(media?.schema) ?? {};
  const properties = propertiesOf(schema, resolve);
  const value = {};
  const set = (name, inner) =>
    Object.defineProperty(value, name, { value: inner, enumerable: true });
  for (const name of new Set(pairs.map(([key]) => key.replace(/\[.*$/s, '')))) {
    const own = pairs.filter(([key]) => key === name).map(([, inner]) => inner);
    const deep = pairs.filter(([key]) => key.startsWith(`${name}[`));
    const property = resolve(properties[name]) ?? {};
    const { style, explode } = media?.encoding?.[name] ?? {};
    if (deep.length > 0 && own.length === 0) set(name, deepValue(deep, name, property, resolve));
    else if (
      isList(property) &&
      own.length === 1 &&
      (explode === false || style?.endsWith('Delimited'))
    )
      set(name, joinedList(own[0], style, property, resolve));
    else if (isList(property) && !(own.length === 1 && own[0].toString().startsWith('[')))
      set(
        name,
        own.map((each) => typed(each, resolve(property.items) ?? {}, resolve)),
      );
    else set(name, typed(own[0], property, resolve));
  }
  return value;
}

function propertiesOf(schema, resolve) {
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => schema[key] ?? []);
  const inner = parts.map((part) => propertiesOf(resolve(part) ?? {}, resolve));
  return Object.assign({}, ...inner, schema.properties);
}

function isList({ type }) {
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}

const SEPARATORS = { spaceDelimited: ' ', pipeDelimited: '|' };

function joinedList(text, style, { items }, resolve) {
  const separator = SEPARATORS[style] ?? ',';
  return text.split(separator).map((each) => typed(each, resolve(items) ?? {}, resolve));
}

/** `name[a][b]=1` and `name[]=1`, at any depth. */
function deepValue(pairs, name, schema, resolve) {
  const groups = new Map();
  for (const [key, text] of pairs) {
    const [, first, rest] = /^\[([^\]]*)\](.*)$/s.exec(key.slice(name.length)) ?? [
      undefined,
      '',
      '',
    ];
    groups.set(first, [...(groups.get(first) ?? []), [`${first}${rest}`, text]]);
  }
  const partOf = (key) => resolve(isList(schema) ? schema.items : schema.properties?.[key]) ?? {};
  const valueOf = (key, own) =>
    own.some(([inner]) => inner !== key)
      ? deepValue(own, key, partOf(key), resolve)
      : typed(own[0][1], partOf(key), resolve);
  if (groups.has('')) return groups.get('').map(([, text]) => typed(text, partOf(''), resolve));
  const entries = [...groups].map(([key, own]) => [key, valueOf(key, own)]);
  return isList(schema) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** A text of a form. A file is a text for a schema. */
function typed(text, schema, resolve) {
  if (typeof text !== 'string') return 'file';
  const forms = [schema, ...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  const types = forms.flatMap((form) => resolve(form)?.type ?? []);
  if (types.includes('string')) return text;
  if (types.some((type) => type === 'integer' || type === 'number') && text !== '' && !isNaN(text))
    return Number(text);
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true';
  try {
    return /^[[{]/.test(text) ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}
