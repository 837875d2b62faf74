/**
 * Checks SQL that a user wrote, before a database sees it: one statement that reads, and no function
 * or table that can do anything else. What the check cannot read for certain is refused.
 */

import { AuditTrouble } from '../record/trouble.js';

/** How one database reads SQL, and what it would run. */
export interface SqlDialect {
  /** The words that a statement may begin with, in capitals. */
  readonly begins: readonly string[];
  /** Names in other quotes than `"`. */
  readonly quoted?: RegExp;
  /** What begins a parameter, which has no value here. */
  readonly parameter: RegExp;
  /** All functions that exist, in small letters. Those that are not in `USER_FUNCTIONS` are refused. */
  readonly functions: ReadonlySet<string>;
  /** Names that may not occur at all, in small letters. */
  readonly refuses: (name: string) => boolean;
}

/** SQL that was refused, or that the database could not run. */
export class SqlTrouble extends AuditTrouble {
  override readonly name = 'SqlTrouble';
}

/** Functions of SQLite and PostgreSQL that compute a value from their arguments and do nothing else. */
export const USER_FUNCTIONS: ReadonlySet<string> = new Set(
  `abs acos acosh array_agg array_length array_position array_to_string asin asinh atan atan2 atanh avg
  bit_and bit_length bit_or bool_and bool_or btrim cardinality cast ceil ceiling char char_length
  character_length charindex chr coalesce concat concat_ws corr cos cosh cot coth count covar_pop covar_samp
  cume_dist date date_bin date_part date_trunc datetime decode degrees dense_rank difference div encode every
  exp extract first_value float4 float8 floor format generate_series glob greatest group_concat hex ifnull iif
  initcap instr int2 int4 int8 interval json json_agg json_array json_array_elements json_array_elements_text
  json_array_length json_build_array json_build_object json_each json_each_text json_error_position json_extract
  json_extract_path json_extract_path_text json_group_array json_group_object json_insert json_object
  json_object_agg json_object_keys json_patch json_quote json_remove json_replace json_set json_tree
  json_typeof json_type json_valid jsonb jsonb_agg jsonb_array jsonb_array_elements jsonb_array_elements_text
  jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract
  jsonb_extract_path jsonb_extract_path_text jsonb_group_array jsonb_group_object jsonb_insert jsonb_object
  jsonb_object_agg jsonb_object_keys jsonb_patch jsonb_path_exists jsonb_path_query jsonb_pretty jsonb_remove
  jsonb_replace jsonb_set jsonb_typeof julianday justify_days justify_hours lag last_value lead least left
  leftstr length like likelihood likely ln log log10 lower lower_quartile lpad ltrim make_date
  make_interval make_timestamp make_timestamptz max md5 median min mod mode now nth_value ntile nullif numeric
  octet_length overlaps overlay padc padl padr percent_rank percentile_cont percentile_disc pi position power
  printf proper quote quote_literal radians random rank regexp regexp_count regexp_like regexp_match
  regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr regexpi repeat
  replace replicate reverse right rightstr round row_number row_to_json rpad rtrim sha256 sha3 sign sin sinh
  soundex split_part sqlite_source_id sqlite_version sqrt square starts_with stdev stddev stddev_pop
  stddev_samp strfilter strftime string_agg string_to_array strpos substr substring sum tan tanh text time
  timediff timestamp timestamptz to_char to_date to_json to_jsonb to_number to_timestamp total translate trim
  trunc typeof unhex unicode unixepoch unlikely unnest upper upper_quartile var_pop var_samp varchar variance
  version width_bucket`.split(/\s+/),
);

/** As SQLite and PostgreSQL read it. `\uFEFF` is a space for SQLite, but only where a word begins. */
const SPACE = /[ \t\n\v\f\uFEFF]+|--[^\n]*|\/\*[^]*?(?:\*\/|$)/y;
const WORD = /[A-Za-z_\u0080-\uFFFF][\w$\u0080-\uFFFF]*/y;
const NUMBER = /\d\w*/y;
const TEXT = /'(?:[^']|'')*'/y;
const NAME = /"(?:[^"]|"")*"/y;
/** Texts in which a backslash means something. */
const ESCAPED = /(?:e|u&)['"]/iy;
const CHANGES = /^(?:insert|update|delete|merge|into)$/;

interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'sign';
  /** A name without its quotes, and every word in small letters. */
  readonly text: string;
  readonly end: number;
}

/**
 * Returns the statement to run, without its semicolon.
 * @throws SqlTrouble
 */
export function readingStatement(written: string, dialect: SqlDialect): string {
  // The two databases end a line comment at different line ends. Now there is one.
  const sql = written.replace(/\r\n?/g, '\n');
  if (sql.includes('\0')) throw new SqlTrouble('it contains a NUL character');
  const all = [...tokensOf(sql, dialect)];
  const stop = all.findIndex(({ kind, text }) => kind === 'sign' && text === ';');
  const tokens = stop < 0 ? all : all.slice(0, stop);
  if (stop >= 0 && all.slice(stop).some(({ text }) => text !== ';')) {
    throw new SqlTrouble('it has more than one statement; run one at a time');
  }
  checkBeginning(tokens, dialect);
  tokens.forEach((token, i) => checkToken(token, tokens[i + 1], dialect));
  return sql.slice(0, tokens.at(-1)?.end);
}

function checkBeginning(tokens: readonly Token[], { begins }: SqlDialect): void {
  const words = tokens.slice(0, 4).map(({ kind, text }) => (kind === 'word' ? text : ''));
  const isPlan = words[0] === 'explain' && begins.includes('EXPLAIN');
  const [first = ''] = words.slice(isPlan ? (words[1] === 'query' ? 3 : 1) : 0);
  if (first === 'explain' || !begins.includes(first.toUpperCase())) {
    throw new SqlTrouble(`only ${begins.join(', ')} can be run here`);
  }
}

function checkToken(token: Token, next: Token | undefined, dialect: SqlDialect): void {
  const { kind, text } = token;
  if (kind === 'sign') return;
  const name = text.toLowerCase();
  if (kind === 'word' && CHANGES.test(name)) {
    throw new SqlTrouble(`it may only read, and "${text}" changes something`);
  }
  if (dialect.refuses(name)) throw new SqlTrouble(`"${text}" is not allowed here`);
  const isCalled = next?.kind === 'sign' && next.text === '(';
  if (isCalled && dialect.functions.has(name) && !USER_FUNCTIONS.has(name)) {
    throw new SqlTrouble(`the function ${text}() is not allowed here`);
  }
}

function* tokensOf(sql: string, { quoted, parameter }: SqlDialect): Generator<Token> {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(sql)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  while (at < sql.length) {
    const space = take(SPACE);
    if (space !== undefined) {
      if (space.slice(2).includes('/*')) throw new SqlTrouble('it has a comment in a comment');
      continue;
    }
    if (take(ESCAPED) !== undefined) {
      throw new SqlTrouble("texts with escapes (E'…', U&'…') are not allowed here");
    }
    if (take(parameter) !== undefined) throw new SqlTrouble('parameters have no values here');
    const word = take(WORD);
    const text = word ?? take(TEXT);
    const name = text ?? take(NAME) ?? (quoted && take(quoted));
    if (word !== undefined) yield { kind: 'word', text: word.toLowerCase(), end: at };
    else if (name !== undefined) {
      yield { kind: text === undefined ? 'name' : 'text', text: unquoted(name), end: at };
    } else yield { kind: 'sign', text: take(NUMBER) ?? sql[at++]!, end: at };
  }
}

function unquoted(text: string): string {
  const quote = text.at(-1)!;
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}
