export { auditVerifyCommand as command } from '@callsign/records';
