/** All instances of a gateway as the admin API sends them. */

import type { SurveyedInstance, SurveyedServer } from '../../storage/instance-survey.js';
import type { WarningData } from './warning-data.js';

/** A server as one instance sees it. */
export type InstanceServer = SurveyedServer;

/** One instance, as the instance that answers sees it. */
export interface InstanceData extends Omit<SurveyedInstance, 'silentMs'> {
  /** Whether this instance answers. */
  readonly isSelf: boolean;
}

/** `GET /instances`, and the event `instances`. */
export interface InstancesData {
  /** The oldest first. Empty: the gateway has no `storage`. */
  readonly instances: readonly InstanceData[];
  readonly warnings: readonly WarningData[];
}
