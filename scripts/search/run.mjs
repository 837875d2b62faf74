// Asks the questions, and writes docs/search.md.
import { writeFileSync } from 'node:fs';

import { pageOf } from './page.mjs';
import { readRounds } from './questions.mjs';

const text = pageOf(readRounds());
writeFileSync(new URL('../../docs/search.md', import.meta.url), text);
console.log(text.slice(text.indexOf('## Results')));
