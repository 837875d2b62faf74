// Prints how many GET operations can be called before a review, by the truth about each. `--build` lists the mistakes on
// the half that the rules may be tuned on.
import { parseArgs } from 'node:util';

import { EMPTY_TEXT, isCallable } from './measure.mjs';
import { rowsOf } from './page.mjs';
import { readTruth } from './truth.mjs';

const { values } = parseArgs({ options: { build: { type: 'boolean' } } });
const cases = readTruth();
console.log(rowsOf(cases));
for (const each of values.build ? cases.filter(({ isMeasured }) => !isMeasured) : []) {
  const { truth, style, path, operation } = each;
  const texts = [undefined, EMPTY_TEXT].filter((text) => {
    return truth !== 'unclear' && isCallable(each, text) !== (truth === 'reads');
  });
  for (const text of truth === 'reads' ? texts.slice(0, 1) : texts) {
    console.log(`${truth}: ${style}: GET ${path} ${operation.operationId ?? ''} ${text ?? ''}`);
  }
}
