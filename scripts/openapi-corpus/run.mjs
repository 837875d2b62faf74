// Imports real OpenAPI documents from npm and writes docs/openapi-corpus.md, with a list of 200 operations that can be
// called before a review. Not part of `npm test`: it downloads 800 MB. `--folder DIR` keeps them for the next run,
// `--every 4` takes every fourth document, `--max-mb 15` leaves out larger ones. `--keep-list` keeps the list of 200 and
// its verdicts, as `--every` does.
// After a run over all documents, a person writes reads, changes or unclear before each line of that list. Then
// `--checked-only` puts the result into the page.
// `--packages-only` renews only the sections about generated packages and large documents, `--documents-only` only the
// others.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { measurePackage } from './api-package.mjs';
import { documentsIn, GITHUB, GRAPH, installDocuments, sizeOf, textOf } from './documents.mjs';
import { measureLarge } from './large-documents.mjs';
import { measure, sampleOf } from './measure.mjs';
import {
  checkedListOf,
  pageOf,
  packagesIn,
  packagesOf,
  verdictsIn,
  withPackages,
  withVerdict,
} from './page.mjs';

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    'packages-only': { type: 'boolean' },
    'documents-only': { type: 'boolean' },
    'keep-list': { type: 'boolean' },
    'checked-only': { type: 'boolean' },
    every: { type: 'string', default: '1' },
    'max-mb': { type: 'string', default: '64' },
  },
});
const page = new URL('../../docs/openapi-corpus.md', import.meta.url);
const list = new URL('../../docs/openapi-corpus-200.tsv', import.meta.url);
if (values['checked-only']) {
  writeFileSync(page, withVerdict(readFileSync(page, 'utf8'), verdictsIn(list)));
  process.exit();
}
const folder = values.folder ?? join(tmpdir(), 'callsign-openapi-corpus');
installDocuments(folder);
const read = (file) => textOf(folder, file);
const packages = values['documents-only']
  ? packagesIn(readFileSync(page, 'utf8'))
  : packagesOf({
      github: measurePackage(read(GITHUB), join(folder, 'github-package')),
      graph: measurePackage(read(GRAPH), join(folder, 'graph-package')),
      large: await measureLarge(folder),
    });
if (values['packages-only']) {
  writeFileSync(page, withPackages(readFileSync(page, 'utf8'), packages));
  console.log(packages);
} else {
  const every = Number(values.every);
  const maxBytes = Number(values['max-mb']) * 2 ** 20;
  const small = documentsIn(folder).filter((file) => sizeOf(folder, file) <= maxBytes);
  const documents = small.filter((_, i) => i % every === 0);
  const started = process.cpuUsage();
  const { totals, callable } = measure(documents, read, (done) => {
    console.error(`${done} of ${documents.length} documents`);
  });
  const { user, system } = process.cpuUsage(started);
  const seconds = (user + system) / 1e6;
  // Only a run over all documents may choose the operations that a person checks.
  const isListKept = every !== 1 || values['keep-list'] === true;
  const checked = isListKept ? verdictsIn(list) : checkedListOf(list, sampleOf(callable, 200));
  if (!isListKept) writeFileSync(list, checked.text);
  const text = pageOf({
    totals,
    callable,
    packages,
    seconds,
    checked,
    isListKept,
    every,
    maxMb: values['max-mb'],
  });
  writeFileSync(page, text);
  console.log(text);
}
