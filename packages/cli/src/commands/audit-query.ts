export { auditQueryCommand as command } from '@callsign/records';
