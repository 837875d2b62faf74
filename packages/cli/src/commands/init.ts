export { initCommand as command } from '@callsign/setup';
