/**
 * Deceptive tools. By name: invisible characters, or another server's name in letters that look the same.
 * By text: orders to the model, orders about the tools of other servers, or hidden characters.
 */

import { setImmediate } from 'node:timers/promises';

import {
  ANNOTATION_RULES,
  type AnnotationRule,
  type LintedTool,
  type Trust,
} from '@callsign/annotations';
import { type Item, visibleLetters } from '@callsign/core';
import type { Flaw } from '@callsign/lint';
import { canonicalName, hasInvisible, skeleton } from '@callsign/naming';

/** A tool, with the facts that decide which of two look-alikes is genuine. */
export interface KnownTool {
  readonly server: string;
  readonly tool: string;
  readonly trust: Trust;
  /** A person has accepted it. */
  readonly isAccepted: boolean;
  /** The place of its server in the configuration. */
  readonly rank: number;
}

/** Why a tool is suspect, by its canonical name. */
export type Suspicions = ReadonlyMap<string, string>;

/**
 * Of several look-alikes the genuine one stays: accepted tools come first, then trusted servers, plain
 * letters, and the order of the configuration. The order in which servers start does not matter. Within one
 * server plain letters do not deceive, and names that differ only in case or a hyphen are not suspect.
 */
export function suspiciousNames(tools: readonly KnownTool[]): Suspicions {
  const found = new Map<string, string>();
  const byName = groups(tools, ({ tool }) => tool);
  for (const group of lookalikes([...byName.keys()])) {
    const ranked = group.flatMap((name) => byName.get(name) ?? []).toSorted(byGenuineness);
    for (const [i, suspect] of ranked.entries()) {
      const genuine = ranked
        .slice(0, i)
        .find((other) => isElsewhere(other, suspect) && !isSpelledAlike(other, suspect));
      if (!genuine) continue;
      found.set(
        canonicalOf(suspect),
        `its name looks like ${visibleLetters(canonicalOf(genuine))}`,
      );
    }
  }
  for (const name of [...byName.keys()].filter(hasInvisible)) {
    for (const tool of byName.get(name) ?? []) {
      found.set(canonicalOf(tool), 'its name holds characters that cannot be seen');
    }
  }
  return found;
}

const HIDDEN_TEXT = ruleOf('text-invisible');
const ORDERS = ruleOf('description-addresses-model');

/** Reports only what the linter is certain of. Works server by server and lets calls run in between. */
export async function suspiciousTexts(
  servers: ReadonlyMap<string, readonly Item[]>,
): Promise<Suspicions> {
  const found = new Map<string, string>();
  const names = Array.from(servers, ([server, items]) => ({
    server,
    tools: items.map(({ name }) => ({ name: canonicalName({ server, tool: name }) })),
  }));
  for (const [server, items] of servers) {
    await setImmediate();
    const tools = items.map((item) => lintedOf(server, item));
    const others = names.flatMap((each) => (each.server === server ? [] : each.tools));
    const flaws = [
      ...(await ordersToModel(tools)),
      ...ordersAbout(mentioned(others, items), tools),
      ...HIDDEN_TEXT.check(tools),
    ];
    for (const { tool, message, severity = 'error' } of flaws) {
      if (severity === 'error') found.set(tool, visibleLetters(message));
    }
  }
  return found;
}

/** How long calls may wait for the reading of texts, in milliseconds. */
const SLICE_MS = 5;

/** Each tool is read by itself, so that guidance about other tools of its server does not count. */
async function ordersToModel(tools: readonly LintedTool[]): Promise<Flaw[]> {
  const flaws: Flaw[] = [];
  let since = performance.now();
  for (const tool of tools) {
    flaws.push(...ORDERS.check([tool]));
    if (performance.now() - since < SLICE_MS) continue;
    await setImmediate();
    since = performance.now();
  }
  return flaws;
}

/** A server may give orders about its own tools. Only orders about other servers' tools remain. */
function ordersAbout(others: readonly LintedTool[], tools: readonly LintedTool[]): Flaw[] {
  if (others.length === 0) return [];
  const own = new Set(ORDERS.check(tools).map(({ tool, message }) => tool + message));
  return ORDERS.check([...tools, ...others]).filter(
    ({ tool, message }) => !own.has(tool + message),
  );
}

/** Tools whose names occur in the texts. Almost always none, and a search is cheap. */
function mentioned(others: readonly LintedTool[], items: readonly Item[]): LintedTool[] {
  const own = new Set(items.map(({ name }) => name.toLowerCase()));
  const words = new Set(
    items.flatMap(({ json }) => json.toLowerCase().match(/\w[\w./:-]*/g) ?? []),
  );
  return others.filter(({ name }) => {
    const whole = name.toLowerCase();
    const bare = whole.slice(whole.indexOf(':') + 1);
    if (words.has(whole)) return true;
    // A bare name that the server has too means the server's own tool.
    return (
      !own.has(bare) && [bare, ...bare.split(/[./:]|__/).slice(-1)].some((word) => words.has(word))
    );
  });
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
    (alike) => new Set(alike.map((name) => name.toLowerCase())).size > 1,
  );
}

/** The names of all servers are compared whenever one of them changes. */
const skeletons = new Map<string, string>();
const MAX_SKELETONS = 20_000;

function skeletonOf(name: string): string {
  let found = skeletons.get(name);
  if (found === undefined) {
    if (skeletons.size >= MAX_SKELETONS) skeletons.clear();
    skeletons.set(name, (found = skeleton(name)));
  }
  return found;
}

/** A server may call two tools `l1` and `ll`, but letters of another script are no accident. */
function isElsewhere(a: KnownTool, b: KnownTool): boolean {
  return a.server !== b.server || /[^\p{ASCII}]/u.test(b.tool);
}

function isSpelledAlike(a: KnownTool, b: KnownTool): boolean {
  return spelling(a.tool) === spelling(b.tool);
}

/** Equal for names that differ in case, in a separator, or in how accents are encoded. */
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

/** Letters of another script are odder than a digit among letters, which is odder than plain letters. */
function oddness(name: string): number {
  if (/[^\x20-\x7e]/.test(name)) return 2;
  return /[a-z][01]+[a-z]/i.test(name) ? 1 : 0;
}

function groups<T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> {
  const grouped = new Map<string, T[]>();
  for (const value of values) {
    const group = grouped.get(key(value));
    if (group) group.push(value);
    else grouped.set(key(value), [value]);
  }
  return grouped;
}
