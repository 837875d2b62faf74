export { auditTailCommand as command } from '@callsign/records';
