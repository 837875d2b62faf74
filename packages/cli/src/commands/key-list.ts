export { keyListCommand as command } from '@callsign/setup';
