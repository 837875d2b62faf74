// Identifies what is compiled now. The compiler's build information files change with every source file.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../packages', import.meta.url));

export function buildState() {
  const hash = createHash('sha256');
  for (const name of readdirSync(PACKAGES)) {
    const file = join(PACKAGES, name, 'dist', '.tsbuildinfo');
    if (existsSync(file)) hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}
