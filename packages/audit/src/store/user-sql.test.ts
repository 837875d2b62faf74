import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { openDatabase, openReadOnly } from './sqlite-file.js';
import { sqliteDialect, sqliteQuery } from './sqlite-query.js';
import { readingStatement, SqlTrouble, USER_FUNCTIONS } from './user-sql.js';
import { removeFolder } from '../../../../test/testing/remove-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'callsign-sql-'));
const file = join(folder, 'a ? # name', 'calls.db');
openDatabase(file).close();

const asked = (sql: string): unknown[][] => [...sqliteQuery(file, sql, 100).rows] as unknown[][];
const target = join(folder, 'written');

describe('SQL of a user', () => {
  const db = openReadOnly(file);
  afterAll(() => {
    db.close();
    removeFolder(folder);
  });

  it.each([
    'SELECT 1',
    'select 1 ; ; -- one statement',
    'VALUES (1)',
    'WITH x(a) AS (SELECT 1) SELECT a FROM x',
    "SELECT replace('delete', 'd', 'b') WHERE 'insert' <> 'update; delete'",
    'EXPLAIN SELECT 1',
    'EXPLAIN QUERY PLAN SELECT * FROM calls',
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT sum(i) FROM n',
    `SELECT json_extract('{"a":1}', '$.a'), count(*) OVER (ORDER BY id) FROM calls`,
    "SELECT value FROM json_each('[1]') UNION SELECT value FROM generate_series(1, 2)",
    'SELECT user_version FROM pragma_user_version',
    "SELECT name FROM pragma_table_info('calls')",
    'SELECT [tool], `risk`, "time" AS time FROM calls',
  ])('runs: %s', (sql) => {
    expect(() => sqliteQuery(file, sql, 10)).not.toThrow();
  });

  it.each([
    [`select writefile('${target}', 'y')`, 'the function writefile() is not allowed here'],
    [`select "writefile"('${target}', 'y')`, 'writefile()'],
    [`select [writefile] /* x */ ('${target}', 'y')`, 'writefile()'],
    [`select \`WriteFile\` -- x\n('${target}', 'y')`, 'WriteFile()'],
    [`select \uFEFFwritefile('${target}', 'y')`, 'writefile()'],
    [`select $x(')writefile('${target}', 'y'),'`, 'parameters'],
    [`select 1 -- \r ' \n, writefile('${target}', 'y') --'`, 'syntax error'],
    [`select e'\\', writefile('${target}', 'y') --'`, 'escapes'],
    ["select readfile('/etc/passwd')", 'readfile()'],
    ["select load_extension('x')", 'load_extension()'],
    ["select sha3_query('select 1')", 'sha3_query()'],
    ["select * from fsdir('/')", '"fsdir" is not allowed here'],
    ["select * from fsdir where path = '/'", '"fsdir"'],
    ["select * from 'fsdir'('/')", '"fsdir"'],
    ['select * from sqlite_dbpage', '"sqlite_dbpage"'],
    ["select * from pragma_journal_mode('delete')", '"pragma_journal_mode"'],
    ["pragma rekey = 'abc'", 'only SELECT, WITH, VALUES, EXPLAIN can be run here'],
    ["explain pragma rekey = 'abc'", 'only SELECT'],
    ['explain explain select 1', 'only SELECT'],
    [`attach '${target}' as other`, 'only SELECT'],
    [`vacuum into '${target}'`, 'only SELECT'],
    ['', 'only SELECT'],
    ['-- nothing', 'only SELECT'],
    ['select 1; delete from events', 'more than one statement'],
    ['with x as (select 1) delete from events returning id', '"delete" changes something'],
    ['/* /* */ select 1', 'a comment in a comment'],
    ['select 1\0', 'NUL'],
    ['select nonsense', 'nonsense'],
  ])('refuses: %s', (sql, why) => {
    const before = readFileSync(file);
    expect(() => sqliteQuery(file, sql, 10)).toThrow(SqlTrouble);
    expect(() => sqliteQuery(file, sql, 10)).toThrow(why);
    expect(existsSync(target)).toBe(false);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('may use every function that computes, and no other of the driver', () => {
    const dialect = sqliteDialect(db);
    const isRefused = (sql: string): boolean => {
      try {
        return readingStatement(sql, dialect) === '';
      } catch {
        return true;
      }
    };
    const functions = [...dialect.functions].filter((name) => /^\w+$/.test(name));
    expect(functions.length).toBeGreaterThan(150);
    const allowed = functions.filter((name) => USER_FUNCTIONS.has(name));
    for (const call of ['select NAME()', 'select "NAME"()', 'select main.[NAME] ()']) {
      const open = functions.filter((name) => !isRefused(call.replace('NAME', name)));
      expect(open).toEqual(allowed);
    }
    const refused = functions.filter((name) => !USER_FUNCTIONS.has(name));
    expect(refused).toEqual(
      expect.arrayContaining([
        'fts3_tokenizer',
        'load_extension',
        'readfile',
        'writefile',
        'zeroblob',
      ]),
    );
    const modules = db.prepare('SELECT name FROM pragma_module_list').all() as { name: string }[];
    const open = modules.filter(({ name }) => !isRefused(`select * from "${name}"`));
    expect(open.map(({ name }) => name).toSorted()).toEqual([
      'generate_series',
      'json_each',
      'json_tree',
    ]);
  });

  it('gets integers that are not rounded', () => {
    expect(asked('SELECT 9007199254740993, 5, -9007199254740993, 1.5')).toEqual([
      ['9007199254740993', 5, '-9007199254740993', 1.5],
    ]);
  });
});
