export { importCommand } from './commands/import.js';
export { initCommand } from './commands/init.js';
export { installCommand } from './commands/install.js';
export { createSetup } from './commands/setup.js';
export { uninstallCommand } from './commands/uninstall.js';
export { welcomeCommand } from './commands/welcome.js';
export type { ShowLabels } from './commands/setup.js';
