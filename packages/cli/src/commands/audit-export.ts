export { auditExportCommand as command } from '@callsign/records';
