// The recording of a terminal in the README: real commands on a plain file with two official servers, drawn as SVG.
// Usage: npm run recording [-- --check]; with --check it only compares the picture with what the
// commands print.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { styledLines } from './styled-lines.mjs';
import { drawn, shownIn } from './svg.mjs';

const ROOT = join(import.meta.dirname, '../..');
const FILE = join(ROOT, 'docs/recording.svg');
const COMMAND = join(ROOT, 'packages/cli/bin/callsign.cjs');
const COLUMNS = 92;
const CONFIG = '.config/callsign/callsign.json';
const SERVERS = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["@modelcontextprotocol/server-filesystem", "."] },
    "memory": { "command": "npx", "args": ["@modelcontextprotocol/server-memory"] }
  }
}
`;
const LINES = [
  `cat ~/${CONFIG}`,
  'callsign labels',
  'callsign tools memory',
  'callsign tools memory:delete_entities --why --profile cursor',
  'callsign call files:create_directory path=drafts',
  'callsign call files:list_allowed_directories',
  'callsign audit list',
];

const pictured = record();
if (process.argv.includes('--check')) {
  const before = comparable(shownIn(readFileSync(FILE, 'utf8')));
  const now = comparable(pictured.flatMap(({ line, output }) => [`$ ${line}`, ...texts(output)]));
  if (before !== now) {
    console.error(`docs/recording.svg is out of date. To renew it: npm run recording\n${now}`);
    process.exitCode = 1;
  }
} else {
  writeFileSync(FILE, drawn(pictured, COLUMNS));
  console.log(`Written: ${FILE}`);
}

/** Types every line in a terminal, with its own home folder. */
function record() {
  const home = mkdtempSync(join(tmpdir(), 'callsign-recording-'));
  try {
    mkdirSync(dirname(join(home, CONFIG)), { recursive: true });
    writeFileSync(join(home, CONFIG), SERVERS);
    const work = join(home, 'work');
    mkdirSync(work);
    // `npx` finds the servers here, without the network.
    symlinkSync(join(ROOT, 'node_modules'), join(work, 'node_modules'));
    // Each server is started once before, so that messages of a first start are not in the picture.
    type('callsign tools >/dev/null', home, work);
    return LINES.map((line) => ({ line, output: type(line, home, work) }));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function type(line, home, work) {
  const callsign = `callsign() { '${process.execPath}' '${COMMAND}' "$@"; }`;
  const shell = `stty cols ${COLUMNS} rows 40; ${callsign}; ${line}`;
  const { status, stdout } = spawnSync('script', ['-qec', shell, '/dev/null'], {
    cwd: work,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      SHELL: '/bin/bash',
      TERM: 'xterm',
    },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${line} ended with ${status}:\n${stdout}`);
  return styledLines(stdout.replaceAll(home, '~'));
}

function texts(output) {
  return output.map((spans) => spans.map(({ text }) => text).join(''));
}

/** Without times, durations and ids, which differ each time. */
function comparable(lines) {
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/^[a-z0-9]+-\d+ (?= *\d{4}-)/, 'ID '))
    .map((line) => line.replace(/\d+/g, '0').replace(/\s+/g, ' ').trimEnd())
    .join('\n');
}
