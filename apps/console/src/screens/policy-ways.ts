/**
 * Three ways to decide by label alone, two to treat clients that cannot ask, and how a policy is
 * changed to one of them. Rules stay.
 */

import type { Card } from '../view/cards.js';

interface Way extends Card {
  /** What it says about labels, where that is not the default. */
  readonly labels: Labels;
  /** As it is written where a policy has nothing else. */
  readonly written: unknown;
}

type Labels = Readonly<Record<string, string>>;

/** The defaults of a policy that is an object. */
const DEFAULTS: Labels = { read: 'allow', write: 'allow', destructive: 'confirm' };
const KEYS = ['read', 'write', 'destructive', 'openWorld', 'contradiction'];
const CAREFUL: Labels = { contradiction: 'confirm' };
const EVERY_CHANGE: Labels = { write: 'confirm', contradiction: 'confirm' };

export const WAYS: readonly Way[] = [
  {
    id: 'open',
    title: 'Never ask',
    about: 'Every call is made.',
    labels: { destructive: 'allow' },
    written: undefined,
  },
  {
    id: 'careful',
    title: 'Careful',
    about:
      'A call needs a yes if it may delete or overwrite, or if the tool contradicts its claim.',
    labels: CAREFUL,
    written: 'careful',
  },
  {
    id: 'changes',
    title: 'Ask before every change',
    about: 'Only calls that read are made without a yes.',
    labels: EVERY_CHANGE,
    written: EVERY_CHANGE,
  },
];

/** What happens to a call that needs a yes, if its client cannot ask its user. */
export const ASKING: readonly Card[] = [
  {
    id: 'task',
    title: 'Ask only in the client',
    about:
      'If a client cannot ask its user, the call is refused, or waits if the client has tasks.',
  },
  {
    id: 'wait',
    title: 'Ask me too',
    about: 'If a client cannot ask its user, the call waits for your yes on Approvals.',
  },
];

/** `undefined`: the policy says something else, such as to refuse the call. */
export function askingOf(text: string): string | undefined {
  const { confirm } = policyIn(text) ?? {};
  const written = isObject(confirm) ? confirm['whenClientCannotAsk'] : undefined;
  return ASKING.find(({ id }) => id === (written ?? 'task'))?.id;
}

/** The text of a policy with another answer for clients that cannot ask. */
export function withAsking(text: string, id: string): string {
  const policy = policyIn(text) ?? {};
  const { confirm, ...rest } = policy;
  const { whenClientCannotAsk: _, ...others } = isObject(confirm) ? confirm : {};
  const next = id === 'task' ? others : { ...others, whenClientCannotAsk: id };
  if (Object.keys(next).length > 0) return JSON.stringify({ ...rest, confirm: next }, null, 2);
  const isCareful = JSON.stringify(rest) === JSON.stringify(CAREFUL);
  return JSON.stringify(isCareful ? 'careful' : rest, null, 2);
}

/** The way that the text of a policy follows. `undefined`: none of them, or the text is not a policy. */
export function wayOf(text: string): string | undefined {
  const policy = policyIn(text);
  if (policy === undefined) return undefined;
  const own = labelText(policy);
  return WAYS.find(({ labels }) => labelText(labels) === own)?.id;
}

/** The text of a policy that decides in another way about labels, and keeps everything else. */
export function withWay(text: string, id: string): string {
  const { labels, written } = WAYS.find((way) => way.id === id)!;
  const policy = policyIn(text) ?? {};
  const rest = Object.entries(policy).filter(([key]) => !KEYS.includes(key));
  const next = rest.length === 0 ? written : { ...labels, ...Object.fromEntries(rest) };
  return next === undefined ? '' : JSON.stringify(next, null, 2);
}

function labelText(policy: Readonly<Record<string, unknown>>): string {
  const all = { ...DEFAULTS, ...policy };
  return JSON.stringify(KEYS.map((key) => all[key] ?? null));
}

function policyIn(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return { destructive: 'allow' };
  try {
    const value: unknown = JSON.parse(text);
    if (value === 'careful') return CAREFUL;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
