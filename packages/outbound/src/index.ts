// Addresses: which may be called, and which mean this machine.
export { isLoopback } from './address/address-kind.js';
export type { PrivateAddresses } from './address/address-rules.js';

// Calling out, without being led into a private network.
export {
  AddressRefused,
  checkedLookup,
  literalProblem,
  urlProblem,
} from './client/address-guard.js';
export type { AddressGuard, Lookup } from './client/address-guard.js';
export {
  BodyTooLarge,
  discard,
  drain,
  readBytes,
  readText,
  textOf,
  whenBroken,
} from './client/body.js';
export { withoutSecrets } from './client/echoed-secrets.js';
export { RequestFailed } from './client/exchange.js';
export { HttpClient, RedirectRefused } from './client/http-client.js';
export type { HttpRequest, HttpResponse, Repeat, TlsOptions } from './client/http-client.js';
export { readRetryAfter } from './client/retry-after.js';
