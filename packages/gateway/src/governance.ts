/** What governs calls under the configuration of the moment: what is recorded, who may see what, what is done. */

import { isDeepStrictEqual } from 'node:util';

import type { Call, Clock, Principal, Target } from '@callsign/core';

import { Audit, type AuditStatus } from '@callsign/audit';
import type { AuditSettings } from '@callsign/audit';
import type { Governors } from './chain.js';
import type { GatewayConfig } from './config/gateway-config.js';
import type { Log } from '@callsign/core';
import { Approvals } from '@callsign/governance';
import { enforce } from '@callsign/governance';
import { createPolicy, type Policy } from '@callsign/governance';
import { POLICY_SETTINGS, type PolicySettings } from '@callsign/governance';
import { guard } from '@callsign/governance';
import { createRoles, type Roles } from '@callsign/governance';

export interface GovernanceOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Denies whatever is not a read, over every rule. */
  readonly readOnly: boolean;
}

/** Where only a flag governs. */
function noPolicy(): PolicySettings {
  return POLICY_SETTINGS.parse({ destructive: 'allow' });
}

export class Governance {
  /** Calls that wait for a word of the operator. */
  readonly approvals: Approvals;
  readonly #options: GovernanceOptions;
  /** Made once: what a person has approved outlives a reload. */
  readonly #enforce: ReturnType<typeof enforce>;
  #auditSettings: AuditSettings | undefined;
  #isOpen = false;
  #audited: { readonly settings: AuditSettings; readonly audit: Audit } | undefined;
  #settings: PolicySettings | undefined;
  #policy: Policy | undefined;
  #roles: Roles | undefined;

  constructor(options: GovernanceOptions) {
    const { clock } = options;
    this.#options = options;
    this.approvals = new Approvals({ clock });
    this.#enforce = enforce({
      clock,
      approvals: this.approvals,
      policy: () => this.#policy!,
      settings: () => this.#settings!,
    });
  }

  /** Goes by this configuration from now on. */
  apply({ settings }: GatewayConfig): void {
    const { policy, roles, access, audit } = settings;
    const { readOnly } = this.#options;
    this.#settings = policy ?? (readOnly ? noPolicy() : undefined);
    this.#policy = this.#settings && createPolicy(this.#settings, { readOnly });
    this.#roles = createRoles(roles === undefined ? { access } : { roles, access });
    this.#auditSettings = audit;
    if (this.#isOpen) this.#record();
  }

  /** Begins to record calls. */
  open(): void {
    this.#isOpen = true;
    this.#record();
  }

  get governors(): Governors {
    const audit = this.#audited?.audit;
    return {
      ...(audit ? { observers: [audit], strict: audit.strict, intent: audit.intent } : {}),
      ...(this.#roles ? { roles: guard(this.#roles) } : {}),
      ...(this.#policy ? { policy: this.#enforce } : {}),
    };
  }

  /** Somebody called what there is not, or not for him. */
  unknown(call: Call): void {
    this.#audited?.audit.unknown(call);
  }

  /** How the record is; `undefined` if there is none. */
  get audit(): AuditStatus | undefined {
    return this.#audited?.audit.status;
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

  /** Resolves when what waits to be recorded is. */
  async close(): Promise<void> {
    await this.#audited?.audit.close();
  }

  #record(): void {
    const settings = this.#auditSettings;
    const before = this.#audited;
    if (isDeepStrictEqual(settings, before?.settings)) return;
    const { log } = this.#options;
    this.#audited =
      settings === undefined || settings.mode === 'off'
        ? undefined
        : { settings, audit: new Audit({ settings, log }) };
    void before?.audit.close();
  }
}
