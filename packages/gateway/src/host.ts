/** What a program that runs gateways needs: files, storage, reload. Not published: `index.ts` is. */

// Configuration: files of any client, fully checked.
export { loadConfig } from './config/load-config.js';
export { loadRecordSettings } from './config/record-settings.js';
export { loadStores } from './modules/user-stores.js';
export type { LoadOptions } from './config/load-config.js';
export { parseConfig } from './config/parse-config.js';
export type { ParseOptions } from './config/parse-config.js';
export type {
  ConfigResult,
  GatewayConfig,
  MisnamedServer,
  UnavailableServer,
} from './config/gateway-config.js';
export { addedProblems } from './config/added-problems.js';
export type { AddedProblems } from './config/added-problems.js';
export { slotsOf } from './auth/accounts.js';
export { shownAccounts, shownSignIns } from './auth/shown-people.js';
export type { ShownAccount, ShownSignIn } from './auth/shown-people.js';
export { hasOwnCredential } from './config/server-config.js';
export type { RemoteServer, ServerConfig, StdioServer } from './config/server-config.js';
export type {
  AnnotationOverride,
  HttpSettings,
  ServerSettings,
  Settings,
} from './config/settings.js';
export { openStorage, tryStorage } from './storage/open-storage.js';
export { configurationHash } from './config/configuration-hash.js';
export { JoinedInstance } from './storage/joined-instance.js';
export { instanceReports } from './storage/instance-reports.js';
export { surveyInstances } from './storage/instance-survey.js';
export type { SurveyedInstance, SurveyedServer } from './storage/instance-survey.js';
export type { SharedStorage } from '@callsign/instances/postgres';
export { openStateStores } from './storage/state-stores.js';
export type { StateStores } from './storage/state-stores.js';
export type { OpenStorageOptions } from './storage/open-storage.js';
export { expandVariables } from '@callsign/config';
export { readSecrets, secretStore } from './secrets/read-secrets.js';
export { NoKeychain } from './secrets/keychain.js';
export {
  LONGEST_SECRET,
  SECRET_NAME,
  type SecretStore,
  type StoredSecret,
} from './secrets/secret-store.js';
export type { Environment } from '@callsign/config';

export type { RegistrySettings } from './config/registry-settings.js';
export type { UserModule } from './config/user-module.js';

// Problems, and the schema for editors.
export { configSchema } from './config/config-schema.js';

// Starting server processes, and why they cannot start.
export { findCommand } from './config/command-problem.js';
export type { FoundCommand } from './config/command-problem.js';
export { loadsCode } from './config/child-environment.js';

// Sandboxes, and what was observed in them.
export type { SandboxSettings } from './config/sandbox-settings.js';
export { limitsOf, sandboxFault, type SandboxWatch } from './sandbox/sandboxed-child.js';
export { isInside } from './sandbox/sandbox-limits.js';
export { deedsIn, type Deed } from './sandbox/trace.js';
export {
  contradictedClaims,
  isEmpty,
  type Observation,
  observationInWords,
  observedDeeds,
} from './sandbox/observation.js';
export { commandDigest, ObservationStore } from './sandbox/observation-store.js';
export { spelled } from './sandbox/host-proxy.js';

// The gateway itself.
export { openInstance } from './storage/open-instance.js';
export { drained } from './servers/drain.js';
export { createGateway, loadWithModules } from './gateway/create-gateway.js';
export { Gateway } from './gateway/gateway.js';
export type { GatewayOptions } from './gateway/gateway-options.js';
export type { GatewayInstance } from './instance/gateway-instance.js';
export { reasonIn, type ServerStatus } from './servers/server-status.js';
export { TOOLS_FAILED, toolsFailure } from './servers/tools-failure.js';
export { Reloader } from './gateway/reloader.js';
export { cachedOffers } from './gateway/cached-offers.js';
export type { ConfigStatus } from './gateway/reloader.js';

// What the admin API shows.
export { viewOptions } from './clients/client-views.js';
export type { LogLine, ServerLog } from './servers/server-log.js';
export { redactorOf } from './servers/server-redactor.js';
