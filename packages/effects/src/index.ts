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

// Labels: which source counts, and what follows from it.
export {
  type Contradiction,
  type Label,
  type LabelledTool,
  labelTool,
  type ObservedEffect,
} from './label/label.js';
export {
  type Disbelief,
  type Evidence,
  type LabelHint,
  type LabelHints,
  type Voice,
} from './hints/evidence.js';
export { type Trust, TRUSTS } from './hints/trust.js';
export { isProvenRead, mayRetry, type Risk, riskOf, RISKS } from './hints/risk.js';
export { explain, explainEffect } from './label/explain.js';
export { type Ground, groundOf, reasonFor } from './label/reason.js';
export { countLabels, type ServerLabels } from './label/label-counts.js';

// By effect: the five endpoints, and finding the endpoint of a tool.
export {
  type Effect,
  EFFECT_ENDPOINTS,
  type Endpoint,
  ENDPOINT_TITLES,
  endpointHints,
  type EndpointOptions,
  ENDPOINTS,
  PRESET_ENDPOINTS,
  type UpdateOptions,
} from './hints/endpoints.js';
export {
  type Classification,
  type ClassifiedTool,
  classify,
  type Confidence,
} from './endpoint/classify.js';

// The judge: what an operation does, by all that is known of it.
export type { Evidence as JudgedFact } from './judge/evidence.js';
export { judge, type Judgement, type Operation } from './judge/judge.js';
export { overridesMethod, type Parameter } from './judge/parameters.js';
export { type Certainty, isVerb } from './judge/verbs.js';

// Titles for people.
export { type TitleParts, toolTitle, withTitle } from './label/titles.js';

// The linter.
export { ANNOTATION_RULES } from './lint/annotation-rules.js';
export { hiddenSpelledOut } from './lint/invisible-text-rule.js';
export { lintAnnotations } from './lint/lint-annotations.js';
export type { AnnotationRule, LintedTool } from './lint/rule.js';
