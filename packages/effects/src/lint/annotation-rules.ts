/** All annotation rules, in the order of their documentation. */

import { descriptionAddressesModel } from './addressed-model-rule.js';
import { claimAgainstWords } from './contradiction-rule.js';
import { descriptionMissing } from './description-rule.js';
import { hintContradiction, hintNotBoolean, hintSaysNothing } from './hint-rules.js';
import { textInvisible } from './invisible-text-rule.js';
import {
  destructiveMissing,
  idempotentMissing,
  openWorldMissing,
  readOnlyMissing,
} from './missing-hint-rules.js';
import type { AnnotationRule } from './rule.js';
import { schemaNotObject } from './schema-rule.js';
import { titleIsName, titleMissing, titleShared } from './title-rules.js';
import { verbAgainstHint } from './verb-rule.js';

/** The linter runs these rules, and the documentation lists them. */
export const ANNOTATION_RULES: readonly AnnotationRule[] = Object.freeze([
  titleMissing,
  titleIsName,
  titleShared,
  readOnlyMissing,
  destructiveMissing,
  idempotentMissing,
  openWorldMissing,
  hintNotBoolean,
  hintContradiction,
  hintSaysNothing,
  verbAgainstHint,
  claimAgainstWords,
  descriptionMissing,
  descriptionAddressesModel,
  textInvisible,
  schemaNotObject,
]);
