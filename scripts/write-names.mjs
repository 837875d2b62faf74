// Counts the forms of names in every client profile, and writes the table into docs/names.md.
//   node scripts/write-names.mjs           the servers of test/recordings
//   node scripts/write-names.mjs --check   fails if the page is not what it would write
//   node scripts/write-names.mjs FILE      prints the table for other servers: [{ server, tools: [{ name }] }]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createNameTable, PROFILES } from '@callsign/naming';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RECORDINGS = join(ROOT, 'test', 'recordings');
const PAGE = join(ROOT, 'docs', 'names.md');
const [START, END] = ['<!-- counted by scripts/write-names.mjs -->', '<!-- counted: end -->'];

const [argument] = process.argv.slice(2);
const isCheck = argument === '--check';
if (argument !== undefined && !isCheck) {
  console.log(tableOf(readJson(argument)));
} else {
  const before = readFileSync(PAGE, 'utf8');
  const [head, rest] = before.split(START);
  const [, tail] = rest.split(END);
  const after = `${head}${START}\n\n${tableOf(recordedServers())}\n\n${END}${tail}`;
  if (!isCheck) writeFileSync(PAGE, after);
  else if (after !== before) {
    console.error('docs/names.md is stale. Run: node scripts/write-names.mjs');
    process.exitCode = 1;
  }
}

function recordedServers() {
  const files = readdirSync(RECORDINGS).toSorted();
  return files.map((file) => {
    return { server: basename(file, '.json'), tools: readJson(join(RECORDINGS, file)).tools };
  });
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function tableOf(servers) {
  const refs = servers.flatMap(({ server, tools }) =>
    tools.map(({ name }) => ({ server, tool: name })),
  );
  const rows = [...PROFILES].map(([id, profile]) => {
    const { tools } = createNameTable(refs, { profile });
    const counted = (form) => tools.filter((tool) => tool.form === form).length;
    const hashed = counted('hashed');
    const share = `${((100 * hashed) / tools.length).toFixed(1)} %`;
    const longest = Math.max(...tools.map(({ name }) => name.length));
    return `| \`${id}\` | ${counted('exact')} | ${counted('marked')} | ${hashed} | ${share} | ${longest} |`;
  });
  return [
    `${servers.length} servers, ${refs.length} tools:`,
    '',
    '| profile | exact | marked | with a fingerprint | share | longest |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
