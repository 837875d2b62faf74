/** The file that starts a server of test/fixtures, made from its current source by test/build.ts. */

import { join } from 'node:path';

import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    fixtures: string;
  }
}

export type FixtureName = 'everything' | 'extended-child' | 'faulty-child' | 'plain-child';

export function fixtureFile(name: FixtureName): string {
  return join(inject('fixtures'), `${name}.mjs`);
}
