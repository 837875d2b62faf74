import { describe, expect, it } from 'vitest';

import { displayWidth } from '../text/display-width.js';
import { createPaint, wantsColour } from './paint.js';
import { renderTable } from './table.js';

const ROWS = [
  { name: 'filesystem:read_file', about: 'Reads a file,\nwhole.' },
  { name: '読む', about: 'x'.repeat(50) },
];
const COLUMNS = [
  { title: 'NAME', text: ({ name }: (typeof ROWS)[0]) => name, tint: () => 'name' as const },
  { title: 'ABOUT', text: ({ about }: (typeof ROWS)[0]) => about },
];
const plain = createPaint(false);

describe('a table', () => {
  it('is not cut without a limit', () => {
    expect(renderTable(ROWS, COLUMNS, { width: Infinity, paint: plain })).toBe(
      [
        'NAME                  ABOUT',
        'filesystem:read_file  Reads a file, whole.',
        `読む                  ${'x'.repeat(50)}`,
      ].join('\n'),
    );
  });

  it.each([10, 16, 20, 30, 44, 80])('fits into %d columns', (width) => {
    const text = renderTable(ROWS, COLUMNS, { width, paint: plain });
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  it('is not wider for its colours', () => {
    const text = renderTable(ROWS, COLUMNS, { width: 30, paint: createPaint(true) });
    // oxlint-disable-next-line no-control-regex
    const bare = text.replace(/\x1b\[\d+m/g, '');
    expect(bare).toBe(renderTable(ROWS, COLUMNS, { width: 30, paint: plain }));
    expect(text).toContain('\x1b[1m');
  });

  it('N9: keeps a name whole, and leaves out the title before it', () => {
    const row = {
      name: 'filesystem:read_multiple_files',
      title: 'Read Multiple Files',
      risk: 'read',
    };
    const columns = [
      { title: 'NAME', text: () => row.name, isWhole: true },
      { title: 'TITLE', text: () => row.title, isOptional: true },
      { title: 'RISK', text: () => row.risk },
    ];
    const at = (width: number): string[] =>
      renderTable([row], columns, { width, paint: plain }).split('\n');
    expect(at(60)).toEqual([
      'NAME                            TITLE                RISK',
      'filesystem:read_multiple_files  Read Multiple Files  read',
    ]);
    expect(at(50)[1]).toBe('filesystem:read_multiple_files  Read Multip…  read');
    expect(at(40)).toEqual([
      'NAME                            RISK',
      'filesystem:read_multiple_files  read',
    ]);
    expect(at(32)).toEqual([
      'filesystem:read_multiple_files',
      '  TITLE: Read Multiple Files',
      '  RISK: read',
    ]);
  });

  it('N9: wraps words, a few lines at most', () => {
    const columns = [
      { title: 'NAME', text: () => 'n', isWhole: true },
      { title: 'ABOUT', text: (words: string) => words },
    ];
    const at = (words: string): string[] =>
      renderTable([words], columns, { width: 22, paint: plain }).split('\n').slice(1);
    expect(at('one two three four five')).toEqual(['n     one two three', '      four five']);
    expect(at('word '.repeat(40))).toHaveLength(4);
    expect(at('word '.repeat(40)).at(-1)).toMatch(/…$/);
  });

  it('breaks no short word while another column can be narrower', () => {
    const folder = '/home/ann/node_modules/@modelcontextprotocol/server-';
    const rows = ['filesystem', 'memory_codex'].map((server) => ({
      server,
      from: 'claude-desktop',
      runs: `node ${folder}${server}/dist/index.js`,
      note: server === 'filesystem' ? '' : 'left out: it is switched off there',
    }));
    type Row = (typeof rows)[number];
    const columns = [
      { title: 'SERVER', text: ({ server }: Row) => server, isWhole: true },
      { title: 'FROM', text: ({ from }: Row) => from },
      { title: 'RUNS', text: ({ runs }: Row) => runs },
      { title: 'NOTE', text: ({ note }: Row) => note },
    ];
    const text = renderTable(rows, columns, { width: 60, paint: plain });
    expect(text.match(/claude-desktop/g)).toHaveLength(2);
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(60);
    // Nothing is cut, so the table is a stack.
    expect(text.split('\n').slice(0, 4)).toEqual([
      'filesystem',
      '  FROM: claude-desktop',
      '  RUNS: node /home/ann/node_modules/@modelcontextprotocol/',
      '        server-filesystem/dist/index.js',
    ]);
    expect(text).not.toContain('…');
  });

  it('leaves out an optional column before it breaks a short word', () => {
    const columns = [
      { title: 'NAME', text: () => 'shop_mcpaql_execute', isWhole: true },
      { title: 'TITLE', text: () => 'Shop - Execute', isOptional: true },
      { title: 'RISK', text: () => 'destructive' },
      { title: 'OPERATIONS', text: () => 'refund_order, cancel_order' },
    ];
    expect(renderTable([{}], columns, { width: 55, paint: plain }).split('\n')).toEqual([
      'NAME                 RISK         OPERATIONS',
      'shop_mcpaql_execute  destructive  refund_order,',
      '                                  cancel_order',
    ]);
  });

  it('keeps the other columns readable beside one long cell', () => {
    const rows = [{ name: 'n'.repeat(400), about: 'long' }, ...ROWS];
    const text = renderTable(rows, COLUMNS, { width: Infinity, paint: plain });
    expect(text).toContain('n'.repeat(400));
    expect(text.split('\n')[0]!.length).toBeLessThan(80);
  });

  it('shortens a very long name in the middle on a terminal', () => {
    const columns = [
      { title: 'NAME', text: (name: string) => name, isWhole: true },
      { title: 'RISK', text: () => 'read' },
    ];
    const names = [`a:get_${'x'.repeat(400)}_end`, 'a:short'];
    const at = (width: number): string[] =>
      renderTable(names, columns, { width, paint: plain }).split('\n');
    expect(at(80).slice(1)).toEqual([
      `a:get_${'x'.repeat(25)}…${'x'.repeat(28)}_end  read`,
      `a:short${' '.repeat(57)}  read`,
    ]);
    expect(at(200)[1]).toHaveLength(106);
    expect(at(60)[0]).toMatch(/^a:get_x+…x+$/);
    expect(at(60)[1]).toBe('_end');
  });
});

describe('colours', () => {
  const terminal = { isTTY: true };
  it.each([
    [{}, terminal, true],
    [{}, {}, false],
    [{ NO_COLOR: '1' }, terminal, false],
    [{ NO_COLOR: '' }, terminal, true],
    [{ TERM: 'dumb' }, terminal, false],
    [{ FORCE_COLOR: '1' }, {}, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, {}, true],
    [{ FORCE_COLOR: '0' }, terminal, false],
  ])('with %o on %o: %s', (env, stream, isOn) => {
    expect(wantsColour(env, stream)).toBe(isOn);
  });
});
