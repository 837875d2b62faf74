export { importCommand as command } from '@callsign/setup';
