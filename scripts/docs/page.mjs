// One Markdown file as a page of the site: its title, headings, HTML, and the sections that a search reads.
// Markdown is read by `marked`: one package without dependencies, no compiler, Node 20. The site generators on npm
// (VitePress, Eleventy) bring a framework, a template language and over a hundred packages for the same pages.
import { Marked } from 'marked';

import { createAnchors } from './anchors.mjs';
import { highlight } from './highlight.mjs';
import { escapeHtml } from './html.mjs';

/** What a cell of a column of numbers may be: a number with its unit, a range, or nothing. */
const NUMBER = /^(?:[-+±~<>≤≥]? ?\d[\d.,:/–-]*(?: ?(?:%|ms|µs|s|kB|MB|GB|×|x))?|[-–—]?)$/;
/** A cell with so many characters is a sentence. */
const LONG = 45;
/** A cell with so many characters and a space is a phrase. */
const PHRASE = 20;
/** A dotted name in a cell of its own, long enough to be worth breaking. */
const DOTTED = /^<code>[\w*.-]{22,}<\/code>$/;
/** A shorter name with a hyphen, at which a browser would break it. */
const HYPHENED = /^<code>(?=[^<]*-)[\w*.-]{1,21}<\/code>$/;

/** A flag, with a short value. A browser would break it after its hyphens. */
const FLAG = /^--?[a-z].{0,22}$/;

const LEAST_NAMES = 3;
const FILE_NAME = /^[\w./-]+\.md$/;

/** `resolve` gives the address of a link on the site (see links.mjs), and `titleOf` the title of a page. */
export function readPage(path, text, { resolve, titleOf }) {
  const anchorOf = createAnchors();
  const headings = [];
  const marked = new Marked({ renderer: renderer(path, resolve, titleOf) });
  const tokens = marked.lexer(text);
  for (const token of tokens.filter(({ type }) => type === 'heading')) {
    token.anchor = anchorOf(token.text);
    headings.push({ depth: token.depth, anchor: token.anchor, text: plainText(token.tokens) });
  }
  for (const token of tokens.filter(definesNames)) {
    for (const [name] of token.rows) name.anchor = anchorOf(`of-${name.text}`);
  }
  const first = headings[0];
  if (first?.depth !== 1) throw new Error(`${path} does not begin with a title.`);
  const intro = tokens.find(({ type }) => type === 'paragraph');
  return {
    path,
    title: first.text,
    summary: intro ? plainText(intro.tokens) : '',
    headings: headings.slice(1),
    sections: sectionsOf(tokens),
    html: marked.parser(tokens),
  };
}

/** A table that explains names, such as settings or codes. Each row can be linked and found. */
function definesNames({ type, rows = [] }) {
  return (
    type === 'table' &&
    rows.length >= LEAST_NAMES &&
    rows.every(([{ tokens }]) => tokens.length === 1 && tokens[0].type === 'codespan')
  );
}

function renderer(path, resolve, titleOf) {
  return {
    heading({ tokens, depth, anchor }) {
      const inner = this.parser.parseInline(tokens);
      if (depth === 1) return `<h1 id="${anchor}">${inner}</h1>\n`;
      const link = `<a class="anchor" href="#${anchor}" aria-label="Link to this section"></a>`;
      return `<h${depth} id="${anchor}">${inner}${link}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      const target = resolve(path, href);
      if (target.href === undefined) return fileText(inner, target.path);
      // On the site, pages have titles instead of file names.
      const words = FILE_NAME.test(inner) && target.page ? escapeHtml(titleOf(target.page)) : inner;
      return `<a href="${escapeHtml(target.href)}">${words}</a>`;
    },
    image({ href, text }) {
      const target = resolve(path, href);
      return `<img src="${escapeHtml(target.href ?? href)}" alt="${escapeHtml(text)}" loading="lazy">`;
    },
    codespan({ text }) {
      return `<code${FLAG.test(text) ? ' class="whole"' : ''}>${escapeHtml(text)}</code>`;
    },
    code({ text, lang = '' }) {
      return `<pre><code>${highlight(text, lang)}</code></pre>\n`;
    },
    table({ header, rows }) {
      const kinds = header.map((_, column) => kindOf(rows.map((cells) => cells[column].text)));
      const row = (cells, tag) => {
        const inner = cells.map(({ tokens }, column) =>
          cell(this.parser.parseInline(tokens), tag, kinds[column]),
        );
        const id = cells[0].anchor === undefined ? '' : ` id="${cells[0].anchor}"`;
        return `<tr${id}>${inner.join('')}</tr>`;
      };
      const body = rows.map((cells) => row(cells, 'td')).join('\n');
      return `<div class="scroll"><table>\n<thead>${row(header, 'th')}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
    },
    html({ text }) {
      if (text.trim().startsWith('<!--')) return '';
      throw new Error(`${path} has HTML, which the site does not show: ${text.trim()}`);
    },
  };
}

/** A column of numbers is aligned at the right. Columns of sentences and phrases are not squeezed. */
function kindOf(texts) {
  if (texts.some((text) => text !== '') && texts.every((text) => NUMBER.test(text)))
    return 'number';
  if (texts.some((text) => text.length >= LONG)) return 'long';
  return texts.some((text) => text.length >= PHRASE && text.includes(' ')) ? 'phrase' : undefined;
}

function cell(html, tag, kind) {
  // An empty heading names nothing, so it is a cell like any other.
  const name = html === '' ? 'td' : tag;
  return `<${name}${kind === undefined ? '' : ` class="${kind}"`}>${wrapped(html)}</${name}>`;
}

/** A name in a cell of its own breaks after a dot if it is long, and nowhere else. */
function wrapped(html) {
  if (DOTTED.test(html)) return html.replaceAll('.', '.<wbr>');
  return HYPHENED.test(html) ? html.replace('<code>', '<code class="whole">') : html;
}

/** A file that is not on the site: its path, beside the words if they do not name it. */
function fileText(inner, path) {
  const isNamed = inner.includes(path.split('/').at(-1));
  if (isNamed) return `<span class="file" title="${escapeHtml(path)}">${inner}</span>`;
  return `${inner} (<code class="file">${escapeHtml(path)}</code>)`;
}

/** The text below each heading, and before the first. */
function sectionsOf(tokens) {
  const sections = [];
  const rows = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const anchor = token.depth === 1 ? '' : token.anchor;
      sections.push({ anchor, heading: plainText(token.tokens), text: '' });
    } else if (definesNames(token)) {
      rows.push(...token.rows.map(rowSection));
    } else if (sections.length > 0) {
      sections.at(-1).text += ` ${plainText([token])}`;
    }
  }
  return [...sections, ...rows].map((section) => ({
    ...section,
    text: section.text.replace(/\s+/g, ' ').trim(),
  }));
}

function rowSection([name, ...cells]) {
  const text = cells.map(({ tokens }) => plainText(tokens)).join(' · ');
  return { anchor: name.anchor, heading: plainText(name.tokens), text };
}

/** The words of tokens, without marks. */
function plainText(tokens) {
  return tokens.map(wordsOf).join('');
}

function wordsOf(token) {
  switch (token.type) {
    case 'table':
      return [token.header, ...token.rows]
        .map((cells) => cells.map(({ tokens }) => plainText(tokens)).join(' · '))
        .join(' \n');
    case 'list':
      return token.items.map(({ tokens }) => plainText(tokens)).join(' \n');
    case 'html':
      return '';
    case 'br':
    case 'space':
      return ' ';
    default:
      return token.tokens ? plainText(token.tokens) : (token.text ?? '');
  }
}
