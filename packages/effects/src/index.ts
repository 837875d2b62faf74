// The hints themselves, and named sets of them.
export {
  type Hint,
  type HintSet,
  HINTS,
  SPEC_DEFAULTS,
  type StatedHints,
  type ToolAnnotations,
} from './hints/hints.js';
export {
  type PresetName,
  PRESETS,
  READ_ONLY_DEFAULT,
  READ_ONLY_OPEN_WORLD,
  WRITE_ADDITIVE,
  WRITE_DESTRUCTIVE,
  WRITE_DESTRUCTIVE_OPEN_WORLD,
  WRITE_IDEMPOTENT,
} from './hints/presets.js';
export { DEFAULT_ANNOTATIONS, mergeAnnotations } from './hints/merge.js';

// Labels: which source counts, and what follows from it.
export { type Contradiction, type Label, type LabelledTool, labelTool } from './label/label.js';
export {
  type Disbelief,
  type Evidence,
  type LabelHint,
  type LabelHints,
  type Voice,
} from './hints/evidence.js';
export { type Trust, TRUSTS } from './hints/trust.js';
export {
  type Inference,
  inferRisk,
  type ToolWords,
  type Voices,
  voicesOf,
} from './inference/infer.js';
export type { Reading } from './inference/reading.js';
export { isSurelyVerb } from './inference/verb-effects.js';
export { isProvenRead, mayRetry, type Risk, riskOf, RISKS } from './hints/risk.js';
export { explain } from './label/explain.js';
export { type Ground, groundOf, reasonFor } from './label/reason.js';
export { countLabels, type ServerLabels } from './label/label-counts.js';

// By effect: the five endpoints, and finding the endpoint of a tool.
export {
  type Endpoint,
  ENDPOINT_TITLES,
  endpointHints,
  type EndpointOptions,
  ENDPOINTS,
  PRESET_ENDPOINTS,
  type UpdateOptions,
} from './hints/endpoints.js';
export { type Confidence } from './words/confidence.js';
export { type Classification, type ClassifiedTool, classify } from './endpoint/classify.js';

// HTTP operations: what their words say for and against a read.
export { overridesMethod, type RequestParam } from './request/param-reading.js';
export { provablyReads, readRequest, type RequestWords } from './request/proven-read.js';
export type { Statement, Statements } from './request/statement.js';

// Titles for people.
export { type TitleParts, toolTitle, withTitle } from './label/titles.js';

// The linter.
export { ANNOTATION_RULES } from './lint/annotation-rules.js';
export { lintAnnotations } from './lint/lint-annotations.js';
export type { AnnotationRule, LintedTool } from './lint/rule.js';
