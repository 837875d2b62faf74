/**
 * Finds deceptive tools. By name: invisible characters, or letters that look like the name of
 * another server's tool. By text: orders to the model or about the tools of other servers, or hidden
 * characters.
 */

import { setImmediate } from 'node:timers/promises';

import { type Item, type Slices, visibleLetters } from '@callsign/core';
import {
  ANNOTATION_RULES,
  type AnnotationRule,
  type LintedTool,
  type Trust,
} from '@callsign/effects';
import { canonicalName, type Flaw, hasInvisible, skeleton } from '@callsign/naming';

/** A tool with the facts that decide which of two look-alikes is genuine. */
export interface KnownTool {
  readonly server: string;
  readonly tool: string;
  readonly trust: Trust;
  /** It is in the lock file. */
  readonly isAccepted: boolean;
  /** The place of its server in the configuration. */
  readonly rank: number;
}

/** Canonical name → why the tool is suspect. */
export type Suspicions = ReadonlyMap<string, string>;

/**
 * Of several look-alikes the genuine one is not suspect: accepted tools come first, then trusted
 * servers, then plain letters, then the order of the configuration. The order in which servers
 * start does not matter. Within one server plain letters do not deceive, and names that differ only
 * in case or a hyphen are never suspect.
 */
export function suspiciousNames(tools: readonly KnownTool[]): Suspicions {
  const found = new Map<string, string>();
  const byName = groups(tools, ({ tool }) => tool);
  for (const group of lookalikes([...byName.keys()])) {
    const ranked = group.flatMap((name) => byName.get(name) ?? []).toSorted(byGenuineness);
    const before = new MoreGenuine();
    for (const suspect of ranked) {
      const genuine = before.lookalikeOf(suspect);
      before.add(suspect);
      if (!genuine) continue;
      found.set(
        canonicalOf(suspect),
        `its name looks like ${visibleLetters(canonicalOf(genuine))}`,
      );
    }
  }
  for (const name of [...byName.keys()].filter(hasInvisible)) {
    for (const tool of byName.get(name) ?? []) {
      found.set(canonicalOf(tool), 'its name contains characters that cannot be seen');
    }
  }
  return found;
}

const HIDDEN_TEXT = ruleOf('text-invisible');
const ORDERS = ruleOf('description-addresses-model');

/** How long calls may wait for the reading of texts, in milliseconds. */
const SLICE_MS = 5;

/** Reports only what the linter reports as an error. Lets calls run in between. */
export async function suspiciousTexts(
  servers: ReadonlyMap<string, readonly Item[]>,
): Promise<Suspicions> {
  const found = new Map<string, string>();
  const byWord = toolsByWord(servers);
  let since = -Infinity;
  for (const [server, items] of servers) {
    const own = new Set(items.map(({ name }) => name.toLowerCase()));
    for (const item of items) {
      if (performance.now() - since > SLICE_MS) {
        await setImmediate();
        since = performance.now();
      }
      const tool = lintedOf(server, item);
      const flaws = [
        ...ordersIn(tool, mentioned(item.json, byWord, server, own)),
        ...HIDDEN_TEXT.check([tool]),
      ];
      for (const { message, severity = 'error' } of flaws) {
        if (severity === 'error') found.set(tool.name, visibleLetters(message));
      }
    }
  }
  return found;
}

/**
 * Orders to the model, and orders about tools of other servers. The tool is read without the other
 * tools of its server, because a server may give guidance about them.
 */
function ordersIn(tool: LintedTool, others: readonly LintedTool[]): readonly Flaw[] {
  const own = ORDERS.check([tool]);
  if (others.length === 0) return own;
  const messages = new Set(own.map(({ message }) => message));
  const about = ORDERS.check([tool, ...others]).filter(({ message }) => !messages.has(message));
  return [...own, ...about];
}

/** A tool that a text may mention. */
interface Mentionable {
  readonly server: string;
  /** Its name without its server, in lower case. */
  readonly bare: string;
  readonly tool: LintedTool;
}

/** All tools, by the words that mean them: the whole name, the bare name and its last part. */
function toolsByWord(
  servers: ReadonlyMap<string, readonly Item[]>,
): ReadonlyMap<string, readonly Mentionable[]> {
  const byWord = new Map<string, Mentionable[]>();
  for (const [server, items] of servers) {
    for (const item of items) {
      const name = canonicalName({ server, tool: item.name });
      const bare = item.name.toLowerCase();
      const mentionable = { server, bare, tool: { name } };
      const words = [name.toLowerCase(), bare, ...bare.split(/[./:]|__/).slice(-1)];
      for (const word of new Set(words)) {
        const same = byWord.get(word);
        if (same) same.push(mentionable);
        else byWord.set(word, [mentionable]);
      }
    }
  }
  return byWord;
}

/** Tools of other servers whose names occur in a definition. Nearly always none. */
function mentioned(
  json: string,
  byWord: ReturnType<typeof toolsByWord>,
  server: string,
  own: ReadonlySet<string>,
): LintedTool[] {
  const words = new Set<string>();
  for (const [word] of json.toLowerCase().matchAll(/\w[\w./:-]*/g)) {
    if (byWord.has(word)) words.add(word);
  }
  const tools = Array.from(words, (word) =>
    byWord.get(word)!.filter((other) => {
      const isWhole = word === other.tool.name.toLowerCase();
      // If the server has a tool of the same name, its own tool is meant.
      return other.server !== server && (isWhole || !own.has(other.bare));
    }),
  ).flat();
  return [...new Set(tools.map(({ tool }) => tool))];
}

function ruleOf(id: string): AnnotationRule {
  const rule = ANNOTATION_RULES.find((each) => each.id === id);
  if (!rule) throw new RangeError(`no lint rule is called ${id}`);
  return rule;
}

function lintedOf(server: string, { name, json }: Item): LintedTool {
  const value: unknown = JSON.parse(json);
  const fields = typeof value === 'object' && value !== null ? value : {};
  return { ...fields, name: canonicalName({ server, tool: name }) };
}

function canonicalOf({ server, tool }: KnownTool): string {
  return canonicalName({ server, tool });
}

/** Groups of different names that look the same. */
function lookalikes(names: readonly string[]): readonly (readonly string[])[] {
  return [...groups(names, skeletonOf).values()].filter(
    (alike) => alike.length > 1 && new Set(alike.map((name) => name.toLowerCase())).size > 1,
  );
}

/** Cached: the names of all servers are compared whenever one of them changes. */
const skeletons = new Map<string, string>();
const MAX_SKELETONS = 20_000;

/** Reads names in slices, so that `suspiciousNames` is quick with them. */
export function* prepareNames(tools: readonly Item[]): Slices<void> {
  for (const { name } of tools) {
    skeletonOf(name);
    yield;
  }
}

function skeletonOf(name: string): string {
  let found = skeletons.get(name);
  if (found === undefined) {
    if (skeletons.size >= MAX_SKELETONS) skeletons.clear();
    skeletons.set(name, (found = skeleton(name)));
  }
  return found;
}

/**
 * The tools of a group that are more genuine than the next one. A server may offer thousands of
 * look-alikes, so only the first of each server is kept, and the first in another spelling.
 */
class MoreGenuine {
  readonly #byServer = new Map<string, Spelled[]>();
  #count = 0;

  add(tool: KnownTool): void {
    const { server } = tool;
    const kept = this.#byServer.get(server) ?? [];
    const place = this.#count++;
    if (kept.length === 2) return;
    const spelled = { tool, spelling: spelling(tool.tool), place };
    if (kept[0]?.spelling !== spelled.spelling) this.#byServer.set(server, [...kept, spelled]);
  }

  /**
   * The most genuine tool that the suspect imitates. Within one server only letters of another
   * script deceive: `l1` and `ll` may be two honest tools.
   */
  lookalikeOf({ server, tool }: KnownTool): KnownTool | undefined {
    const isForeign = /[^\p{ASCII}]/u.test(tool);
    const own = spelling(tool);
    let first: Spelled | undefined;
    for (const [key, kept] of this.#byServer) {
      const other = kept.find((each) => each.spelling !== own);
      if (!other || (key === server && !isForeign)) continue;
      if (!first || other.place < first.place) first = other;
    }
    return first?.tool;
  }
}

interface Spelled {
  readonly tool: KnownTool;
  readonly spelling: string;
  /** How many tools of the group are more genuine. */
  readonly place: number;
}

/** Equal for names that differ only in case, in a separator, or in the encoding of accents. */
function spelling(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[-. /_]+/g, '_');
}

function byGenuineness(a: KnownTool, b: KnownTool): number {
  return (
    Number(b.isAccepted) - Number(a.isAccepted) ||
    Number(b.trust === 'full') - Number(a.trust === 'full') ||
    oddness(a.tool) - oddness(b.tool) ||
    a.rank - b.rank
  );
}

/**
 * Letters of another script are odder than a digit among letters, and that is odder than plain
 * letters.
 */
function oddness(name: string): number {
  if (/[^\x20-\x7e]/.test(name)) return 2;
  return /[a-z][01]+[a-z]/i.test(name) ? 1 : 0;
}

function groups<T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> {
  const grouped = new Map<string, T[]>();
  for (const value of values) {
    const shared = key(value);
    const group = grouped.get(shared);
    if (group) group.push(value);
    else grouped.set(shared, [value]);
  }
  return grouped;
}
