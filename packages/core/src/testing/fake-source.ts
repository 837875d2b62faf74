/**
 * A Source that a test controls, after tower-test: the code under test gets `source`, and the test
 * sets the offer, sees each call arrive, and answers it. No network, no clock.
 */

import type { Call } from '../call/call.js';
import { byKind, KINDS, type Kind } from '../call/kind.js';
import { resultOf, type Reply } from '../call/reply.js';
import type { Item } from '../call/item.js';
import type { Route } from '../call/route.js';
import type { Ability, Offer, Source, SourceEvent } from '../source/source.js';

/** Names, or whole definitions if more than the name matters. */
type Things = readonly (string | Item)[];

/** What the source lists. Lists default to empty. */
export interface FakeOffer {
  readonly tools?: Things;
  readonly prompts?: Things;
  readonly resources?: Things;
  readonly templates?: Things;
  readonly abilities?: readonly Ability[];
  readonly instructions?: string;
}

/** A call that has reached the source. */
interface Arrival {
  readonly call: Call;
  readonly kind: Kind;
  /** The parameters for the server: its own name for the item, and our token `7`. */
  readonly params: string;
  /** Answers with a result, which may be a tool's failure. */
  answer(result: unknown): void;
  /** Answers with this reply, unchanged. */
  reply(reply: Reply): void;
  /** The source itself fails. */
  fail(error: unknown): void;
}

/** A pair: `source` for the code under test, the rest for the test. */
export interface FakeSource {
  readonly source: Source;
  /** Every call so far, oldest first. */
  readonly calls: readonly Arrival[];
  /** The notifications and requests that the source received, as `method params`. */
  readonly told: readonly string[];
  /** Resolves with the next call that no test code has taken yet. */
  next(): Promise<Arrival>;
  /** Answers every call from now on. */
  answerAll(result: unknown): void;
  /** Changes the offer and announces it. Lists that are not given stay the same. */
  offers(offer: FakeOffer): void;
  emit(event: SourceEvent): void;
  /** The number of listeners. */
  listeners(): number;
}

const MEMBERS = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  template: 'templates',
} as const satisfies Record<Kind, keyof FakeOffer>;

/** A call waits until the test answers it, or until `answerAll` was called. */
export function fakeSource(first: FakeOffer = {}): FakeSource {
  let offer = offerOf({ tools: [], prompts: [], resources: [], templates: [], ...first });
  let { instructions } = first;
  let standing: { readonly result: unknown } | undefined;
  const calls: Arrival[] = [];
  const told: string[] = [];
  const untaken: Arrival[] = [];
  const waiting: ((arrival: Arrival) => void)[] = [];
  const listeners = new Set<(event: SourceEvent) => void>();

  const send = (kind: Kind, item: Item, call: Call): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const name = kind === 'template' ? undefined : JSON.stringify(item.name);
      const arrival: Arrival = {
        call,
        kind,
        params: call.paramsWith(name, '7'),
        answer: (result) => resolve(resultOf(result)),
        reply: resolve,
        fail: reject,
      };
      calls.push(arrival);
      const taker = waiting.shift();
      if (taker) taker(arrival);
      else untaken.push(arrival);
      if (standing) arrival.answer(standing.result);
    });
  const emit = (event: SourceEvent): void => {
    for (const listener of listeners) listener(event);
  };

  return {
    calls,
    told,
    emit,
    source: {
      get offer() {
        return offer;
      },
      get instructions() {
        return instructions;
      },
      route(kind, name): Route | undefined {
        const item = offer[kind].find((each) => each.name === name);
        return item && { item, send: (call) => send(kind, item, call) };
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      tell: (method, params) => void told.push(`${method} ${params}`),
    } satisfies Source,
    next: () => {
      const arrival = untaken.shift();
      return arrival ? Promise.resolve(arrival) : new Promise((take) => waiting.push(take));
    },
    answerAll(result) {
      standing = { result };
    },
    offers(change) {
      offer = offerOf(change, offer);
      if (change.instructions !== undefined) ({ instructions } = change);
      emit({ type: 'changed', kinds: KINDS.filter((kind) => change[MEMBERS[kind]]) });
    },
    listeners: () => listeners.size,
  };
}

function offerOf(given: FakeOffer, before?: Offer): Offer {
  const abilities = given.abilities ? new Set(given.abilities) : before?.abilities;
  return {
    ...byKind((kind) => given[MEMBERS[kind]]?.map((thing) => itemOf(kind, thing)) ?? before![kind]),
    abilities: abilities ?? new Set(),
  };
}

function itemOf(kind: Kind, thing: string | Item): Item {
  if (typeof thing !== 'string') return thing;
  const definition = {
    tool: { name: thing, inputSchema: { type: 'object' } },
    prompt: { name: thing },
    resource: { uri: thing, name: 'A resource' },
    template: { uriTemplate: thing, name: 'A template' },
  }[kind];
  return { name: thing, json: JSON.stringify(definition) };
}
