export { auditListCommand as command } from '@callsign/records';
