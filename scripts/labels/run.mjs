// Measures the judge against the truth, and writes docs/labels.md. With --check it fails if the page is stale. With --build it
// lists the mistakes on the half that rules may be tuned on, and writes nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { readOperations, readTools } from './corpus.mjs';
import { readImports } from './imports.mjs';
import { isCallable } from './measure.mjs';
import { pageOf } from './page.mjs';

const { values } = parseArgs({
  options: { check: { type: 'boolean' }, build: { type: 'boolean' } },
});
const corpus = { tools: readTools(), operations: readOperations(), imports: readImports() };
if (values.build) listMistakes(corpus);
else {
  const page = new URL('../../docs/labels.md', import.meta.url);
  const text = pageOf(corpus);
  if (!values.check) writeFileSync(page, text);
  else if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/labels.md is stale. Run: npm run labels');
    process.exitCode = 1;
  }
  console.log(text.slice(text.indexOf('## Tools')));
}

function isBuilt({ isMeasured }) {
  return !isMeasured;
}

function listMistakes({ tools, operations, imports }) {
  for (const { server, tool, effect, inferred, checked } of tools.filter(isBuilt)) {
    const { because = 'no clear word' } = inferred.hints.readOnlyHint.evidence;
    const isWrong = effect === 'reads' ? inferred.risk !== 'read' : inferred.risk === 'read';
    const isLow = inferred.risk === 'write' && !['adds', 'reads'].includes(effect);
    if (effect !== 'unclear' && (isWrong || isLow)) {
      console.log(`${effect}, label ${inferred.risk}: ${server}:${tool.name}: ${because}`);
    }
    if (checked.contradiction) {
      const { hint, claim, because: why } = checked.contradiction;
      console.log(`${effect}, claim ${hint} ${claim}: ${server}:${tool.name}: ${why}`);
    }
  }
  for (const { effect, method, path, name, judgement } of operations.filter(isBuilt)) {
    const isWrong =
      method === 'GET'
        ? judgement.isProvenRead !== (effect === 'reads')
        : judgement.likely !== effect;
    if (effect !== 'unclear' && isWrong) {
      console.log(`${effect}, taken as ${judgement.likely}: ${method} ${path} ${name ?? ''}`);
    }
  }
  for (const each of imports.filter(isBuilt)) {
    const { truth, path, operation } = each;
    if (truth !== 'unclear' && isCallable(each) !== (truth === 'reads')) {
      console.log(`${truth}: GET ${path} ${operation.operationId ?? ''}`);
    }
  }
}
