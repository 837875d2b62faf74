import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

import { ROOT } from '../architecture/tree.js';
import { SLOW_TESTS } from '../slow-tests.js';

/** Every test file of `npm test`, as Vitest names them: absolute, with forward slashes. */
export function testFiles(): readonly string[] {
  const slow = new Set(SLOW_TESTS.map((path) => join(ROOT, path).split(sep).join('/')));
  const all = ['packages', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (path) =>
          path.endsWith('.test.ts') && !/(^|[\\/])(node_modules|dist|clone)[\\/]/.test(path),
      )
      .map((path) => join(ROOT, folder, path).split(sep).join('/')),
  );
  return all.filter((path) => !slow.has(path));
}
