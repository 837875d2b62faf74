// Keys.
export { createInstanceKey } from './keys/instance-key.js';
export type { InstanceKey } from './keys/instance-key.js';
export { PeerSecrets } from './keys/peer-secrets.js';
export { CallerSeal } from './keys/caller-seal.js';

// Connections between instances.
export { PeerConnections } from './network/peer-connections.js';
export type { PeerRequest } from './network/peer-connections.js';

// The homes of sessions and held calls.
export { InstanceHomes } from './homes/instance-homes.js';

// Where servers run.
export { InstanceServers } from './places/instance-servers.js';
export type { PlacedServer, PlacedServerOptions } from './places/instance-servers.js';
export type { CallerCheck, Wanted } from './places/checked-source.js';
export { ServerPlaces } from './places/server-places.js';
export type { OpenPlace } from './places/server-places.js';
export type { ServerPlace, Whereabouts } from './places/server-place.js';

// The network of this instance, with all parts above.
export { isCut } from './instance/directory-reach.js';
export { InstanceNetwork } from './instance/instance-network.js';
export type { InstanceAddress, PeerHandler } from './instance/instance-network.js';
