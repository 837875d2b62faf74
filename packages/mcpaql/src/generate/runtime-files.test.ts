import { describe, expect, it } from 'vitest';

import { RUNTIME_FILES } from './generated/runtime-files.js';
import { runtimeModule } from './testing/runtime-sources.js';

describe('the runtime of generated packages', () => {
  it('is the interpreter’s own code, as it is now', async () => {
    const file = new URL('generated/runtime-files.ts', import.meta.url).pathname;
    await expect(runtimeModule()).toMatchFileSnapshot(file);
  });

  it('imports nothing but Node and itself', () => {
    const imports = [...RUNTIME_FILES].flatMap(([path, text]) =>
      [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)';/gms)].map(([, specifier]) => ({
        path,
        specifier: specifier!,
      })),
    );
    expect(imports.length).toBeGreaterThan(50);
    const foreign = imports.filter(({ specifier }) => !/^(?:node:|\.)/.test(specifier));
    expect(foreign).toEqual([]);
  });
});
