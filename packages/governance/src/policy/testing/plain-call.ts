/** Settings, targets, callers and calls, without a hub and a listener. */

import type { Call, Caller, Target } from '@callsign/core';
import { fakeCall } from '@callsign/core/testing';
import { labelTool, type Trust } from '@callsign/effects';

import { POLICY_SETTINGS, type PolicySettings } from '../policy-settings.js';

export function policySettings(written: object = {}): PolicySettings {
  return POLICY_SETTINGS.parse(written);
}

export interface TargetOptions {
  readonly claim?: object;
  readonly override?: object;
  readonly trust?: Trust;
  readonly kind?: Target['kind'];
  readonly title?: string;
}

/** An item as a hub labels it. */
export function plainTarget(canonical: string, options: TargetOptions = {}): Target {
  const { kind = 'tool', title, ...voices } = options;
  const [server = '', ...rest] = canonical.split(':');
  const ref = { server, tool: rest.join(':') };
  const { claim: annotations, override, trust } = voices;
  const label = labelTool({ name: ref.tool, annotations, override, trust });
  const json = JSON.stringify({ name: ref.tool, title, annotations: voices.claim });
  const item = { name: ref.tool, json };
  // Prompts and resources are read.
  const risk = kind === 'tool' ? label.risk : 'read';
  return { kind, ref, canonical, displayName: server, item, ...label, risk };
}

/** A client that shows forms. */
export function plainCaller(era: Caller['era'], principal?: string, client = 'c'): Caller {
  return {
    id: '1',
    era,
    client: { name: client, version: '1' },
    principal: principal === undefined ? undefined : { name: principal, roles: [] },
    capabilities: '{"elicitation":{}}',
    can: () => true,
  };
}

/** Labelled once: labels take time, and some tests make thousands of calls. */
const TOOL = plainTarget('s:thing');

/** A call of a destructive tool of the server `s`. */
export function plainCall(caller: Caller, tool: string, params: object = {}): Call {
  const canonical = `s:${tool}`;
  const call = fakeCall(JSON.stringify({ name: canonical, ...params }));
  const item = { name: tool, json: JSON.stringify({ name: tool }) };
  return call.with({
    caller,
    target: { ...TOOL, ref: { server: 's', tool }, canonical, item },
  });
}
