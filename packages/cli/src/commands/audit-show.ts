export { auditShowCommand as command } from '@callsign/records';
