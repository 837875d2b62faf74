// Tasks: calls that outlive their request.
export { ownerOf, TaskTable } from './tasks/task-table.js';
export type { Task, TaskTableOptions } from './tasks/task-table.js';
export { Tasks } from './tasks/tasks.js';
export type { TaskEnd, TasksOptions } from './tasks/tasks.js';
export { hasEnded, taskIdIn, taskState, withTaskIds } from './tasks/task-id-text.js';

// Skills: one list of those of many servers.
export { prepareSkills } from './skills/prepare-skills.js';

// Capabilities beyond the lists.
export {
  extensionCapabilities,
  hasExtension,
  SKILLS_EXTENSION,
  TASKS_EXTENSION,
  withoutTasks,
} from './capabilities/extension-capabilities.js';
