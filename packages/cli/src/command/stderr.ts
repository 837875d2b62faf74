export { createStderr, type Complaint, type Stderr, type StderrOptions } from '@callsign/command';
