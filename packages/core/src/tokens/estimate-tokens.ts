/**
 * Estimates how many tokens a model reads for a text. An estimate, since each model has its own
 * tokenizer, and the table of one is larger than all of our code. docs/tokens.md has its error.
 */

/**
 * Words, numbers, East Asian text, runs of marks, and other letters, as tokenizers split a text. Runs have a limit, because
 * matching one of some megabytes needs more stack than there is.
 */
const PARTS =
  /(\p{Script=Latin}{1,999})|(\d{1,999})|([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{1,999})|([^\s\p{L}\d]{1,999})|\p{L}{1,999}/gu;

/** Characters of one token, on average. Chosen so that the sum over recorded servers is right. */
const LETTERS = 8;
const DIGITS = 3;
const EAST_ASIAN = 1.5;
const MARKS = 3.2;
const OTHER_LETTERS = 3;
/** A word that is a little longer is still one token. */
const SPARE = 0.3;
/** Where a word in camel case has its next word. */
const CAMEL = /(?<=\p{Ll})(?=\p{Lu})/u;

export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [part, latin, digits, eastAsian, marks] of text.matchAll(PARTS)) {
    const { length } = part;
    if (latin !== undefined) tokens += wordTokens(part);
    else if (digits !== undefined) tokens += Math.ceil(length / DIGITS);
    else if (eastAsian !== undefined) tokens += length / EAST_ASIAN;
    else tokens += Math.ceil(length / (marks === undefined ? OTHER_LETTERS : MARKS));
  }
  return Math.round(tokens);
}

function wordTokens(word: string): number {
  const words = word.split(CAMEL);
  return words.reduce((sum, { length }) => sum + Math.ceil(length / LETTERS - SPARE), 0);
}

const CHARACTERS_PER_TOKEN = 4;

/** For a text of which only the length is known, such as the arguments and the result of a call. */
export function tokensOfLength(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
