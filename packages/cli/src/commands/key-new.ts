export { keyNewCommand as command } from '@callsign/setup';
