// The hints themselves, and named sets of them.
export {
  type Hint,
  type HintSet,
  HINTS,
  SPEC_DEFAULTS,
  type StatedHints,
  type ToolAnnotations,
} from './hints.js';
export {
  type PresetName,
  PRESETS,
  READ_ONLY_DEFAULT,
  READ_ONLY_OPEN_WORLD,
  WRITE_ADDITIVE,
  WRITE_DESTRUCTIVE,
  WRITE_DESTRUCTIVE_OPEN_WORLD,
  WRITE_IDEMPOTENT,
} from './presets.js';
export { DEFAULT_ANNOTATIONS, mergeAnnotations } from './merge.js';

// Labels: who is heard, and what follows from it.
export { type Contradiction, type Label, type LabelledTool, labelTool } from './label.js';
export {
  type Disbelief,
  type Evidence,
  type LabelHint,
  type LabelHints,
  type Voice,
} from './evidence.js';
export { type Trust, TRUSTS } from './trust.js';
export { type Inference, inferRisk, type ToolWords } from './inference/infer.js';
export { isProvenRead, mayRetry, type Risk, riskOf, RISKS } from './risk.js';
export { explain } from './explain.js';

// By effect: the five endpoints, and finding the one where a tool belongs.
export {
  type Endpoint,
  ENDPOINT_TITLES,
  endpointHints,
  type EndpointOptions,
  ENDPOINTS,
  PRESET_ENDPOINTS,
  type UpdateOptions,
} from './endpoints.js';
export { type Confidence } from './confidence.js';
export { type Classification, type ClassifiedTool, classify } from './classify.js';

// Titles for people.
export { type TitleParts, toolTitle, withTitle } from './titles.js';

// The linter.
export { ANNOTATION_RULES } from './lint/annotation-rules.js';
export { lintAnnotations } from './lint/lint-annotations.js';
export type { ClientId, Finding, Flaw, LintedTool, Readers, Rule, Severity } from './lint/rule.js';
