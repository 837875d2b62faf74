// The one noun, and what it says.
export { byKind, KINDS } from './kind.js';
export type { Kind } from './kind.js';
export { NOTHING } from './source.js';
export type { Route } from './route.js';
export type { Item } from './item.js';
export type { Ability, Catalogue, Offer, Source, SourceEvent, Unsubscribe } from './source.js';

// A call and what comes back.
export { Call } from './call.js';
export type { CallChanges, CallOptions, CallSpans } from './call.js';
export { CallContext } from './call-context.js';
export type { CancelListener, ModuleVerdict, Pulse, Verdict } from './call-context.js';
export type { Caller, Era, Principal } from './caller.js';
export type { Target } from './target.js';
export type { Clock } from './clock.js';
export { InFlight } from './in-flight.js';
export { resultOf, withMeta } from './reply.js';
export type { Question, Reply } from './reply.js';

// What stands in between.
export { intercept } from './interceptor.js';
export type { Interceptor, Next } from './interceptor.js';

// How behaviour is added.
export type {
  Decision,
  HttpPage,
  Module,
  ModuleContext,
  Parts,
  ServerInfo,
  SettingsIssue,
  SettingsSchema,
} from './module.js';

// Many as one, and one as a client sees it.
export { Hub, hub } from './hub.js';
export type { HubOptions } from './hub.js';
export type { Label } from './create-entry.js';
export type { Entry } from './entry.js';
export { View, view } from './view.js';
export type { ViewOptions } from './view.js';

// Our own failures.
export { HOUSE_ERRORS, HouseError } from './house-error.js';
export type { HouseErrorCode } from './house-error.js';

// JSON that stays text.
export { JsonScan, NO_MORE, NOWHERE } from './json-scan.js';
export { elementsOf, memberText, membersOf, withMembers } from './json-text.js';
export type { Range } from './json-text.js';

// Patterns over names.
export { globMatcher } from './glob.js';
export { createLog } from './log.js';
export type { Log, LogLevel } from './log.js';
export { observe } from './observer.js';
export type { EndedCall, Observer } from './observer.js';
export { visibleLetters, visibleLine, visibleText } from './visible-text.js';
export { outcomeOfError, outcomeOfReply } from './outcome.js';
export type { Outcome } from './outcome.js';

// Arguments as people and records may see them.
export { redactArguments } from './redact/redact-arguments.js';
export type { RedactOptions } from './redact/redact-arguments.js';
