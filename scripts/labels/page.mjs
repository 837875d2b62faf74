// The page docs/labels.md, made from the measurements.
import { contradicted, disputedReads, disputedWrites, measure, missedReads } from './measure.mjs';

const HEAD = `# How right the labels are

<!-- Written by npm run labels. Change the code or the truth, and run it again. -->

If a server says nothing about a tool, Callsign infers the label from the tool's own words. If a server does say something,
Callsign checks it. How often are both right? \`npm run labels\` compares the labels of real tools with the truth, and
writes this page. To see the labels of your own tools: \`callsign tools --why\`.

## Measures

A server is **silent** about a tool if it states neither \`readOnlyHint\` nor \`destructiveHint\`. A third of the servers
was **set aside** before the inference was written, so their figures are the most independent ones.

- **right reads**: of the tools inferred as \`read\`, the share that really only reads. Required: 0.97.
- **found reads**: of the tools that only read, the share inferred as \`read\`. Required: 0.80.
- **right writes**: of the tools inferred as \`write\`, the share that deletes and overwrites nothing.
- **agreed hints**: of the hints that servers state, the share that the label keeps under \`trust: checked\`. Required: 0.97.
- **agreed risks**: the same, for the risks that follow from these hints. Required: 0.97.

For the first three measures, all hints are removed first, so that only the words count. The column *known* counts the
tools whose true label is known, and *by hand* those of them that a person labelled.
`;

const METHOD = `## How it is measured

**The tools.** The tool lists are recorded from npm packages (\`npm run labels:record\`) and kept in
\`test/recordings/servers\`. The [servers](#servers) are listed at the end.

**The truth** is in \`test/labels/truth\`. If a server is silent about a tool, a person read the definition and labelled the
tool by hand. If a server states hints, they are the truth, unless a hand label with a reason says otherwise.

**A second look.** A hash of the names chose 183 of the hand-labelled tools. They were labelled again, without a look at the
first labels. 167 labels agreed. In the other 16 the first label was the stricter one, mostly for tools that take a command
as a parameter. No tool that is inferred as \`read\` got another label.

**The servers set aside** were examined once, at the end (\`scripts/labels/corpus.mjs\` has the seed). Two changes followed,
so they are not perfectly independent:

- Three read-only claims of mongodb counted as contradicted (\`aggregate\`, \`aggregate-db\`, \`disconnect\`); 0.980 of the
  hints agreed. Since then, a parameter that takes a program counts against a claim only if its name says so.
- brave states only \`openWorldHint\`, and its tools did not count as silent. Now they do. So its 8 reads are not independent
  evidence for this rule. Without brave, 200 of 201 inferred reads were right, and 200 of 224 reads were found.

**Six servers were recorded after that**: launchdarkly, mobile, netlify, pinecone, shopify and xcodebuild. 34 of 34 inferred
reads were right, and 34 of 50 reads were found. They count as "others" and led to two changes: a title may be a noun
(Email metrics), and "Enables agents to" does not mean that the tool switches something on.
`;

/** The whole page. */
export function pageOf(corpus) {
  const seen = corpus.filter(({ isHeldOut }) => !isHeldOut);
  const heldOut = corpus.filter(({ isHeldOut }) => isHeldOut);
  const sets = [
    ['set aside', heldOut],
    ['set aside, hints stated', heldOut.filter((each) => !isSilent(each))],
    ['set aside, silent', heldOut.filter(isSilent)],
    ['others', seen],
    ['others, hints stated', seen.filter((each) => !isSilent(each))],
    ['others, silent', seen.filter(isSilent)],
    ['all', corpus],
  ];
  return [
    HEAD,
    table(
      ['servers', 'number', 'tools', 'known', 'by hand', ...MEASURES.map(([title]) => title)],
      sets.map(([title, tools]) => measureRow(title, measure(tools))),
    ),
    METHOD,
    section(
      'Inferred as read, but the server or a person disagrees',
      disputedReads(corpus),
      VERDICT,
    ),
    section('Inferred as write, but it may overwrite or delete', disputedWrites(corpus), VERDICT),
    section('Claims that are contradicted under `checked`', contradicted(corpus), CONTRADICTION),
    section('Reads that are not found', missedReads(corpus), MISSED),
    '## Servers\n',
    table(
      ['server', 'package', 'version', 'tools', 'state hints', 'set aside'],
      serverRows(corpus),
    ),
  ].join('\n');
}

const isSilent = ({ claimed }) => claimed === undefined;

const MEASURES = [
  ['right reads', 'rightReads'],
  ['found reads', 'foundReads'],
  ['right writes', 'rightWrites'],
  ['agreed hints', 'agreedHints'],
  ['agreed risks', 'agreedRisks'],
];

const VERDICT = {
  titles: ['server says', 'truth', 'relied on', 'verdict'],
  cells: ({ claimed, truth, inferred, reason }) => [
    claimed ?? 'nothing',
    truth,
    inferred.hints.readOnlyHint.evidence.because,
    reason ?? '**no verdict**',
  ],
};

const CONTRADICTION = {
  titles: ['claim', 'label', 'because'],
  cells: ({ checked: { contradiction, risk } }) => [
    `${contradiction.hint}: ${contradiction.claim}`,
    risk,
    contradiction.because,
  ],
};

const MISSED = {
  titles: ['inferred', 'because'],
  cells: ({ inferred: { risk, hints } }) => [
    risk,
    hints.readOnlyHint.evidence.because ?? 'no clear word',
  ],
};

function measureRow(title, found) {
  const shares = MEASURES.map(([, key]) => text(found[key]));
  return [title, found.servers, found.tools, found.known, found.byHand, ...shares];
}

function text({ part, whole }) {
  return whole === 0 ? '' : `${(part / whole).toFixed(3)} (${part} of ${whole})`;
}

function section(title, tools, { titles, cells }) {
  const rows = tools.map((each) => [
    `${each.server}${each.isHeldOut ? ' (set aside)' : ''}`,
    `\`${each.tool.name}\``,
    ...cells(each),
  ]);
  const body = rows.length === 0 ? 'None.\n' : table(['server', 'tool', ...titles], rows);
  return `## ${title}\n\n${body}`;
}

function serverRows(corpus) {
  return Array.from(grouped(corpus), ([server, tools]) => [
    server,
    `\`${tools[0].package}\``,
    tools[0].version,
    tools.length,
    tools.filter(({ claimed }) => claimed !== undefined).length,
    tools[0].isHeldOut ? 'yes' : '',
  ]);
}

function grouped(corpus) {
  const groups = new Map();
  for (const each of corpus) groups.set(each.server, [...(groups.get(each.server) ?? []), each]);
  return groups;
}

function line(cells) {
  return `| ${cells.join(' | ')} |`;
}

function table(titles, rows) {
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line), ''].join('\n');
}
