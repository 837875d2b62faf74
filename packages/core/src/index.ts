// Source: the central interface.
export { byKind, KINDS } from './call/kind.js';
export type { Kind } from './call/kind.js';
export { NOTHING } from './source/source.js';
export { changedSource } from './source/changed-source.js';
export { Listeners } from './source/listeners.js';
export type { Route } from './call/route.js';
export type { Item } from './call/item.js';
export type {
  Ability,
  Catalogue,
  Offer,
  Outline,
  ServerInstructions,
  ServerSkill,
  Source,
  SourceEvent,
  Unsubscribe,
  WholeCatalogue,
  Withheld,
} from './source/source.js';

// What servers offer: definitions, pages and skills.
export { definitionFault } from './call/definition-fault.js';
export { ItemFaults } from './call/item-faults.js';
export { taskSupportOf } from './call/task-support.js';
export { pagesOf } from './source/app-pages.js';
export { SKILL_SCHEME, urisOfSkill } from './source/skills.js';

// How many tokens a model reads.
export { estimateTokens, tokensOfLength } from './tokens/estimate-tokens.js';
export { listTokens, toolTokens } from './tokens/tool-tokens.js';

// Calls and replies.
export { Call, spansIn } from './call/call.js';
export type { CallChanges, CallOptions, CallSpans } from './call/call.js';
export { CallContext } from './call/call-context.js';
export type {
  CallingScript,
  CancelListener,
  Intent,
  ModuleVerdict,
  CallTimer,
  Verdict,
} from './call/call-context.js';
export { setsOf } from './call/caller.js';
export type { Caller, ClientConnection, Era, Principal } from './call/caller.js';
export type { Sight } from './call/sight.js';
export type { Target } from './call/target.js';
export { isKnownMethod, namesResource } from './call/known-method.js';
export { resultOf, toolErrorOf, withMeta } from './call/reply.js';
export type { Question, Reply } from './call/reply.js';
export { isFailure, outcomeOfError, outcomeOfReply } from './call/outcome.js';
export type { Outcome } from './call/outcome.js';

// Our own errors.
export { CALLSIGN_ERRORS, CallsignError } from './call/callsign-error.js';
export type { CallsignErrorCode } from './call/callsign-error.js';

// Interceptors and observers.
export { intercept } from './source/interceptor.js';
export type { Interceptor, Next } from './source/interceptor.js';
export { observe } from './source/observer.js';
export type { EndedCall, Observer } from './source/observer.js';

// Modules.
export type {
  Decision,
  HttpPage,
  Module,
  ModuleContext,
  Parts,
  ServerInfo,
  SettingsIssue,
  SettingsSchema,
} from './source/module.js';

// Hub and view.
export { MAX_INSTRUCTIONS } from './hub/merge-instructions.js';
export { Hub, hub } from './hub/hub.js';
export type { HubOptions } from './hub/entry-maker.js';
export { createEntry } from './source/create-entry.js';
export type { Label } from './source/create-entry.js';
export type { Entry } from './source/entry.js';
export { NAMES_META, announcedNames, withNames } from './source/announced-names.js';
export { resourceOf } from './hub/resource-index.js';
export { View, view } from './hub/view.js';
export type { ViewOptions } from './hub/view-options.js';

// JSON that stays text.
export { isObject } from './json/is-object.js';
export { memberOf, valueAt } from './json/member-of.js';
export { JsonScan, MAX_DEPTH, MAX_MEMBERS, NO_MORE, NOWHERE } from './json/json-scan.js';
export { endsIn, listIn, LONG_JSON } from './json/long-json.js';
export type { LongList, Slices } from './json/long-json.js';
export {
  elementsOf,
  hasOnce,
  memberText,
  membersOf,
  withMembers,
  withoutMembers,
} from './json/json-text.js';
export { withoutDeepElements } from './json/deep-elements.js';
export type { Range } from './json/json-text.js';

// Time, and the log.
export { type Clock, within } from './call/clock.js';
export { createLog } from './call/log.js';
export type { Log, LogLevel } from './call/log.js';

// Text: patterns over names, and text from others that is safe to show.
export { globMatcher } from './text/glob.js';
export { quoted } from './text/quoted.js';
export { escapeHidden, visibleLetters, visibleLine, visibleText } from './text/visible-text.js';
export { withoutBom } from './text/without-bom.js';

// Redacted arguments for people and records.
export { redactArguments, showArguments } from './redact/redact-arguments.js';
export type { RedactOptions, ShownArguments } from './redact/redact-arguments.js';
export type { HiddenPart } from './redact/hidden-parts.js';
export { notShown } from './redact/not-shown.js';
