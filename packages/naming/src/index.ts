// Identity: which tool of which server, and its one written form.
export {
  canonicalName,
  configuredKeyProblem,
  OWN_SERVER_KEY,
  parseCanonicalName,
  serverKeyAdvice,
  serverKeyProblem,
} from './identity/tool-ref.js';
export type { ParsedRef, ToolRef } from './identity/tool-ref.js';

// The three errors of the convention.
export { malformedName, missingPrefix, toolNotFound } from './identity/name-error.js';
export type { NameError, NameErrorKind } from './identity/name-error.js';

// Patterns: values to a name and back.
export { compilePattern, namePattern } from './pattern/pattern.js';
export type { CompiledPattern, NamePattern } from './pattern/pattern.js';
export { ADAPTER_SCOPE, PREFIX_SCOPE, TOOL_SCOPE } from './pattern/pattern-scope.js';
export type {
  PatternOptions,
  PatternScope,
  PatternValues,
  PatternVariable,
} from './pattern/pattern-scope.js';
export type { PatternProblem, PatternProblemCode } from './pattern/pattern-problems.js';

// Words: keys and tool names for programs and for people, the distance between two words, and cutting texts fairly.
export { editDistance } from './words/edit-distance.js';
export { fairShares } from './words/fair-shares.js';
export { wordsBeyondKey } from './render/repeated-key.js';
export { displayName, lowerWords, snakeCase, titleCase, wordsOf } from './words/words.js';

// Clients: what each accepts, and which one is calling.
export { createNameCheck, DEFAULT_CLIENT_KEY, maxNameLength } from './profile/client-profile.js';
export type { ClientProfile, NameFault } from './profile/client-profile.js';
export {
  CANONICAL,
  CLIENT_PRODUCTS,
  IDENTITY,
  profileById,
  PROFILES,
} from './profile/client-profiles.js';
export type { ProfileId } from './profile/client-profiles.js';
export { createOwnProfile } from './profile/own-profile.js';
export type { CheckedProfile, OwnProfile, OwnProfileProblem } from './profile/own-profile.js';
export { createProfileSet } from './profile/profile-set.js';
export type { ProfileSet, ProfileSetOptions } from './profile/profile-set.js';
export { profileForClient } from './profile/announced-client.js';
export type { AnnouncedClient } from './profile/announced-client.js';

// Rendering: exact, marked or hashed, and back.
export { createRenderer, createToolRenderer } from './render/renderer.js';
export type {
  ChangeReason,
  NameForm,
  RenderedName,
  Renderer,
  RendererOptions,
} from './render/renderer.js';
export { createNameReader } from './render/name-reader.js';
export { createFormerNames, createFormerReader } from './render/former-name.js';

// Tables: many tools under one client's rules.
export { finished } from './table/finished.js';
export { buildNameTable, createNameTable } from './table/name-table.js';
export type { NameTable } from './table/name-table.js';
export type { FoundTool, NamedTool, NameTableOptions } from './render/named-tool.js';
export type { NameProblem, NameProblemCode } from './table/name-problems.js';

// Lint: what is wrong with the names of a server.
export { lintNames } from './lint/lint-names.js';
export type { LintNamesOptions } from './lint/lint-names.js';
export { NAME_RULES } from './lint/name-rules.js';
export type { LintedNames } from './lint/name-rules.js';

// Names that look alike.
export { hasInvisible, latinLetters, skeleton } from './words/confusables.js';

// The lint engine.
export type { Finding, Flaw, Readers, Rule, Severity } from './lint/rule.js';
export { runRules } from './lint/run-rules.js';
