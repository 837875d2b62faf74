export { main } from './main.js';
export { wasAskedToEnd } from '@callsign/command/end-signal';
