/**
 * A server that runs here, for calls from other instances. Each call is made in the name of its caller, as the other
 * instance has sealed it. What the caller may do is checked here again.
 */

import { CallsignError, changedSource, createEntry, view } from '@callsign/core';
import type {
  Call,
  Caller,
  Kind,
  Principal,
  Reply,
  Source,
  SourceEvent,
  Target,
} from '@callsign/core';
import { profileById } from '@callsign/naming';

import type { StatedCaller } from '@callsign/wire';

import { readCaller, type CarriedCaller, type OpenCaller } from './carried-caller.js';

/** The item that a caller wants to use. `name` is the server's own name. */
export interface Wanted {
  readonly kind: Kind;
  readonly server: string;
  readonly name: string;
  /** The resource that a template leads to. Missing if the item itself is wanted. */
  readonly uri?: string | undefined;
}

/** Checks callers of other instances by the rules of this one. */
export interface CallerCheck {
  /** Whether a call without a credential is refused. */
  readonly isRequired: boolean;
  /** Who a caller of this instance is, for another one. */
  state(principal: Principal): StatedCaller;
  /**
   * Returns the caller if it may use the item; `undefined` if no credential is required. Throws a `CallsignError`
   * otherwise.
   */
  check(stated: StatedCaller | undefined, wanted: Wanted): Principal | undefined;
}

/** The caller of a call, as the other instance describes it. `principal`: checked here. */
export function callerFrom(client: Caller, carried: CarriedCaller, principal?: Principal): Caller {
  const { id, era, client: program, capabilities } = carried;
  const declared = JSON.parse(capabilities) as Record<string, unknown>;
  return {
    // Unique among the callers of all instances.
    id: `${client.id} ${id}`,
    era,
    client: program,
    principal,
    capabilities,
    can: (capability) => declared[capability] !== undefined,
  };
}

/** A source whose calls are checked before they are sent. Its lists stay as they are. */
export function checkedSource(
  server: string,
  source: Source,
  callers: CallerCheck,
  seal: OpenCaller,
): Source {
  const checked = async (
    given: Call,
    wanted: Omit<Wanted, 'server'>,
    send: (call: Call) => Promise<Reply>,
  ): Promise<Reply> => {
    const carried = readCaller(given, seal);
    if (!carried) {
      throw new CallsignError('access-denied', { caller: 'An unnamed caller', tool: wanted.name });
    }
    const principal = callers.check(carried.caller.stated, { ...wanted, server });
    const caller = callerFrom(given.caller, carried.caller, principal);
    const target = targetOf(wanted.kind, wanted.name);
    return send(carried.call.with({ caller, target }));
  };
  /** The item under the key of its server, as this instance knows it. */
  const targetOf = (kind: Kind, name: string): Target | undefined => {
    const route = source.route(kind, name);
    if (!route?.item) return undefined;
    const ref = { server, tool: name };
    return createEntry({ kind, ref, item: route.item, route, displayName: server });
  };
  const items = changedSource(source, {
    subscribe: (listener) => source.subscribe((event) => listener(withSkills(event))),
    relay(_, given) {
      // A request about a task: its target is the tool that was called.
      const wanted = { kind: 'tool', name: given.target?.ref.tool ?? '' } as const;
      return checked(given, wanted, (call) => source.relay!('', call)!);
    },
    route(kind, name) {
      const route = source.route(kind, name);
      if (!route) return undefined;
      return {
        ...route,
        send: (given) => {
          const uri = given.subject?.ref.tool;
          return checked(given, { kind, name, uri }, (call) => route.send(call));
        },
      };
    },
  });
  // It finds what no list has: resources of templates, and files of skills.
  const routes = view(items, { profile: profileById('canonical') });
  return changedSource(items, { route: (kind, name) => routes.route(kind, name) });
}

/** There is no notification for changed skills. The other instance reads them with resources. */
function withSkills(event: SourceEvent): SourceEvent {
  const isOther = event.type === 'changed' && event.kinds.length === 0;
  return isOther ? { type: 'changed', kinds: ['resource'] } : event;
}
