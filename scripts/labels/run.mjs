// Measures labels against the truth, and writes docs/labels.md. With --check it fails if the page is stale.
import { readFileSync, writeFileSync } from 'node:fs';

import { readCorpus } from './corpus.mjs';
import { pageOf } from './page.mjs';

const page = new URL('../../docs/labels.md', import.meta.url);
const text = pageOf(readCorpus());
if (!process.argv.includes('--check')) writeFileSync(page, text);
else if (readFileSync(page, 'utf8') !== text) {
  console.error('docs/labels.md is stale. Run: npm run labels');
  process.exitCode = 1;
}
console.log(text.slice(text.indexOf('| servers'), text.indexOf('\n## How it')));
