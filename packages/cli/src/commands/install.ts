export { installCommand as command } from '@callsign/setup';
