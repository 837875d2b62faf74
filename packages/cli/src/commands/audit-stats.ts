export { auditStatsCommand as command } from '@callsign/records';
