import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readJson, withElement, withoutElement, withoutValue, withValue } from './json-edit.js';

const COMMENTED = `// mine
{
    "mcpServers": {
        "a": { "command": "x" }, // about a
        /* about b */
        "b": {"command":   "y"} // about b, too
    },
    "other": [1,2,   3]
}
`;

describe('a text', () => {
  it.each(['['.repeat(5000), '['.repeat(5000) + ']'.repeat(5000), '{"a":'.repeat(100_000)])(
    'that is nested too deeply has no value',
    (text) => {
      expect(readJson(text)).toBeUndefined();
    },
  );

  it('may be nested deeper than a configuration', () => {
    expect(readJson('['.repeat(900) + ']'.repeat(900))).toBeInstanceOf(Array);
  });
});

describe('a change in a JSON file', () => {
  it('adds a value at the end, in the style of the file, and changes nothing else', () => {
    expect(withValue(COMMENTED, ['mcpServers', 'c'], { command: 'z', args: [] })).toBe(`// mine
{
    "mcpServers": {
        "a": { "command": "x" }, // about a
        /* about b */
        "b": {"command":   "y"}, // about b, too
        "c": {
            "command": "z",
            "args": []
        }
    },
    "other": [1,2,   3]
}
`);
  });

  it('keeps trailing commas if the file has them', () => {
    expect(withValue('{\n\t"a": 1,\n}', ['b'], 2)).toBe('{\n\t"a": 1,\n\t"b": 2,\n}');
  });

  it('creates missing parents', () => {
    expect(withValue('{}', ['x', 'y'], 1)).toBe('{\n  "x": {\n    "y": 1\n  }\n}');
    expect(withValue('', ['x'], 1)).toBe('{\n  "x": 1\n}\n');
    expect(withValue('{\n  // nothing yet\n}\n', ['x'], 1)).toBe(
      '{\n  // nothing yet\n  "x": 1\n}\n',
    );
    expect(withValue('{"x": 1}', ['x', 'y'], 2)).toBe('{"x": {\n  "y": 2\n}}');
  });

  it('replaces a value in place', () => {
    expect(withValue('{"a": 1, "b": 2} // end', ['a'], 3)).toBe('{"a": 3, "b": 2} // end');
  });

  it('removes a value with its comma, its line and its comment', () => {
    expect(withoutValue(COMMENTED, ['mcpServers', 'a'])).not.toContain('about a');
    expect(withoutValue(COMMENTED, ['mcpServers', 'b'])).toBe(`// mine
{
    "mcpServers": {
        "a": { "command": "x" } // about a
        /* about b */
    },
    "other": [1,2,   3]
}
`);
    expect(withoutValue('{"a": 1, "b": 2}', ['a'])).toBe('{"b": 2}');
    expect(withoutValue('{"a": 1, "b": 2}', ['b'])).toBe('{"a": 1}');
    expect(withoutValue('{"a": 1}', ['nothing', 'here'])).toBe('{"a": 1}');
  });

  it('keeps an object on its line, and restores it', () => {
    for (const entry of ['{ "command": "x" }', '{"command": "x", "args": []}']) {
      const text = `{\n  "a": ${entry} // about a\n}\n`;
      const after = withValue(text, ['a', 'disabled'], true);
      expect(after.split('\n')).toHaveLength(4);
      expect(readJson(after)).toMatchObject({ a: { command: 'x', disabled: true } });
      expect(withoutValue(after, ['a', 'disabled'])).toBe(text);
    }
  });

  it('keeps the line ends of Windows', () => {
    expect(withValue('{\r\n  "a": 1\r\n}', ['b'], 2)).toBe('{\r\n  "a": 1,\r\n  "b": 2\r\n}');
  });

  it('sets the value in any document, and removing it restores the text', () => {
    const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'ü', '');
    const json = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
    const indent = fc.constantFrom(undefined, 2, 4, '\t');
    fc.assert(
      fc.property(json, indent, fc.jsonValue({ maxDepth: 2 }), (document, space, value) => {
        const text = JSON.stringify(document, null, space);
        const after = withValue(text, ['new'], value);
        expect(JSON.stringify(JSON.parse(after))).toBe(
          JSON.stringify({ ...(JSON.parse(text) as object), new: value }),
        );
        expect(readJson(withoutValue(after, ['new']))).toEqual(readJson(text));
      }),
      { numRuns: 300 },
    );
  });

  it('adds an element to an array, keeps comments, and removes it again', () => {
    const text = `{
  "a": [
    // one
    { "x": 1 } // still one
  ]
}
`;
    const added = withElement(text, ['a'], { x: 2 });
    expect(added).toContain('{ "x": 1 }, // still one\n    {\n      "x": 2\n    }\n  ]');
    expect(withoutElement(added, ['a'], 1)).toBe(text);
    expect(readJson(withoutElement(added, ['a'], 0))).toEqual({ a: [{ x: 2 }] });
  });

  it('creates an array, and leaves a text without the element as it is', () => {
    expect(readJson(withElement('{}', ['a', 'b'], 1))).toEqual({ a: { b: [1] } });
    expect(readJson(withElement('{"a":[]}', ['a'], 1))).toEqual({ a: [1] });
    for (const text of ['{}', '{"a": {}}', '{"a": [1]}']) {
      expect(withoutElement(text, ['a'], 1)).toBe(text);
    }
  });

  it('adds an element to any array, and removing it restores the array', () => {
    const values = fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 4 });
    const indent = fc.constantFrom(undefined, 2, '\t');
    fc.assert(
      fc.property(values, indent, fc.jsonValue({ maxDepth: 1 }), (array, space, value) => {
        const text = JSON.stringify({ array }, null, space);
        const after = withElement(text, ['array'], value);
        const read = (each: string): unknown => JSON.parse(each);
        const stored = read(JSON.stringify(value));
        expect(read(after)).toEqual({ array: [...(read(text) as { array: [] }).array, stored] });
        expect(read(withoutElement(after, ['array'], array.length))).toEqual(read(text));
      }),
      { numRuns: 300 },
    );
  });
});
