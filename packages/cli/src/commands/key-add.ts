export { keyAddCommand as command } from '@callsign/setup';
