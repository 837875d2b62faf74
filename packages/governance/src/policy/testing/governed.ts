/** A hub with a policy behind a real listener, with a scripted server and clients of both eras. */

import { PassThrough } from 'node:stream';

import {
  type Era,
  Hub,
  type Interceptor,
  type Item,
  type Parts,
  type Principal,
  View,
} from '@callsign/core';
import { REPLIES } from '@callsign/core/testing';
import { PRESETS, type StatedHints } from '@callsign/effects';
import { profileById } from '@callsign/naming';
import { createServedSource, PendingCalls, openStdioListener } from '@callsign/wire';
import { onTestFinished } from 'vitest';

import { HandClock } from '../../../../../test/testing/hand-clock.js';
import { gate, type DecidingModule } from '../../gate/gate.js';
import { Approvals } from '../approvals.js';
import { Confirmation } from '../confirmation.js';
import { policyModule } from '../policy-module.js';
import type { PolicySettings } from '../policy-settings.js';
import { policySettings } from './plain-call.js';
import { ScriptedServer } from './scripted-server.js';
import { TestClient, type ClientOptions } from './test-client.js';

/** A tool of each risk, by the operator's override. */
export const LABELS: ReadonlyMap<string, StatedHints> = new Map([
  ['read', PRESETS.READ_ONLY_DEFAULT],
  ['write', PRESETS.WRITE_ADDITIVE],
  ['destructive', PRESETS.WRITE_DESTRUCTIVE],
]);

export function tool(name: string, definition: object = {}): Item {
  const json = JSON.stringify({ name, inputSchema: { type: 'object' }, ...definition });
  return { name, json };
}

export interface GovernedOptions {
  /** The section `policy`. */
  readonly policy?: object;
  readonly tools?: readonly Item[];
  readonly interceptors?: readonly Interceptor[];
  /** More modules that decide, after the policy. */
  readonly modules?: readonly DecidingModule[];
}

export class Governed {
  readonly server: ScriptedServer;
  readonly clock: HandClock = new HandClock();
  readonly approvals: Approvals = new Approvals({ clock: this.clock });
  readonly hub: Hub;
  #settings: PolicySettings | undefined;
  #module: Parts | undefined;

  constructor({ policy = {}, tools, interceptors, modules }: GovernedOptions = {}) {
    const { clock, approvals } = this;
    this.adopt(policy);
    const confirmation = new Confirmation({ settings: () => this.#settings!, approvals, clock });
    const decided = gate({
      modules: () => [
        { name: 'policy', parts: { decide: (call) => this.#module!.decide!(call) } },
        ...(modules ?? []),
      ],
      confirm: (call, next) => confirmation.confirm(call, next),
      current: ({ kind, canonical }) => this.hub.entry(kind, canonical),
    });
    this.server = new ScriptedServer(tools ?? Array.from(LABELS.keys(), (name) => tool(name)));
    this.hub = new Hub({
      label: ({ tool: name }) => ({ override: LABELS.get(name) ?? PRESETS.WRITE_DESTRUCTIVE }),
      interceptors: interceptors ?? [decided],
    });
    this.hub.set('s', this.server);
  }

  /** Changes the policy, as a reload does. */
  adopt(policy: object): void {
    this.#settings = policySettings(policy);
    this.#module = policyModule({}).create({
      settings: this.#settings,
      servers: [],
      clock: this.clock,
      log: () => undefined,
      refresh: () => undefined,
      ...REPLIES,
    });
  }

  connect(era: Era, options: ClientOptions & { readonly principal?: Principal } = {}): TestClient {
    const { input, output } = this.listener(options.principal);
    return new TestClient(era, output, input, options);
  }

  /** A listener, and the client's ends of its streams. */
  listener(principal?: Principal): { readonly input: PassThrough; readonly output: PassThrough } {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const view = new View(this.hub, { profile: profileById('canonical') });
    const served = {
      ...createServedSource(this.hub, {
        self: { name: 'callsign', version: '0' },
        viewFor: () => view,
      }),
      ...(principal ? { principal } : {}),
    };
    openStdioListener({
      served,
      pending: new PendingCalls(),
      input,
      output,
      maxMessageBytes: 2 ** 20,
    });
    onTestFinished(() => {
      input.end();
    });
    return { input, output };
  }
}
