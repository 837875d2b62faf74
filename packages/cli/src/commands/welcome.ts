export { welcomeCommand as command } from '@callsign/setup';
