// The words that this project does not use, with the words that it uses instead, and the longest sentence.

const LONGEST_SENTENCE = 35;

/** Each `find` is looked up in text without code and quotations. */
const WORDS = [
  {
    find: /\b(?:he|him|his|himself|she|hers?|herself)\b/i,
    use: 'they, or the role: the operator, the caller',
  },
  { find: /\b(?:whoever|whomever|whom)\b/i, use: 'who, the caller, the person' },
  {
    find: /\b(?:some|any|no|every)body\b/i,
    use: 'the role: a client, the operator; or someone, no one',
  },
  { find: /\bstrangers?\b/i, use: 'what it is: another program, an unknown key' },
  { find: /\bwhatever\b/i, use: 'any, all, or nothing' },
  { find: /\bdoors?\b/i, use: 'listener' },
  { find: /\bhouse\b/i, use: 'gateway, our, or the package' },
  { find: /\brooms?\b(?! for\b)/i, use: 'package, or space left' },
  { find: /\bstones?\b/i, use: 'the thing itself' },
  { find: /\b(?:the|a) walk\b|\bwalk of\b/i, use: 'path' },
  { find: /\bgovernors?\b/i, use: 'interceptor, module' },
  { find: /\bchild servers?\b/i, use: 'server' },
  { find: /\bdoubtful\b/i, use: 'unclear, or a warning' },
  { find: /\bto the letter\b/i, use: 'unchanged, exactly' },
  { find: /\bof ours\b/i, use: 'our' },
  { find: /\bin peace\b/i, use: 'unchanged, not reported' },
  { find: /\banew\b/i, use: 'again' },
  { find: /\b(?:what|which) there is not\b/i, use: 'missing, unknown' },
];

/** Comments that cannot be understood alone, or that do not say what happens. */
const COMMENTS = [
  {
    find: /^The same(?:,| (?:as|in|for|with|without) )/,
    use: 'what it is: a comment must stand alone',
  },
  { find: /, also\b/, use: '"including" or "even"' },
  { find: /\bUnset: /, use: '"Default: …", or "`undefined` if …"' },
  { find: /^(?:False|True): /, use: '"Returns false if …", or "True if …"' },
];

/** What is wrong with a text, as `{ text, message }`. `text` is the part that an exception may quote. */
export function flawsOf({ kind, text }) {
  const prose = withoutCode(text);
  const flaws = [];
  for (const { find, use } of kind === 'comment' ? [...WORDS, ...COMMENTS] : WORDS) {
    const found = find.exec(prose.trim());
    if (found) flaws.push({ text: found[0], message: `"${found[0]}": use ${use}` });
  }
  if (kind === 'page' || kind === 'message') {
    for (const sentence of sentencesOf(prose)) {
      const { length } = wordsOf(sentence);
      if (length <= LONGEST_SENTENCE) continue;
      const start = sentence.trim().replaceAll(/\s+/g, ' ').slice(0, 40);
      flaws.push({ text: start, message: `a sentence of ${length} words: "${start}…"` });
    }
  }
  return flaws;
}

function withoutCode(text) {
  return text
    .replaceAll(/(`+)[\s\S]*?\1/g, 'code')
    .replaceAll(/(?<!\p{L})"[^"]*"/gu, 'quotation')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/<[a-z/][^>]*>/gi, ' ')
    .replaceAll(/\bhttps?:\S+/g, 'address');
}

function sentencesOf(text) {
  return text.split(/[.!?](?=["')*_\]]*(?:\s|$))|\n\s*\n|\n(?=\s*(?:[-*•]|\d+\.) )/);
}

function wordsOf(sentence) {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}
