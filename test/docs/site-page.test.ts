/** One Markdown file as a page of the documentation site. */

import { describe, expect, it } from 'vitest';

import { createLinks } from '../../scripts/docs/links.mjs';
import { readPage } from '../../scripts/docs/page.mjs';
import { ROOT } from '../architecture/tree.js';

const pages = new Set(['docs/names.md']);
const page = (text: string) =>
  readPage('docs/policy.md', `# Title\n\n${text}`, {
    resolve: createLinks({ root: ROOT, pages }).resolve,
    titleOf: () => 'Names',
  });

describe('a page of the site', () => {
  it('has a title, a summary, and anchors as on GitHub', () => {
    const { title, summary, headings } = page(
      'It *is* `so`.\n\n## `a`, b & c\n\n## A b  c\n\n## a\n',
    );
    expect([title, summary]).toEqual(['Title', 'It is so.']);
    expect(headings.map(({ anchor }) => anchor)).toEqual(['a-b--c', 'a-b--c-1', 'a']);
  });

  it('links pages by their title, and shows the path of other files', () => {
    const { html } = page('[docs/names.md](names.md), [them](names.md#x), [it](../package.json).');
    expect(html).toContain('<a href="names.html">Names</a>');
    expect(html).toContain('<a href="names.html#x">them</a>');
    expect(html).toContain('it (<code class="file">package.json</code>)');
  });

  it('colours code and never lets it become HTML', () => {
    const { html } = page('```json\n{ "a": "<b>", "c": 1 } // d\n```\n\n```text\n<i>\n```\n');
    expect(html).toContain(
      '<code>{ <span class="key">&quot;a&quot;</span>: <span class="string">&quot;&lt;b&gt;&quot;</span>, ' +
        '<span class="key">&quot;c&quot;</span>: <span class="literal">1</span> } <span class="comment">// d</span></code>',
    );
    expect(html).toContain('<code>&lt;i&gt;</code>');
    const shell = page('```sh\nnpx callsign serve --http 3917 # here\n```\n').html;
    expect(shell).toContain('<span class="key">npx</span> callsign serve');
    expect(shell).toContain('<span class="literal">--http</span>');
    expect(shell).toContain('<span class="comment"># here</span>');
  });

  it('breaks a long dotted name in a cell after its dots, and a short one nowhere', () => {
    const { html } = page(
      '| a | b |\n| --- | --- |\n| `http.connections.maxIdle` | x |\n| `tool-error` | y |\n',
    );
    expect(html).toContain('<td><code>http.<wbr>connections.<wbr>maxIdle</code></td>');
    expect(html).toContain('<td><code class="whole">tool-error</code></td>');
  });

  it('finds each row of a table that explains names, and aligns numbers', () => {
    const rows = ['one', 'two', 'three'].map(
      (name, i) => `| \`${name}\` | ${i} ms | says ${name} |`,
    );
    const { html, sections } = page(`| a | b | c |\n| --- | --- | --- |\n${rows.join('\n')}\n`);
    expect(html).toContain('<tr id="of-two"><td><code>two</code></td><td class="number">1 ms</td>');
    expect(sections.map(({ anchor, heading, text }) => [anchor, heading, text])).toEqual([
      ['', 'Title', ''],
      ['of-one', 'one', '0 ms · says one'],
      ['of-two', 'two', '1 ms · says two'],
      ['of-three', 'three', '2 ms · says three'],
    ]);
  });

  it('refuses HTML, which GitHub would show', () => {
    expect(page('<!-- generated -->\n\ntext').html).not.toContain('generated');
    expect(() => page('<b onclick="x">y</b>')).toThrow('docs/policy.md has HTML');
  });
});
