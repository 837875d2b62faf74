/** The parts of a gateway that many instances share, or their local forms if nothing is shared. */

import type { ConfiguredStore } from '@callsign/audit';
import type { Log } from '@callsign/core';
import {
  type ApprovalQueue,
  Approvals,
  localQueue,
  SharedApprovals,
  type SharedQuotas,
} from '@callsign/governance';
import type { SharedStorage } from '@callsign/instances/postgres';

import { withSignIns } from '../auth/sign-in-approvals.js';
import { SYSTEM_CLOCK } from '../modules/system-clock.js';
import type { JoinedInstance } from './joined-instance.js';
import type { StateStores } from './state-stores.js';

/** Letters of an approval's id: enough that two instances hardly ever create the same one. */
const ID_LENGTH = 10;

/** Callers need not know whether something is shared. */
export class SharedParts {
  readonly approvals: Approvals;
  /** Where an operator decides about waiting calls of all instances. */
  readonly queue: ApprovalQueue;
  readonly stores: readonly ConfiguredStore[];
  readonly quotas: SharedQuotas | undefined;
  /** The records of all instances. */
  readonly records: Pick<SharedStorage, 'calls' | 'journals'> | undefined;
  /** The lock and sign-ins. */
  readonly stateStores: StateStores;
  /** The gateway's own tasks. Default: they are not shared. */
  readonly tasks: SharedStorage['tasks'] | undefined;
  readonly #shared: SharedApprovals | undefined;
  /** This gateway as one of the instances. Set when it joins them. */
  joined: JoinedInstance | undefined;

  constructor(storage: SharedStorage | undefined, log: Log, stateStores: StateStores) {
    const clock = SYSTEM_CLOCK;
    this.stateStores = stateStores;
    if (!storage) {
      this.approvals = new Approvals({ clock });
      this.queue = withSignIns(localQueue(this.approvals), stateStores.callerSignIns);
      this.stores = [];
      return;
    }
    const { store, instance, calls, quotas, tasks } = storage;
    this.records = storage;
    this.tasks = tasks;
    this.approvals = new Approvals({ clock, idLength: ID_LENGTH });
    this.#shared = new SharedApprovals({ approvals: this.approvals, store, instance, clock, log });
    this.queue = withSignIns(this.#shared, stateStores.callerSignIns);
    this.stores = [{ module: { name: 'postgres', open: () => calls } }];
    this.quotas = { store: quotas, holder: instance, instances: () => this.#instances };
  }

  get #instances(): number {
    return this.joined?.membership.instances.length ?? 1;
  }

  close(): void {
    this.#shared?.close();
  }
}
