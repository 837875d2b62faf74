export { importCommand } from './commands/import.js';
export { initCommand } from './commands/init.js';
export { installCommand } from './commands/install.js';
export { createSetup } from './commands/setup.js';
export { uninstallCommand } from './commands/uninstall.js';
export { welcomeCommand } from './commands/welcome.js';
export type { ShowLabels } from './commands/setup.js';
export { warnOfCommands } from './servers/entry-warnings.js';

// Keys of callers.
export { keyAddCommand } from './commands/key-add.js';
export { keyListCommand } from './commands/key-list.js';
export { keyNewCommand } from './commands/key-new.js';
export { keyRevokeCommand } from './commands/key-revoke.js';
