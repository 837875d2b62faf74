export { configPath, findConfig, type ConfigPlace } from '@callsign/command/config-path';
