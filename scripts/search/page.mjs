// The page docs/search.md, made from the search results.
import { ask, askOneServer, share } from './questions.mjs';

const HEAD = ({
  questions,
  tools,
  servers,
  operations,
  apis,
  model,
  modelCount,
}) => `# How well tools are found

<!-- Written by npm run search. Change the code or the questions, and run it again. -->

\`callsign search\` finds tools by words. This page says how, and how often it is right.

\`\`\`
callsign search send sms
\`\`\`

Two other places use the same ranking: the setting \`"view": "search"\`, and \`introspect\` with \`search\`. It is BM25 over
names, titles, descriptions and parameters (\`packages/core/src/search\`):

- **Word order and endings do not matter.** \`list recent calls\` finds \`ListCall\`.
- **Synonyms count a little less** than the word itself. \`send sms\` finds a tool that sends messages. The list is in
  \`packages/core/src/search/words/synonyms.ts\`.
- **Words without content** (\`a\`, \`the\`, \`please\`) are ignored. Words such as \`latest\` and \`my\` find nothing alone, but
  help to choose. Phrases such as \`turn on\` count as one word.
- **One wrong letter** is corrected if no tool has the word. The beginning of a word counts a little, and so does a word with
  the same root: \`vulnerable\` and \`vulnerability\`.
- **A question that asks to know something** (\`who is in the team\`) puts tools first that only read, by their label.
- **Words of the server's key** count for the server, not for each of its tools.

The search compares words, not meaning: **give it keywords that the name or the description may have**. If no tool has the
words of your question, it finds nothing, and says what to try.

**Narrow it** by label: \`callsign search --risk read …\`, \`label\` for the tool \`find\`, \`endpoint\` for \`introspect\`.

## How it is measured

\`npm run search\` asks ${questions} questions: over ${tools} tools of ${servers} real servers, and over ${operations} operations of
${apis} real APIs, as an adapter imports them. A question counts as answered if one of the right tools is among the first
five results. A question about an API is asked over that API alone, as \`introspect\` does.

**What a model gets: ${model} of ${modelCount} first searches are answered.** The tools of 88 questions were drawn at random; one reader
wrote for each what a person would say, such as "get rid of the inactive subscribers group in SendGrid". The 90 about APIs are
of another reader. A model that saw only these sentences and the names of the servers wrote a search for each, and a
second one in other words. Nothing was tuned on these searches.

**In everyday words half of the questions are answered**: the sentences themselves, sent as they are. Half of those about APIs
were set aside while synonyms were added. Vectors of words (GloVe) and of sentences (Universal Sentence Encoder) did not help.

**In the words of the field nine of ten are answered**: the rounds of one person, who also wrote the synonyms. At the first
look, before any tuning, they stood at 0.91, 0.78, 0.90 and 0.84.

The questions, their answers and the searches of the model are in \`test/search\`, the recorded tools in \`test/recordings\`.

**Other rankings**, measured once with the questions and recordings of the first round:

| ranking | first five |
| --- | --- |
| MiniSearch 7.2.0 | 0.75 |
| Orama 3.1.18 | 0.35 |

MiniSearch and Orama had similar weights, but no synonyms, stems or ignored words, and were not tuned.
`;

/** The keys of operations of APIs begin with the mark of their round. */
function isOfApi(key) {
  return key.startsWith('true');
}

/** What no tuning has looked at. */
function setAside({ answers }) {
  return answers.filter(({ isHeldOut }) => isHeldOut);
}

function answersOf(rounds) {
  return rounds.flatMap(({ answers }) => answers);
}

/** The whole page. */
export function pageOf(rounds) {
  const asked = rounds.map((round) => ({ ...round, answers: ask(round) }));
  const all = asked.flatMap(({ answers }) => answers);
  const [first] = rounds;
  const firstTries = answersOf(asked.slice(9, 11));
  const rows = [
    ...asked.map(({ title, answers }) => [title, answers]),
    ['words of the field, all rounds', answersOf(asked.slice(0, 7))],
    ['everyday words, APIs, the half set aside', setAside(asked[8])],
    ["a model's first try, all", firstTries],
    ['first round, over the right server alone', askOneServer(first)],
  ];
  const tools = new Map(
    rounds.flatMap((round) => {
      return round.tools.map((tool) => [`${round.isByApi} ${tool.server}:${tool.name}`, tool]);
    }),
  );
  const operations = [...tools].filter(([key]) => isOfApi(key)).map(([, { server }]) => server);
  const ofServers = [...tools].filter(([key]) => !isOfApi(key)).map(([, { server }]) => server);
  return [
    HEAD({
      questions: all.length,
      tools: ofServers.length,
      servers: new Set(ofServers).size,
      operations: operations.length,
      apis: new Set(operations).size,
      model: Math.round(share(firstTries, 5) * firstTries.length),
      modelCount: firstTries.length,
    }),
    '## Results\n\nThe share of questions with a right tool in the first place, the first five and the first ten:\n',
    table(
      ['questions', 'number', 'first', 'first five', 'first ten'],
      rows.map(([title, answers]) => [
        title,
        answers.length,
        ...[1, 5, 10].map((last) => share(answers, last).toFixed(3)),
      ]),
    ),
    '## Not among the first five\n\nOf the first two rounds. Those of the other rounds stay unread.\n',
    table(
      ['question', 'place', 'expected', 'found first'],
      asked
        .slice(0, 3)
        .flatMap(({ answers }) => answers)
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
