export { checkCommand, checkConfig } from './doctor/config-checks.js';
export type { Finding } from './doctor/finding.js';
export { checkLabels, checkRoles, checkWithheld } from './doctor/label-checks.js';
export { checkNode, checkPort, checkStorage } from './doctor/machine-checks.js';
export { checkClock, checkNames, checkStart } from './doctor/server-checks.js';
export { ADHOC, adhocConfig } from './fleet/adhoc-config.js';
export { extendChain } from './fleet/chain.js';
export { COUNT_COLUMNS } from './fleet/count-columns.js';
export { findTool, unknownTool } from './fleet/find-tool.js';
export {
  fleetOf,
  openFleet,
  rememberedTools,
  requireFleet,
  requireQuietFleet,
  warnOfFleet,
} from './fleet/fleet.js';
export type { Fleet, FleetOptions } from './fleet/fleet.js';
export { harvest } from './fleet/harvest.js';
export { hintReasons, hintWords } from './fleet/hint-words.js';
export { adminFailure, describeLive, findLive } from './fleet/live-gateway.js';
export type { LiveWords } from './fleet/live-gateway.js';
export { withKept } from './fleet/kept.js';
export { answerLoose } from './fleet/loose-question.js';
export { adhocNotStarted, howItFailed, notStarted } from './fleet/not-started.js';
export type { OfferedServer } from './fleet/offered-server.js';
export { renamedFleet } from './fleet/renamed-fleet.js';
export { isHiddenByRoles, isSwitchedOff, withheldIn, type Withheld } from './fleet/withheld.js';
export { markMeanings, markedRisk } from './fleet/risk-mark.js';
export { SELF, withRunning } from './fleet/running-gateway.js';
export { searchTools } from './fleet/search-tools.js';
