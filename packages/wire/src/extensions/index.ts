// Tasks: calls that outlive their request.
export { ownerOf, TaskTable } from './tasks/task-table.js';
export type { Task, TaskTableOptions } from './tasks/task-table.js';
export { Tasks } from './tasks/tasks.js';
export { ownTaskFiles } from './tasks/own-task-files.js';
export { afterItsProcess, readOwnTask } from './tasks/own-task-record.js';
export type { OwnTaskRecord } from './tasks/own-task-record.js';
export { readOrder } from './tasks/own-task-store.js';
export type { GivenOrder, OwnTaskStore, TaskOrder } from './tasks/own-task-store.js';
export { endOfSessionTask, endOfStatelessTask } from './tasks/other-era-task.js';
export { taskCall } from './tasks/task-call.js';
export { TaskWatch } from './tasks/task-watch.js';
export type { TaskEnd } from './tasks/task-ends.js';
export { relatedTask, taskIdIn } from './tasks/task-id-text.js';

export { asksForNextPage } from './request/next-page.js';

// What may belong to a server that is still starting.
export { foundWhileStarting } from './request/while-starting.js';
export type { Starting } from './request/while-starting.js';

// Questions of servers to clients.
export { Questions } from './request/questions.js';
export {
  areOneCallers,
  haveOneAnswer,
  LATE_MS,
  MAX_QUESTIONS,
  OpenQuestions,
} from './request/open-questions.js';
export type { OpenQuestion } from './request/open-questions.js';
export { ask, untilComplete } from './request/input-required.js';
export {
  canAnswer,
  isInputRequest,
  QUESTION_CAPABILITIES,
  unanswerable,
} from './request/answerable.js';

// Skills of all servers in one list.
export { prepareSkills } from './skills/prepare-skills.js';

// Capabilities beyond the lists.
export {
  extensionCapabilities,
  hasExtension,
  SKILLS_EXTENSION,
  TASKS_EXTENSION,
  tasksForEra,
  withoutTasks,
} from './capabilities/extension-capabilities.js';
