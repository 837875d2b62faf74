/** What globs and a risk reach: which items they allow and deny, in all spellings of URIs. */

import { globMatcher, type Target } from '@callsign/core';
import { HINTS, type LabelHints, type Risk, riskOf, RISKS, SPEC_DEFAULTS } from '@callsign/effects';

import { foldedUri, normalGlob, uriForms, type UriForms } from './uri-forms.js';

interface ReachSettings {
  /** Globs on server:tool. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Default: every risk. */
  readonly maxRisk?: Risk;
}

/** What is allowed and denied. */
export interface Reach {
  readonly allows: (target: Target) => boolean;
  readonly denies: (target: Target) => boolean;
  /** Whether anything of the server of an item is allowed. */
  readonly reachesServer: (target: Target) => boolean;
}

/** Reads all spellings of URIs. */
export function reachOf({ allow, deny, maxRisk }: ReachSettings): Reach {
  const allowed = matcherOf(allow);
  const allowedUri = matcherOf([...allow, ...allow.map(normalGlob)]);
  const reached = matcherOf(allow.map(serverPart));
  const denied = matcherOf(deny);
  const deniedUri = matcherOf(deny.flatMap((glob) => [glob, foldedUri(normalGlob(glob))]));
  const highest = maxRisk === undefined ? RISKS.length : RISKS.indexOf(maxRisk);

  /** All spellings of a URI must be allowed. An allowed template allows the resources behind it. */
  const allowsItem = (target: Target): boolean => {
    const forms = formsOf(target);
    if (forms === 'none') return allowed(target.canonical);
    if (forms !== undefined && forms.exact.every(allowedUri)) return true;
    return target.template !== undefined && allowed(target.template.canonical);
  };
  /** One denied spelling of a URI is enough. A URI that cannot be read is denied. */
  const deniesItem = (target: Target): boolean => {
    const forms = formsOf(target);
    if (forms === 'none') return denied(target.canonical);
    if (forms === undefined || forms.exact.some(deniedUri) || forms.loose.some(deniedUri))
      return true;
    return target.template !== undefined && denied(target.template.canonical);
  };
  return {
    allows: (target) => allowsItem(target) && RISKS.indexOf(operatorsRisk(target)) <= highest,
    denies: deniesItem,
    reachesServer: ({ ref }) => reached(ref.server),
  };
}

/** The part of a glob that the key of a server must match. */
function serverPart(glob: string): string {
  return glob.split(':', 1)[0]!;
}

function matcherOf(globs: readonly string[]): (name: string) => boolean {
  const all = [...new Set(globs)].map(globMatcher);
  return (name) => all.some((matches) => matches(name));
}

/**
 * The spellings of a resource as `server:uri`. `none`: the item has no URI. `undefined`: no honest
 * client writes it.
 */
function formsOf({ kind, ref, canonical }: Target): UriForms | undefined | 'none' {
  if (kind !== 'resource' && kind !== 'template') return 'none';
  const forms = uriForms(ref.tool);
  const server = canonical.slice(0, canonical.length - ref.tool.length);
  return (
    forms && {
      exact: forms.exact.map((uri) => server + uri),
      loose: forms.loose.map((uri) => foldedUri(server) + uri),
    }
  );
}

/**
 * The risk by the operator's overrides for this tool, otherwise by the specification's defaults. A
 * server's claim must not widen access.
 */
export function operatorsRisk({ kind, risk, hints }: Target): Risk {
  // Prompts and resources can only be read, except with methods of unknown extensions.
  if (kind !== 'tool') return risk;
  const own = HINTS.map((hint) => {
    const isOwn = hints[hint].evidence.by === 'you';
    return [
      hint,
      isOwn ? hints[hint] : { value: SPEC_DEFAULTS[hint], evidence: { by: 'default' } },
    ];
  });
  return riskOf(Object.fromEntries(own) as LabelHints);
}
