// Keys.
export { createInstanceKey } from './keys/instance-key.js';
export type { InstanceKey } from './keys/instance-key.js';
export { PeerSecrets } from './keys/peer-secrets.js';
export { CallerSeal } from './keys/caller-seal.js';

// Connections between instances.
export { PeerConnections } from './network/peer-connections.js';
export type { PeerRequest } from './network/peer-connections.js';

// The routing of sessions and held calls.
export { InstanceRouting } from './routing/instance-routing.js';

// Where servers run.
export { InstanceServers } from './places/instance-servers.js';
export type { PlacedServer, PlacedServerOptions } from './places/instance-servers.js';
export type { CallerCheck, Wanted } from './places/checked-source.js';
export { ServerOwners } from './places/server-owners.js';
export type { OpenPlace } from './places/server-owners.js';
export type { ServerOwner, Whereabouts } from './places/server-owner.js';

// The network of this instance, with all parts above.
export { isCut } from './instance/directory-reach.js';
export { InstanceNetwork } from './instance/instance-network.js';
export type { InstanceAddress, PeerHandler } from './instance/instance-network.js';
