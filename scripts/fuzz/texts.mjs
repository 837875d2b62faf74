// Hostile text: valid documents with pieces cut, doubled, swapped or replaced, and JSON values of every shape.
import fc from 'fast-check';

const ODD = [
  '__proto__',
  'constructor',
  '\u0000',
  '\u202e',
  '\ud800',
  '\ufeff',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '\n',
  '---\n',
  'null',
  '1e999',
  '-0',
  '9007199254740993',
  '${X}',
  '${env:HOME}',
  '../..',
  'a'.repeat(300),
  '['.repeat(600),
  '💥',
  '%00',
  '*',
  '&a',
  '!!js',
];

export const oddText = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom(...ODD));

/** Any JSON value, with odd keys and texts. */
export const jsonValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true }),
    fc.integer(),
    oddText,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(oddText, tie('value'), { maxKeys: 4 }),
  ),
})).value;

const edit = fc.record({
  at: fc.nat(100_000),
  length: fc.nat(40),
  how: fc.constantFrom('cut', 'double', 'replace', 'insert'),
  text: oddText,
});

/** A document with some edits. */
export function mutated(...documents) {
  return fc
    .tuple(fc.constantFrom(...documents), fc.array(edit, { maxLength: 6 }))
    .map(([text, edits]) => edits.reduce(apply, text));
}

function apply(text, { at, length, how, text: other }) {
  const start = text.length === 0 ? 0 : at % text.length;
  const piece = text.slice(start, start + length);
  const middle = { cut: '', double: piece + piece, replace: other, insert: other + piece }[how];
  return text.slice(0, start) + middle + text.slice(start + length);
}

/** A JSON document with some members replaced by arbitrary values. */
export function reshaped(document) {
  const places = placesIn(document);
  return fc
    .array(fc.tuple(fc.constantFrom(...places), jsonValue), { minLength: 1, maxLength: 4 })
    .map((changes) => {
      const copy = structuredClone(document);
      for (const [path, value] of changes) put(copy, path, value);
      return copy;
    });
}

function placesIn(value, path = []) {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, each]) => placesIn(each, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

function put(target, path, value) {
  const [key, ...rest] = path;
  if (typeof target !== 'object' || target === null) return;
  if (rest.length === 0) target[key] = value;
  else put(target[key], rest, value);
}
