/** A hub under a policy behind a real door, with a server whose part the test plays, and clients of both eras. */

import { PassThrough } from 'node:stream';

import { PRESETS, type StatedHints } from '@callsign/annotations';
import { Hub, type Era, type Interceptor, type Item, type Principal, View } from '@callsign/core';
import { profileById } from '@callsign/naming';
import { HeldCalls, openStdioDoor } from '@callsign/wire';
import { onTestFinished } from 'vitest';

import { Approvals } from '../approvals.js';
import { enforce } from '../enforce.js';
import { createPolicy, type Policy } from '../policy.js';
import { POLICY_SETTINGS, type PolicySettings } from '../policy-settings.js';
import { HandClock } from '../../../../../test/testing/hand-clock.js';
import { ScriptedServer } from './scripted-server.js';
import { TestClient, type ClientOptions } from './test-client.js';

/** A tool of each risk, by the operator's word. */
export const LABELS: ReadonlyMap<string, StatedHints> = new Map([
  ['read', PRESETS.READ_ONLY_DEFAULT],
  ['write', PRESETS.WRITE_ADDITIVE],
  ['destructive', PRESETS.WRITE_DESTRUCTIVE],
]);

export function policySettings(written: object = {}): PolicySettings {
  return POLICY_SETTINGS.parse(written);
}

export function tool(name: string, definition: object = {}): Item {
  const json = JSON.stringify({ name, inputSchema: { type: 'object' }, ...definition });
  return { name, json };
}

export interface GovernedOptions {
  /** The section `policy`. */
  readonly policy?: object;
  readonly tools?: readonly Item[];
  readonly interceptors?: readonly Interceptor[];
}

export class Governed {
  readonly server: ScriptedServer;
  readonly clock: HandClock = new HandClock();
  readonly approvals: Approvals = new Approvals({ clock: this.clock });
  readonly hub: Hub;
  #settings: PolicySettings | undefined;
  #policy: Policy | undefined;

  constructor({ policy = {}, tools, interceptors }: GovernedOptions = {}) {
    const { clock, approvals } = this;
    this.adopt(policy);
    const enforced = enforce({
      policy: () => this.#policy!,
      settings: () => this.#settings!,
      approvals,
      clock,
    });
    this.server = new ScriptedServer(tools ?? Array.from(LABELS.keys(), (name) => tool(name)));
    this.hub = new Hub({
      label: ({ tool: name }) => ({ override: LABELS.get(name) ?? PRESETS.WRITE_DESTRUCTIVE }),
      interceptors: interceptors ?? [enforced],
    });
    this.hub.set('s', this.server);
  }

  /** Goes on under another policy, as after a reload. */
  adopt(policy: object): void {
    this.#settings = policySettings(policy);
    this.#policy = createPolicy(this.#settings);
  }

  connect(era: Era, options: ClientOptions & { readonly principal?: Principal } = {}): TestClient {
    const { input, output } = this.door(options.principal);
    return new TestClient(era, output, input, options);
  }

  /** A front door, and the two ends that its client holds. */
  door(principal?: Principal): { readonly input: PassThrough; readonly output: PassThrough } {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const view = new View(this.hub, { profile: profileById('canonical') });
    const surface = {
      hub: this.hub,
      self: { name: 'callsign', version: '0' },
      viewFor: () => view,
      whenListed: () => Promise.resolve(),
      isSettled: () => true,
      ...(principal ? { principal } : {}),
    };
    openStdioDoor({ surface, held: new HeldCalls(), input, output, maxMessageBytes: 2 ** 20 });
    onTestFinished(() => {
      input.end();
    });
    return { input, output };
  }
}
