/** All tests in one project, each file with modules of its own: a mutant ends with its run. */

import { defineConfig } from 'vitest/config';

import { common } from '../../vitest.config.js';

export default defineConfig(common);
