/** The program of a native adapter in tests. Prints its input, or does what its first argument says. */

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const [what, ...args] = process.argv.slice(2);
let input = '';
for await (const chunk of process.stdin) input += chunk;

if (what === 'fail') {
  process.stderr.write('The pump is dry.\nat somewhere deep inside\n');
  process.exitCode = 3;
} else if (what === 'text') process.stdout.write('plain words');
else if (what === 'flood') process.stdout.write('x'.repeat(11 * 1024 * 1024));
else if (what === 'wait') setInterval(() => undefined, 1000);
else if (what === 'leave' || what === 'hold') {
  // The other process keeps the output open.
  const stay = 'setInterval(() => undefined, 1000)';
  const other = spawn(process.execPath, ['-e', stay], { stdio: ['ignore', 'inherit', 'inherit'] });
  writeFileSync(args[0], String(other.pid));
  if (what === 'leave') other.unref();
} else if (what === 'nothing') process.exitCode = 0;
else {
  const { HARBOUR_HOME = null, HARBOUR_TOKEN = null } = process.env;
  const told = { args, input: JSON.parse(input), env: { HARBOUR_HOME, HARBOUR_TOKEN } };
  process.stdout.write(JSON.stringify(told));
}
