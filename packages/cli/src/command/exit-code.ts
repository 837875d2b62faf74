export { EXIT } from '@callsign/command/exit-code';
