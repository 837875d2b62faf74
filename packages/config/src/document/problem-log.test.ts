import { parseTree, type Node } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';

import { nodeAt } from './json-node.js';
import { positionsIn } from './problem-list.js';
import { createProblemLog } from './problem-log.js';

/** Logs a problem at the value under a path, and tells where it was put. */
function placeOf(text: string, path: (string | number)[]): string {
  const log = createProblemLog('f.json', text);
  log.problem('wrong-value', nodeAt(parseTree(text)!, path)!, 'm', 'a');
  const [{ line, column, path: written } = { line: 0, column: 0, path: '' }] = log.problems();
  return `${line}:${column} ${written}`;
}

describe('the positions in a text', () => {
  it('are found without a search through all lines', () => {
    const lines = 600_000;
    const positionOf = positionsIn('\n'.repeat(lines));
    let sum = 0;
    for (let offset = 0; offset < lines; offset++) sum += positionOf(offset).line;
    expect(sum).toBe((lines * (lines + 1)) / 2);
  });
});

describe('a place', () => {
  it.each([
    ['{"a": 1}', ['a'], '1:7 a'],
    ['{\n  "a": [\n    1,\n    2]}', ['a', 1], '4:5 a[1]'],
    ['{\r\n"a":\r\n1}', ['a'], '3:1 a'],
    ['{\r"a":\r1}', ['a'], '3:1 a'],
    ['{"a": {"b c": [{"d": 1}]}}', ['a', 'b c', 0, 'd'], '1:22 a["b c"][0].d'],
    ['{"": 1}', [''], '1:6 [""]'],
    ['{"ü": "😀", "x": 1}', ['x'], '1:18 x'],
    ['{"a\\u001bb": 1}', ['a\u001bb'], '1:14 ["a\\u001bb"]'],
    ['[[1]]', [0, 0], '1:3 [0][0]'],
    ['1', [], '1:1 '],
  ])('in %j is named by line, column and path', (text, path, place) => {
    expect(placeOf(text, path)).toBe(place);
  });
});

describe('a log', () => {
  const text = '[1,\n2,\n3]';
  const nodes = parseTree(text)!.children as [Node, Node, Node];

  it('returns problems in the order of the file, and warnings separately', () => {
    const log = createProblemLog('f.json', text);
    log.problem('wrong-value', nodes[2], 'third', '');
    log.warning('ignored-key', nodes[1], 'second', '');
    log.problem('wrong-type', { offset: 0, path: ['x'] }, 'first', '');
    expect(log.problems().map(({ message }) => message)).toEqual(['first', 'third']);
    expect(log.warnings()).toEqual([
      {
        code: 'ignored-key',
        file: 'f.json',
        line: 2,
        column: 1,
        path: '[1]',
        message: 'second',
        advice: '',
      },
    ]);
  });

  it('remembers the places of problems, not of warnings', () => {
    const log = createProblemLog('f.json', text);
    log.problem('wrong-value', nodes[0], '', '');
    log.warning('wrong-value', nodes[1], '', '');
    expect(nodes.map((node) => log.hasProblemAt(node))).toEqual([true, false, false]);
    expect(nodes.map((node) => log.lineOf(node))).toEqual([1, 2, 3]);
  });
});
