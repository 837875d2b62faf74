// Deletes compiled files whose source is gone: `tsc -b` leaves them, and they would be published.
// The set-up imports this before anything is installed, so it uses nothing but Node.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ENDINGS = ['.js', '.js.map', '.d.ts', '.d.ts.map'];

/** `packages`: the folder of all packages. */
export function deleteStaleOutput(packages) {
  for (const name of readdirSync(packages)) {
    const [source, output] = [join(packages, name, 'src'), join(packages, name, 'dist')];
    if (!existsSync(output)) continue;
    for (const file of readdirSync(output, { recursive: true })) {
      // Only the compiler writes maps: the runtime of generated packages has none, and stays.
      if (!file.endsWith('.js.map')) continue;
      const stem = file.slice(0, -'.js.map'.length);
      if (existsSync(join(source, `${stem}.ts`))) continue;
      for (const ending of ENDINGS) rmSync(join(output, stem + ending), { force: true });
    }
  }
}
