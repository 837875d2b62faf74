export { keyRevokeCommand as command } from '@callsign/setup';
