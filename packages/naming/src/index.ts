// Identity: which tool of which server, and its one written form.
export {
  canonicalName,
  parseCanonicalName,
  serverKeyAdvice,
  serverKeyProblem,
} from './tool-ref.js';
export type { ParsedRef, ToolRef } from './tool-ref.js';

// The three errors of the convention.
export { malformedName, missingPrefix, toolNotFound } from './name-error.js';
export type { NameError, NameErrorKind } from './name-error.js';

// Patterns: values to a name and back.
export { compilePattern, namePattern } from './pattern.js';
export type { CompiledPattern, NamePattern } from './pattern.js';
export { ADAPTER_SCOPE, PREFIX_SCOPE, TOOL_SCOPE } from './pattern-scope.js';
export type {
  PatternOptions,
  PatternScope,
  PatternValues,
  PatternVariable,
} from './pattern-scope.js';
export type { PatternProblem, PatternProblemCode } from './pattern-problems.js';

// Words: keys and tool names for programs and for people, and how far apart two are.
export { editDistance } from './edit-distance.js';
export { wordsBeyondKey } from './repeated-key.js';
export { displayName, snakeCase, titleCase, wordsOf } from './words.js';

// Clients: what each accepts, and which one is calling.
export { createNameCheck, DEFAULT_CLIENT_KEY, nameRoom } from './client-profile.js';
export type { ClientProfile, NameFault } from './client-profile.js';
export { CANONICAL, CLIENT_PRODUCTS, IDENTITY, profileById, PROFILES } from './client-profiles.js';
export type { ProfileId } from './client-profiles.js';
export { createOwnProfile } from './own-profile.js';
export type { CheckedProfile, OwnProfile, OwnProfileProblem } from './own-profile.js';
export { createProfileSet } from './profile-set.js';
export type { ProfileSet, ProfileSetOptions } from './profile-set.js';
export { profileForClient } from './announced-client.js';
export type { AnnouncedClient } from './announced-client.js';

// Rendering: exact, marked or hashed, and back.
export { createRenderer, createToolRenderer, profilePattern } from './renderer.js';
export type {
  ChangeReason,
  NameForm,
  RenderedName,
  Renderer,
  RendererOptions,
} from './renderer.js';
export { createNameReader } from './name-reader.js';
export { createFormerNames } from './former-name.js';

// Tables: many tools under one client's rules.
export { createNameTable } from './name-table.js';
export type { NameTable } from './name-table.js';
export type { FoundTool, NamedTool, NameTableOptions } from './named-tool.js';
export type { NameProblem, NameProblemCode } from './name-problems.js';

// Lint: what is wrong with the names of a server.
export { lintNames } from './lint/lint-names.js';
export type { LintNamesOptions } from './lint/lint-names.js';
export { NAME_RULES } from './lint/name-rules.js';
export type { NameRule } from './lint/name-rules.js';
export type { Finding, LintedName, Severity } from './lint/finding.js';
