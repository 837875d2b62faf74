// A process that runs out of descriptors after its first call, and goes on to record calls.
import { openSync } from 'node:fs';

import { recordCalls } from './recorded-calls.mjs';

let code = '';
await recordCalls(process.argv[2], 40, () => {
  try {
    for (;;) openSync('/dev/null', 'r');
  } catch (error) {
    code = error.code;
  }
});
process.stdout.write(`${code} 40\n`);
