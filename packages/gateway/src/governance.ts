/** What governs calls under the configuration of the moment: who may see what, and what is done with it. */

import type { Clock, Principal, Target } from '@callsign/core';

import type { Governors } from './chain.js';
import type { GatewayConfig } from './config/gateway-config.js';
import { Approvals } from './policy/approvals.js';
import { enforce } from './policy/enforce.js';
import { createPolicy, type Policy } from './policy/policy.js';
import { POLICY_SETTINGS, type PolicySettings } from './policy/policy-settings.js';
import { guard } from './roles/guard.js';
import { createRoles, type Roles } from './roles/roles.js';

export interface GovernanceOptions {
  readonly clock: Clock;
  /** Denies whatever is not a read, over every rule. */
  readonly readOnly: boolean;
}

/** Where only a flag governs. */
const NO_POLICY: PolicySettings = POLICY_SETTINGS.parse({ destructive: 'allow' });

export class Governance {
  /** Calls that wait for a word of the operator. */
  readonly approvals: Approvals;
  readonly #readOnly: boolean;
  /** Made once: what a person has approved outlives a reload. */
  readonly #enforce: ReturnType<typeof enforce>;
  #settings: PolicySettings = NO_POLICY;
  #policy: Policy | undefined;
  #roles: Roles | undefined;

  constructor({ clock, readOnly }: GovernanceOptions) {
    this.#readOnly = readOnly;
    this.approvals = new Approvals({ clock });
    this.#enforce = enforce({
      clock,
      approvals: this.approvals,
      policy: () => this.#policy!,
      settings: () => this.#settings,
    });
  }

  /** Goes by this configuration from now on. */
  apply({ settings }: GatewayConfig): void {
    const { policy, roles, access } = settings;
    const readOnly = this.#readOnly;
    const isGoverned = policy !== undefined || readOnly;
    this.#settings = policy ?? NO_POLICY;
    this.#policy = isGoverned ? createPolicy(this.#settings, { readOnly }) : undefined;
    this.#roles = createRoles(roles === undefined ? { access } : { roles, access });
  }

  get governors(): Governors {
    return {
      ...(this.#roles ? { roles: guard(this.#roles) } : {}),
      ...(this.#policy ? { policy: this.#enforce } : {}),
    };
  }

  /** Whether a tool is denied to everybody, whatever the arguments. */
  withholds(target: Target): boolean {
    return this.#policy?.standing(target)?.decision === 'deny';
  }

  /** What a caller may see; `undefined` where that is everything. */
  sight(principal: Principal | undefined): ((target: Target) => boolean) | undefined {
    const roles = this.#roles;
    return roles && ((target) => roles.sees(principal, target));
  }
}
