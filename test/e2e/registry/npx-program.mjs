// Stands for `npx`: runs a server that is installed in this repository, or one that a test has put beside it.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [, self, yes, spec, ...rest] = process.argv;
const name = /^(@[^/]+\/[^@]+|[^@]+)@[\w.-]+$/.exec(spec)?.[1];
if (yes !== '-y' || name === undefined) throw new Error(`npx got ${yes} ${spec}`);
const own = join(dirname(self), `${name}.mjs`);

function installed() {
  const folder = join(import.meta.dirname, '..', '..', '..', 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : Object.values(bin)[0]);
}

const file = existsSync(own) ? own : installed();
process.argv = [process.argv[0], file, ...rest];
await import(file);
