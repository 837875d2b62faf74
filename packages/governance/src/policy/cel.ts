/**
 * CEL, the language of conditions. It is large, so it is loaded on first use: most configurations
 * have no condition.
 */

import { createRequire } from 'node:module';

import type * as Cel from '@marcbachmann/cel-js';

// Synchronous, not `import()`: reading a configuration is synchronous.
const load = createRequire(import.meta.url);
let loaded: typeof Cel | undefined;

export function cel(): typeof Cel {
  return (loaded ??= load('@marcbachmann/cel-js') as typeof Cel);
}
