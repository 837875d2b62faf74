/**
 * Renders a tool's identity as a name within a client's rules. The name depends on the identity, the
 * rules and the keys of the servers, so it never changes when other tools come or go.
 */

import { createNameCheck, maxNameLength } from '../profile/client-profile.js';
import type { ClientProfile, NameFault } from '../profile/client-profile.js';
import { endsInFingerprint } from '../identity/fingerprint.js';
import { createHashedNames } from './hashed-name.js';
import { createNameParser, type NameParser } from './name-parser.js';
import { namePattern, type NamePattern } from '../pattern/pattern.js';
import { TOOL_SCOPE, type PatternScope, type PatternValues } from '../pattern/pattern-scope.js';
import { ownsName, repeatsKey } from './repeated-key.js';
import { endsInReversibleMark, markBetween, writeMark } from './reversible-mark.js';
import type { ReversibleMark } from './reversible-mark.js';
import { canonicalName, type ToolRef } from '../identity/tool-ref.js';

/**
 * Why a name is not exact: a rule of the client; or the name could not be read back (`ambiguous`);
 * or it would look like a marked or hashed name (`looks-marked`).
 */
export type ChangeReason = NameFault | 'ambiguous' | 'looks-marked';

/**
 * `exact`: unchanged. `marked`: only `-` and `.` became `_`, and a mark at the end says which.
 * `hashed`: something was lost, so a fingerprint of the identity is part of the name.
 */
export type NameForm = 'exact' | 'marked' | 'hashed';

/** A name and how it was made. */
export interface RenderedName {
  readonly name: string;
  readonly form: NameForm;
  /** Whether the name is unchanged: no mark, no fingerprint. */
  readonly exact: boolean;
  /** Empty for an exact name. */
  readonly reasons: readonly ChangeReason[];
}

/** For which client names are made, and by which pattern. */
export interface RendererOptions {
  readonly profile: ClientProfile;
  /** Default: `{server}` and `{tool}` around the profile's separator. */
  readonly pattern?: NamePattern;
  /**
   * The keys of all servers. With them, a tool that already carries its server's key is shown by
   * its own name.
   */
  readonly keys?: readonly string[];
  /** Our key in the client's configuration, for clients that count it as part of a name. */
  readonly clientKey?: string;
}

/** Renders values. A hashed name has the fingerprint of `identity`. */
export type Renderer = (values: PatternValues, identity: string) => RenderedName;

const UNCHANGED: readonly ChangeReason[] = [];
const IDENTITY_SCOPE: PatternScope = { variables: { tool: { required: true } } };

/** The pattern that a profile implies. */
export function profilePattern({ separator }: ClientProfile): NamePattern {
  return separator === null
    ? namePattern('{tool}', { scope: IDENTITY_SCOPE })
    : namePattern(`{server}${separator}{tool}`, { scope: TOOL_SCOPE });
}

/** Throws if the client's prefix leaves too little space for names. */
export function createRenderer(options: RendererOptions): Renderer {
  const { profile, clientKey } = options;
  const pattern = options.pattern ?? profilePattern(profile);
  const maxLength = maxNameLength(profile, clientKey);
  const nameFaults = createNameCheck(profile, maxLength);
  const hashed = createHashedNames({ profile, pattern, maxLength });
  const parse = createNameParser(pattern, leavesOutKeys(options));
  const flatten = createFlattener(profile);

  const { keys = [] } = options;

  return function render(values, identity) {
    const formatted = pattern.format(values);
    // Every identity is exact here, so there are no marked names that an exact name could equal.
    if (takesAll(options)) return exactName(formatted);
    const { server = '', tool = '' } = values;
    const isOwn = leavesOutKeys(options) && ownsName({ server, tool }, keys);
    if (isOwn && isUnmarked(tool) && nameFaults(tool).length === 0) return exactName(tool);
    // Without the keys of all servers, and for a mark, the key must be readable from the name alone.
    const isShort =
      leavesOutKeys(options) && (isOwn || keys.length === 0) && repeatsKey({ server, tool });
    const text = isShort ? tool : formatted;
    const stem = flatten(text);
    const reasons: ChangeReason[] = nameFaults(text);
    if (!parse.splitsInto(values, text)) reasons.push('ambiguous');
    if (!isUnmarked(text)) reasons.push('looks-marked');
    if (reasons.length === 0) return exactName(text);
    if (nameFaults(stem).length === 0) {
      const marked = markedName(text, stem, values, parse);
      if (marked !== undefined && marked.length <= maxLength) {
        return { name: marked, form: 'marked', exact: false, reasons };
      }
      if (marked !== undefined) reasons.push('length');
    }
    return { name: hashed(values, identity), form: 'hashed', exact: false, reasons };
  };
}

/** A renderer of tools by their identity. */
export function createToolRenderer(options: RendererOptions): (ref: ToolRef) => RenderedName {
  const render = createRenderer(options);
  return function renderTool(ref) {
    return render({ server: ref.server, tool: ref.tool }, canonicalName(ref));
  };
}

function isUnmarked(text: string): boolean {
  return !endsInReversibleMark(text) && !endsInFingerprint(text);
}

function exactName(name: string): RenderedName {
  return { name, form: 'exact', exact: true, reasons: UNCHANGED };
}

/** Whether every valid identity is accepted unchanged, as in the canonical form. */
export function takesAll({ profile, pattern }: RendererOptions): boolean {
  return pattern === undefined && profile.characters === null && profile.maxLength === Infinity;
}

/**
 * Whether a repeated key is left out. Only where `__` separates key and tool: then a name without
 * `__` can only be a tool's own name (see repeated-key.ts).
 */
export function leavesOutKeys({ profile, pattern }: RendererOptions): boolean {
  return pattern === undefined && profile.separator === '__';
}

/** The stem with the shortest mark that can be read back. `undefined`: no mark can. */
function markedName(
  text: string,
  stem: string,
  values: PatternValues,
  parse: NameParser,
): string | undefined {
  for (const mark of possibleMarks(markBetween(text, stem), parse.firstLength(values))) {
    const name = stem + writeMark(mark);
    if (parse.readsAs(values, name)) return name;
  }
  return undefined;
}

/** From short to long. */
function* possibleMarks(
  mark: ReversibleMark,
  firstLength: number | undefined,
): Generator<ReversibleMark> {
  const { hyphens, dots } = mark;
  if (hyphens.length > 0 && dots.length === 0) yield { every: '-', hyphens: [], dots: [] };
  if (dots.length > 0 && hyphens.length === 0) yield { every: '.', hyphens: [], dots: [] };
  yield mark;
  if (firstLength !== undefined) yield { ...mark, firstLength };
}

/** Replaces by `_` the hyphens and dots that a client does not accept. */
function createFlattener({ characters }: ClientProfile): (text: string) => string {
  const refused = ['-', '.'].filter((c) => characters !== null && !characters.includes(c));
  if (refused.length === 0) return (text) => text;
  const pattern = new RegExp(`[${refused.join('')}]`, 'g');
  return (text) => text.replace(pattern, '_');
}
