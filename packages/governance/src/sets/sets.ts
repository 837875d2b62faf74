/** Sets: which items are in them. A set narrows what roles allow; it never adds to it. */

import { globMatcher, type Target } from '@callsign/core';
import { OWN_SERVER_KEY } from '@callsign/naming';

import { reachOf } from '../reach/reach.js';
import { LABEL_WORDS, type LabelWord, type SetsSettings, type ToolSet } from './sets-settings.js';

/** The compiled sets of a configuration. */
export interface Sets {
  /** In the order of the file. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Whether an item is in a set. Nothing is in a set that does not exist. */
  contains(name: string, target: Target): boolean;
  /** The first of these sets without the item; `undefined`: it is in each of them. */
  without(names: readonly string[], target: Target): string | undefined;
}

/** Whether an item is in a set, and a clause that says why. */
export interface SetVerdict {
  readonly isIn: boolean;
  readonly because: string;
}

export function createSets(settings: SetsSettings = {}): Sets {
  const all = new Map(Object.entries(settings).map(([name, set]) => [name, cached(judgeOf(set))]));
  const contains: Sets['contains'] = (name, target) => all.get(name)?.(target).isIn === true;
  return {
    names: [...all.keys()],
    has: (name) => all.has(name),
    contains,
    without: (names, target) => names.find((name) => !contains(name, target)),
  };
}

/** The tools of a list that are in a set. */
export function toolsIn<T extends Target>(set: ToolSet, tools: Iterable<T>): T[] {
  const judge = judgeOf(set);
  return [...tools].filter((target) => judge(target).isIn);
}

/** Whether an item is in a set, and why, for people. */
export function judgeSet(set: ToolSet, target: Target): SetVerdict {
  return judgeOf(set)(target);
}

/** The words of a label that sets can name. Prompts and resources only have a risk. */
export function labelWords({ risk, hints: { destructiveHint } }: Target): readonly LabelWord[] {
  const { evidence } = destructiveHint;
  const sends = evidence.by === 'words' && evidence.effect === 'sends';
  return LABEL_WORDS.filter((word) => word === risk || (word === 'sends' && sends));
}

type Judge = (target: Target) => SetVerdict;

/** Targets never change: a tool whose label changes gets another one. */
function cached(judge: Judge): Judge {
  const known = new WeakMap<Target, SetVerdict>();
  return (target) => {
    const verdict = known.get(target) ?? judge(target);
    known.set(target, verdict);
    return verdict;
  };
}

function judgeOf({ servers, tools, exclude, labels }: ToolSet): Judge {
  const whole = new Set(servers);
  const selecting = (tools ?? []).map(globOf);
  const named = (tools ?? []).flatMap(serverPart).map(globMatcher);
  const excluding = exclude.map((glob) => ({ glob, ...reachOf({ allow: [], deny: [glob] }) }));
  const isOpen = servers === undefined && tools === undefined;

  /** Which part of the set selects it; `undefined`: none. */
  const selectedBy = ({ kind, ref, canonical, isSignIn }: Target): string | undefined => {
    if (ref.server === OWN_SERVER_KEY) return 'it is a tool of the gateway itself';
    if (isOpen) return 'the set names no servers and no tools, so it takes all';
    if (whole.has(ref.server)) return `"servers" has ${ref.server}`;
    const glob = selecting.find(({ matches }) => matches(canonical))?.glob;
    if (glob !== undefined) return `"tools" has ${glob}`;
    // What else a server offers belongs to its tools.
    const isOfServer =
      (kind !== 'tool' || isSignIn === true) && named.some((matches) => matches(ref.server));
    return isOfServer ? `"tools" has tools of ${ref.server}` : undefined;
  };

  return (target) => {
    // The tools behind a view are selected one by one.
    if (target.isView === true) return { isIn: true, because: 'it shows the tools of the set' };
    const by = selectedBy(target);
    if (by === undefined)
      return { isIn: false, because: 'neither "servers" nor "tools" selects it' };
    const against = excluding.find(({ denies }) => denies(target));
    if (against) return { isIn: false, because: `"exclude" has ${against.glob}` };
    // Long results are read on in every set.
    const isOwnRead = target.ref.server === OWN_SERVER_KEY && target.risk === 'read';
    if (labels === undefined || isOwnRead) return { isIn: true, because: by };
    const words = labelWords(target);
    const isIn = words.some((word) => labels.includes(word));
    const label = `its label is ${words.join(', ')}`;
    return {
      isIn,
      because: isIn ? `${by}, and ${label}` : `${label}, and "labels" has ${labels.join(', ')}`,
    };
  };
}

const globOf = (glob: string): { glob: string; matches: (name: string) => boolean } => ({
  glob,
  matches: globMatcher(glob),
});

/** The part of a glob on `server:tool` that stands for the server, if it has one. */
function serverPart(glob: string): string | [] {
  const colon = glob.indexOf(':');
  if (colon !== -1) return glob.slice(0, colon);
  // Without a colon, only a star can reach over it.
  const star = glob.indexOf('*');
  return star === -1 ? [] : glob.slice(0, star + 1);
}
