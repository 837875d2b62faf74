import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

import { ROOT } from '../architecture/tree.js';

/** Every test file of `npm test`, as Vitest names them: absolute, with forward slashes. */
export function testFiles(): readonly string[] {
  return ['packages', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (path) =>
          path.endsWith('.test.ts') && !/(^|[\\/])(node_modules|dist|clone)[\\/]/.test(path),
      )
      .map((path) => join(ROOT, folder, path).split(sep).join('/')),
  );
}
