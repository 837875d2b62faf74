export { createStderr, writeLine } from '@callsign/command';
export type { Complaint, Stderr, StderrOptions } from '@callsign/command';
