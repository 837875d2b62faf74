export { uninstallCommand as command } from '@callsign/setup';
