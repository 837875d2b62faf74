// Recordings of a terminal: real commands with official servers, drawn as SVG. One is in the README, the other on the page
// about scripts. Usage: npm run recording [-- --check]; with --check it only compares the pictures with what the commands print.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { COLUMNS, CONFIG, Scene } from './scene.mjs';
import { drawn, shownIn } from './svg.mjs';

const DOCS = join(import.meta.dirname, '../../docs');
const DOWN = '\u001b[B';
const ENTER = '\r';
const SERVERS = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["@modelcontextprotocol/server-filesystem", "."] },
    "memory": { "command": "npx", "args": ["@modelcontextprotocol/server-memory"] }
  }
}
`;
const SCRIPTS = `{
  "mcpServers": {
    "memory": {
      "command": "npx",
      "args": ["@modelcontextprotocol/server-memory"],
      "env": { "MEMORY_FILE_PATH": "\${HOME}/memory.jsonl" }
    }
  },
  "callsign": { "scripts": {} }
}
`;
const PROGRAM = `const { entities } = await tools.memory.read_graph();
for (const { name } of entities.filter(({ name }) => name.startsWith('draft')))
  try {
    await tools.memory.delete_entities({ entityNames: [name] });
  } catch {}
`;
const GRAPH = ['draft of May', 'draft of June', 'harbour', 'draft of July'].map((name) => ({
  name,
  entityType: 'page',
  observations: [],
}));

const RECORDINGS = [
  {
    file: 'recording.svg',
    label: 'A terminal: a plain MCP file, the labels of its tools, a call, and its record',
    config: SERVERS,
    // Each server is started once before, so that messages of a first start are not in the picture.
    before: (scene) => scene.type('callsign tools >/dev/null'),
    lines: [
      [`cat ~/${CONFIG}`],
      ['callsign labels'],
      ['callsign tools memory'],
      ['callsign tools memory:delete_entities --why --profile cursor'],
      ['callsign call files:create_directory path=drafts'],
      ['callsign call files:list_allowed_directories'],
      ['callsign audit list'],
    ],
  },
  {
    file: 'pictures/script-question.svg',
    label: 'A terminal: a program, the question about its calls, and the answer',
    config: SCRIPTS,
    files: { 'drafts.js': PROGRAM },
    async before(scene) {
      await scene.serve();
      const given = JSON.stringify({ entities: GRAPH });
      await scene.type(`callsign call memory:create_entities --args '${given}' >/dev/null`);
    },
    lines: [
      ['cat drafts.js'],
      [
        'callsign call callsign:run purpose="Remove the drafts" code="$(cat drafts.js)"',
        [
          ['Allow these calls?', `${DOWN}${DOWN}${ENTER}`],
          ['Only these calls', `1,3${ENTER}`],
        ],
      ],
    ],
  },
];

for (const recording of RECORDINGS) {
  const file = join(DOCS, recording.file);
  const pictured = await record(recording);
  if (process.argv.includes('--check')) {
    const before = comparable(shownIn(readFileSync(file, 'utf8')));
    const now = comparable(pictured.flatMap(({ line, output }) => [`$ ${line}`, ...texts(output)]));
    if (before === now) continue;
    console.error(`docs/${recording.file} is out of date. To renew it: npm run recording\n${now}`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, drawn(pictured, COLUMNS, recording.label));
    console.log(`Written: ${file}`);
  }
}

/** Types every line in a terminal, with its own home folder. */
async function record({ config, files, before, lines }) {
  const scene = new Scene(config, files);
  try {
    await before(scene);
    const pictured = [];
    for (const [line, answers] of lines)
      pictured.push({ line, output: await scene.type(line, answers) });
    return pictured;
  } finally {
    await scene.close();
  }
}

function texts(output) {
  return output.map((spans) => spans.map(({ text }) => text).join(''));
}

/** Without times, durations and ids, which differ each time. */
function comparable(lines) {
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/^[a-z0-9]+-\d+ (?= *\d{4}-)/, 'ID '))
    .map((line) => line.replace(/"script": *"[\w-]+"/, '"script":"ID"'))
    .map((line) => line.replace(/\d+/g, '0').replace(/\s+/g, ' ').trimEnd())
    .join('\n');
}
