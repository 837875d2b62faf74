/** Every requirement, in one list. */

import { ADAPTERS } from './adapters.js';
import { AGGREGATOR } from './aggregator.js';
import { ANNOTATION_GUIDE } from './annotation-guide.js';
import { LIGHTDASH } from './lightdash.js';

export const REGISTER = [...LIGHTDASH, ...ADAPTERS, ...AGGREGATOR, ...ANNOTATION_GUIDE] as const;
