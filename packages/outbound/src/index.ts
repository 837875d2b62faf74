// Addresses: which may be called, and which mean this machine.
export type { PrivateAddresses } from './address/address-rules.js';
export { isLoopback } from './address/loopback.js';

// Calling out, without being led into a private network.
export { AddressRefused, createGuardedFetch } from './fetch/guarded-fetch.js';
export type { GuardedFetch, GuardedFetchOptions, Lookup } from './fetch/guarded-fetch.js';
export { BodyTooLarge, readLimited, readLimitedBytes } from './fetch/read-limited.js';
