// Colours the code of our pages. It knows comments, strings, keys and the like, not the grammar of a language: for the
// few languages of the pages that is enough, and no dependency is needed.
import { escapeHtml } from './html.mjs';

const DOUBLE = /"(?:[^"\\\n]|\\.)*"/;
const SINGLE = /'(?:[^'\\\n]|\\.)*'/;
const NUMBER = /-?\b\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?\b/;
const HASH_COMMENT = /(?<=^|\s)#.*$/;
const SLASH_COMMENT = /\/\/.*$|\/\*[^]*?\*\//;
const LITERAL = /\b(?:true|false|null)\b/;
const WORDS =
  /\b(?:import|export|from|const|let|function|return|async|await|new|if|else|for|of|in|throw|try|catch|class|extends|interface|type|readonly|undefined|true|false|null|this|typeof|default)\b/;

const json = [
  ['comment', SLASH_COMMENT],
  ['key', new RegExp(`${DOUBLE.source}(?=\\s*:)`)],
  ['string', DOUBLE],
  ['literal', LITERAL],
  ['literal', NUMBER],
];
const script = [
  ['comment', SLASH_COMMENT],
  ['string', DOUBLE],
  ['string', SINGLE],
  ['string', /`(?:[^`\\]|\\.)*`/],
  ['key', WORDS],
  ['literal', NUMBER],
];
const shell = [
  ['comment', HASH_COMMENT],
  ['string', DOUBLE],
  ['string', SINGLE],
  ['literal', /\$\{?\w+\}?/],
  ['literal', /(?<=\s)--?[a-zA-Z][\w-]*/],
  ['key', /(?<=^\s*|[|;&]\s)[\w./-]+/],
];
const keyed = [
  ['comment', HASH_COMMENT],
  ['string', DOUBLE],
  ['string', SINGLE],
  ['key', /^\[[^\]\n]+\]$|(?<=^[\s-]*)[\w.-]+(?=\s*[:=])/],
  ['literal', LITERAL],
  ['literal', /(?<=[\s=])\d[\d.]*(?=\s|$)/],
];
const directives = [
  ['comment', HASH_COMMENT],
  ['string', DOUBLE],
  ['key', /(?<=^\s*)[\w-]+/],
];

const LANGUAGES = {
  json,
  jsonc: json,
  ts: script,
  js: script,
  javascript: script,
  sh: shell,
  yaml: keyed,
  toml: keyed,
  ini: keyed,
  nginx: directives,
  dockerfile: directives,
};

/** The code as HTML. Code in another language is only escaped. */
export function highlight(code, language) {
  const rules = LANGUAGES[language];
  if (!rules) return escapeHtml(code);
  const any = new RegExp(rules.map(([, { source }]) => `(${source})`).join('|'), 'gm');
  let html = '';
  let end = 0;
  for (const match of code.matchAll(any)) {
    const [kind] = rules[match.slice(1).findIndex((group) => group !== undefined)];
    html += escapeHtml(code.slice(end, match.index));
    html += `<span class="${kind}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(end));
}
