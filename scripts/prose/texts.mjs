// Finds the English in a file: comments, messages, titles of tests, and the paragraphs of Markdown.
import { parseSync } from 'oxc-parser';

const TEST = /\.(?:test|case)\.tsx?$/;
const TITLED = new Set(['it', 'test', 'describe']);
const CALLED_TWICE = new Set(['each', 'for', 'runIf', 'skipIf']);
/** A string with fewer words in a row is a name or a key, not a sentence. */
const SENTENCE = /\p{L}{2,},? \p{L}+,? \p{L}{2,}/u;
/** A list of words to look for, not a sentence. */
const WORD_LIST = /^(?!.*\.(?:\s|$))[^,;:!?]*$/s;
const LONGEST_PLAIN = 20;
const SQL = /^\s*(?:SELECT|INSERT|DELETE|CREATE|UPDATE|WITH|ALTER|GRANT)\b/;
/** In lower case the first word alone may begin a sentence. */
const LOWER_SQL =
  /^\s*(?:select\b.*\bfrom|insert into|(?:create|alter) (?:table|function|view)|update \S+ (?:as \S+\s+)?set|with \w+ as \()/s;
/** Stands for a value that is only known when the code runs. */
const VALUE = '…';

/** The texts of a file, in order: `{ kind, line, text }`. `kind` is comment, message, title or page. */
export function textsOf(file, source) {
  return file.endsWith('.md') ? pageTexts(source) : codeTexts(file, source);
}

function codeTexts(file, source) {
  const { comments, program } = parseSync(file, source);
  const lineOf = lineCounter(source);
  const texts = joinComments(comments, source).map(({ start, text }) => ({
    kind: 'comment',
    line: lineOf(start),
    text,
  }));
  visit(
    program,
    (node, { title, test }) => {
      const text = stringText(node);
      if (text === undefined) return false;
      // Other strings of a test are data: what servers say, and what is expected of messages checked elsewhere.
      if (title || (!test && isMessage(text))) {
        texts.push({ kind: title ? 'title' : 'message', line: lineOf(node.start), text });
      }
      return true;
    },
    TEST.test(file),
  );
  return texts.toSorted((a, b) => a.line - b.line);
}

function isMessage(text) {
  const isList = WORD_LIST.test(text) && text.split(/\s+/).length > LONGEST_PLAIN;
  return SENTENCE.test(text) && !isList && !SQL.test(text) && !LOWER_SQL.test(text);
}

/** Comments of one line each that follow each other are one text. */
function joinComments(comments, source) {
  const joined = [];
  let last;
  for (const { type, value, start, end } of comments) {
    const text = value
      .split('\n')
      .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd())
      .join('\n')
      .trim();
    const follows = last?.type === 'Line' && /^\n[ \t]*$/.test(source.slice(last.end, start));
    if (type === 'Line' && follows) joined.at(-1).text += `\n${text}`;
    else joined.push({ start, text });
    last = { type, end };
  }
  return joined;
}

function visit(node, take, test, title = false) {
  if (Array.isArray(node)) {
    for (const each of node) visit(each, take, test, title);
    return;
  }
  if (typeof node?.type !== 'string') return;
  if (node.type.endsWith('ImportDeclaration') || node.type === 'TSLiteralType') return;
  if (take(node, { title, test })) return;
  const titled = node.type === 'CallExpression' && TITLED.has(calledName(node.callee));
  for (const [key, value] of Object.entries(node)) {
    if (value === null || typeof value !== 'object') continue;
    if (titled && key === 'arguments') {
      visit(value[0], take, test, true);
      visit(value.slice(1), take, test);
    } else visit(value, take, test);
  }
}

/** `it` for `it(…)`, `it.skip(…)` and the second call of `it.each(…)(…)` or `it.runIf(…)(…)`. */
function calledName(callee) {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') {
    return CALLED_TWICE.has(callee.property.name) ? undefined : calledName(callee.object);
  }
  if (callee.type !== 'CallExpression' || callee.callee.type !== 'MemberExpression')
    return undefined;
  return CALLED_TWICE.has(callee.callee.property.name)
    ? calledName(callee.callee.object)
    : undefined;
}

/** The text of a string, a template or a sum of them. */
function stringText(node) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral') {
    return node.quasis.map(({ value }) => value.cooked ?? value.raw).join(VALUE);
  }
  if (node.type === 'JSXText') return node.value.trim();
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const left = stringText(node.left);
  const right = stringText(node.right);
  return left === undefined && right === undefined
    ? undefined
    : `${left ?? VALUE}${right ?? VALUE}`;
}

/** Paragraphs, items of lists and cells of tables, without code. */
function pageTexts(source) {
  const texts = [];
  // The front matter of an adapter is data.
  const data = /^---\n[\s\S]*?\n---\n/.exec(source)?.[0] ?? '';
  const page = data.replaceAll(/[^\n]/g, '') + source.slice(data.length);
  let fence;
  let open;
  for (const [index, line] of page.split('\n').entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      open = undefined;
      continue;
    }
    if (fence !== undefined) continue;
    const add = (text) => {
      open = { kind: 'page', line: index + 1, text };
      texts.push(open);
    };
    if (/^\s*(?:$|<!--)/.test(line)) open = undefined;
    else if (/^\s*\|/.test(line)) {
      for (const cell of line.split('|').filter((each) => /\p{L}/u.test(each))) add(cell.trim());
      open = undefined;
    } else if (open === undefined || /^\s*(?:[-*#>]|\d+\.)/.test(line)) add(line.trim());
    else open.text += `\n${line.trim()}`;
  }
  return texts;
}

function lineCounter(source) {
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => ends.filter((end) => end < offset).length + 1;
}
