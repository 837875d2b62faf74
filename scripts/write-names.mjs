// Counts the forms of names in every client profile, and writes the table into docs/names.md.
//   node scripts/write-names.mjs           the servers of test/recordings, and a line about those in its folder servers
//   node scripts/write-names.mjs --check   fails if the page is out of date
//   node scripts/write-names.mjs FILE      prints the table for other servers: [{ server, tools: [{ name }] }]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createNameTable, PROFILES } from '@callsign/naming';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RECORDINGS = join(ROOT, 'test', 'recordings');
const MORE = join(RECORDINGS, 'servers');
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
  const counted = `${tableOf(recordedServers(RECORDINGS))}\n\n${sentenceOf(recordedServers(MORE))}`;
  const after = `${head}${START}\n\n${counted}\n\n${END}${tail}`;
  if (!isCheck) writeFileSync(PAGE, after);
  else if (after !== before) {
    console.error('docs/names.md is stale. Run: npm run names');
    process.exitCode = 1;
  }
}

function recordedServers(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.toSorted().map((file) => {
    return { server: basename(file, '.json'), tools: readJson(join(folder, file)).tools };
  });
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function refsOf(servers) {
  return servers.flatMap(({ server, tools }) => tools.map(({ name }) => ({ server, tool: name })));
}

/** The profiles with the largest share of fingerprints. */
function sentenceOf(servers) {
  const refs = refsOf(servers);
  const keys = servers.map(({ server }) => server);
  const shares = [...PROFILES].map(([id, profile]) => {
    const { tools } = createNameTable(refs, { profile, keys });
    const hashed = tools.filter(({ form }) => form === 'hashed').length;
    return { id, share: (100 * hashed) / tools.length };
  });
  const largest = shares.toSorted((a, b) => b.share - a.share).slice(0, 4);
  const listed = largest.map(({ id, share }) => `\`${id}\` ${share.toFixed(1)} %`).join(', ');
  return [
    `Over all ${servers.length} recorded servers with their ${refs.length} tools,`,
    `the largest shares with a fingerprint are: ${listed}.`,
  ].join('\n');
}

function tableOf(servers) {
  const refs = refsOf(servers);
  const keys = servers.map(({ server }) => server);
  const rows = [...PROFILES].map(([id, profile]) => {
    const { tools } = createNameTable(refs, { profile, keys });
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
