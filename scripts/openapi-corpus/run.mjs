// Imports real OpenAPI documents from npm and writes docs/openapi-corpus.md, with a list of 200 operations that can be
// called before a review. Not part of `npm test`: it downloads 800 MB. `--folder DIR` keeps them for the next run,
// `--every 4` takes every fourth document, `--max-mb 15` leaves out larger ones.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { documentsIn, GITHUB, installDocuments, sizeOf, textOf } from './documents.mjs';
import { measureGitHub } from './github-package.mjs';
import { measure, sampleOf } from './measure.mjs';
import { checkedListOf, pageOf } from './page.mjs';

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    'github-only': { type: 'boolean' },
    every: { type: 'string', default: '1' },
    'max-mb': { type: 'string', default: '64' },
  },
});
const folder = values.folder ?? join(tmpdir(), 'callsign-openapi-corpus');
installDocuments(folder);
const read = (file) => textOf(folder, file);
const github = measureGitHub(read(GITHUB), join(folder, 'github-package'));
console.log(github);
if (!values['github-only']) {
  const every = Number(values.every);
  const maxBytes = Number(values['max-mb']) * 2 ** 20;
  const small = documentsIn(folder).filter((file) => sizeOf(folder, file) <= maxBytes);
  const documents = small.filter((_, i) => i % every === 0);
  const started = performance.now();
  const { totals, callable } = measure(documents, read, (done) => {
    console.error(`${done} of ${documents.length} documents`);
  });
  const seconds = (performance.now() - started) / 1000;
  const list = new URL('../../docs/openapi-corpus-200.tsv', import.meta.url);
  const checked = checkedListOf(list, sampleOf(callable, 200));
  writeFileSync(list, checked.text);
  const page = pageOf({
    totals,
    callable,
    github,
    seconds,
    checked,
    every,
    maxMb: values['max-mb'],
  });
  writeFileSync(new URL('../../docs/openapi-corpus.md', import.meta.url), page);
  console.log(page);
}
