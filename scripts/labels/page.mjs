// The page docs/labels.md, made from the measurements.
import { EMPTY_TEXT, measureImports, measureOperations, measureTools } from './measure.mjs';

/** The whole page. Of the half that is only measured it shows totals. */
export function pageOf({ tools, operations, imports }) {
  const halves = [
    ['only measured', ({ isMeasured }) => isMeasured],
    ['built on', ({ isMeasured }) => !isMeasured],
  ];
  const measured = imports.filter(({ isMeasured }) => isMeasured);
  const own = measureImports(measured);
  const empty = measureImports(measured, EMPTY_TEXT);
  const judged = measureOperations(operations.filter(({ isMeasured }) => isMeasured));
  const built = measureOperations(operations.filter(({ isMeasured }) => !isMeasured));
  return `# How right the labels are

<!-- Written by npm run labels. Change the code or the truth, and run it again. -->

One [judge](why-this-label.md) decides what a tool or an operation does, by its words. How often is it right? \`npm run labels\`
compares it with the truth and writes this page. To see the labels of your own tools: \`callsign tools --why\`.

**The truth** was made by a reader who did not build the judge and did not see its results. It says what ${count(tools)} tools of
${servers(tools)} recorded servers do (\`test/labels/effects\`), and what ${count(operations)} operations of published HTTP APIs do
(\`test/effects/operations\`). A second reader read 883 of them again, without the first one's words: 97.2 % got the same word, and
99.7 % agreed on whether it only reads. Where they differ, the first reader's word counts.

A hash of the server's key, or of the provider's name, chose one half **to be built on**. The other half was **only measured**, and
its lines were never read. Cases that the texts leave unclear do not count. The totals of the measured half were looked at five
times. At first 0.909 of its reads were found, and 5 of 391 changing GETs were proven; the judge was then improved on the other
half. 22 of its servers stood on an earlier version of this page, with the tools that were missed there. Three verbs of the judge,
\`ask\`, \`rerank\` and \`learn\`, were known from there. On the 55 other servers, 517 of 519 inferred reads were right, and 517 of
552 reads were found.

## Tools

The hints of the servers are removed first, so that only the words count. For the last two rows they stay, under
\`trust: checked\`.

${table(
  ['', ...halves.map(([title]) => title), 'required'],
  [
    ['servers, tools', (found) => `${found.servers}, ${found.tools}`, ''],
    [
      '**right reads**: of the tools inferred as `read`, those that only read',
      'rightReads',
      '0.995',
    ],
    [
      '**found reads**: of the tools that only read, those inferred as `read`',
      'foundReads',
      '0.92',
    ],
    ['tools that destroy or send, but are inferred as `read`', 'harmfulReads', '0'],
    ['of the tools inferred as `write`, those that only add', 'rightWrites', ''],
    ['**claims** that the label keeps', 'agreedClaims', '0.97'],
    ['hints that the label keeps', 'agreedHints', '0.97'],
  ].map(([title, key, limit]) => [
    title,
    ...halves.map(([, isIn]) => {
      const found = measureTools(tools.filter(isIn));
      return typeof key === 'function' ? key(found) : text(found[key]);
    }),
    limit,
  ]),
)}
## Imported GETs that can be called before a review

A GET can be called before a review if its words prove that it reads. A change must wait; a read should not have to.

${table(
  [
    'operations that were only measured',
    'with their own texts',
    `with "${EMPTY_TEXT}" as the only text`,
    'required',
  ],
  [
    ['**changes**', text(own.changes), text(empty.changes), 'at most 0.01'],
    [
      'reads of published documents, chosen at random',
      text(own.realReads),
      text(empty.realReads),
      '0.85',
    ],
    ['tricky reads', text(own.trickyReads), text(empty.trickyReads), '0.60'],
  ],
)}
The cases are in \`test/imports/truth\`: operations of published documents, and tricky ones in twenty styles, such as remote
procedure calls, cameras, phone systems, payments, game servers and other languages. Five styles were only measured.
In \`test/effects/operations\`, where most GETs were picked because they look like changes, ${text(judged.changes)} of the changes
and ${text(judged.reads)} of the reads are proven.

## Endpoints of other requests

Is the endpoint of a POST, PUT, PATCH or DELETE the one that follows from what it does? None of these is ever called before a
review.

${table(
  ['', 'only measured', 'built on'],
  [
    ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [
      method,
      text(judged[method]),
      text(built[method]),
    ]),
    ['all', text(judged.endpoints), text(built.endpoints)],
    ['changes that are taken for reads', text(judged.changesAsReads), text(built.changesAsReads)],
  ],
)}
A test holds the required limits. \`npm run labels -- --build\` lists the mistakes on the half that was built on.
`;
}

function count(all) {
  return all.length.toLocaleString('en');
}

function servers(tools) {
  return new Set(tools.map(({ server }) => server)).size;
}

function text({ part, whole }) {
  return whole === 0 ? '' : `${(part / whole).toFixed(3)} (${part} of ${whole})`;
}

function line(cells) {
  return `| ${cells.join(' | ')} |`;
}

function table(titles, rows) {
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line), ''].join('\n');
}
