export { Failure, fileComplaint, interruption, usageFailure } from '@callsign/command';
