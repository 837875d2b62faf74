// The page docs/labels.md, made from the measurements.
import { contradicted, disputedReads, disputedWrites, measure, missedReads } from './measure.mjs';

const HEAD = `# How right the labels are

<!-- Written by npm run labels. Change the code or the truth, and run it again. -->

\`npm run labels\` compares the labels of real servers with the truth. The tool lists are recorded from
npm packages (\`npm run labels:record\`, \`test/recordings/servers\`). The truth is in \`test/labels/truth\`:
tools of silent servers were labelled by hand, after reading their definitions. A server is silent about
a tool if it states neither \`readOnlyHint\` nor \`destructiveHint\`. Where a server states one of them, its
hints are the truth, unless a hand label with a reason says otherwise.

A third of the servers was set aside before the inference was written (\`scripts/labels/corpus.mjs\` has the
seed) and examined once, at the end. That examination changed one rule: three read-only claims of mongodb counted as
contradicted (\`aggregate\`, \`aggregate-db\`, \`disconnect\`; 0.980 of the hints agreed). Since then a program
contradicts a claim only if the name of the parameter says that it is a program. One later change also came from it:
brave states only \`openWorldHint\`, and its tools counted as not silent. So its 8 reads are not independent
evidence for this rule. Without brave, 200 of 201 inferred reads were right and 200 of 224 reads were found.
launchdarkly, mobile, netlify, pinecone, shopify and xcodebuild were recorded after that: 34 of 34 inferred reads
were right and 34 of 50 reads were found. They count as "others", and led to two changes: a title may be a noun
(Email metrics), and "Enables agents to" does not mean that the tool switches something on.

Of the tools that were labelled by hand, 183 were labelled a second time, without a look at the first labels. They were
chosen by a hash of their names. 167 labels agreed. In the other 16 the first label was the stricter one, mostly for
tools that take a command as a parameter. No tool that is inferred as \`read\` got another label.

- **Inferred** is the label from words alone, after all hints were removed.
- **right reads**: the share of tools inferred as \`read\` that only read. Required: 0.97.
- **found reads**: the share of tools that only read that are inferred as \`read\`. Required: 0.80.
- **right writes**: the share of tools inferred as \`write\` that delete and overwrite nothing.
- **agreed hints**, **agreed risks**: the share of hints that servers state, and of the risks that follow from
  them, that the label keeps under \`trust: checked\`. Required: 0.97.
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
    '## Measures\n',
    table(
      ['servers', 'number', 'tools', 'known', 'by hand', ...MEASURES.map(([title]) => title)],
      sets.map(([title, tools]) => measureRow(title, measure(tools))),
    ),
    section(
      'Inferred as read, although the server or a person says otherwise',
      disputedReads(corpus),
      VERDICT,
    ),
    section(
      'Inferred as write, although it may overwrite or delete',
      disputedWrites(corpus),
      VERDICT,
    ),
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
