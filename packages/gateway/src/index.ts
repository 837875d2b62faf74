/** For programs that embed a gateway, and for types of modules. The command uses `host.ts` and other entries too. */

// The gateway, from a file or from a configuration.
export { createGateway } from './gateway/create-gateway.js';
export { Gateway } from './gateway/gateway.js';
export type { GatewayOptions } from './gateway/gateway-options.js';
export { loadConfig, type LoadOptions } from './config/load-config.js';
export { parseConfig, type ParseOptions } from './config/parse-config.js';
export { configSchema } from './config/config-schema.js';
export type { ConfigResult, GatewayConfig } from './config/gateway-config.js';
export type { ServerConfig } from './config/server-config.js';
export type { Settings } from './config/settings.js';

// One idea: a Source lists tools and answers calls.
export { hub, NOTHING, view } from '@callsign/core';
export type {
  Call,
  Caller,
  Catalogue,
  Entry,
  HubOptions,
  Item,
  Offer,
  Principal,
  Reply,
  Route,
  Source,
  SourceEvent,
  Target,
  ViewOptions,
} from '@callsign/core';
export { serve, type Served, type ServeHttpOptions, type ServeOptions } from '@callsign/wire';

// Modules: behaviour around calls.
export { CallsignError, intercept, observe, resultOf } from '@callsign/core';
export type {
  CallsignErrorCode,
  Decision,
  EndedCall,
  Interceptor,
  Log,
  Module,
  ModuleContext,
  Next,
  Observer,
  Parts,
} from '@callsign/core';
export type { UserModule } from './config/user-module.js';

// A store of your own for the tables of calls.
export * from '@callsign/audit/store';
export type { AuditStore, StoreModule } from '@callsign/audit';
