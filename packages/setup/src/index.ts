export { importCommand } from './commands/import.js';
export { createInit } from './commands/init.js';
export { createInstall } from './commands/install.js';
export { createSetup } from './commands/setup.js';
export { uninstallCommand } from './commands/uninstall.js';
export { welcomeCommand } from './commands/welcome.js';
export type { CommandCheck } from './servers/entry-warnings.js';
export type { ShowLabels } from './commands/setup.js';
