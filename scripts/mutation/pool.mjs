// Gives jobs to worker processes, one job per process at a time. A worker that takes too long is killed;
// a worker that was killed or that crashed is replaced.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));

/**
 * Returns the answers to all jobs, in the order of the jobs. `onLost` returns the answer for a job
 * whose worker gave none; its reason is `timeout` or `crash`. `onAnswer` is called with each answer
 * at once.
 */
export async function runJobs(jobs, { workers, timeoutMs, onLost, onAnswer }) {
  const answers = [];
  let next = 0;
  const serve = async () => {
    let worker;
    while (next < jobs.length) {
      const index = next++;
      const job = jobs[index];
      worker ??= await startWorker();
      const { answer, lost } = await worker.ask(job, timeoutMs(job));
      if (lost !== undefined) {
        worker.kill();
        worker = undefined;
      }
      answers[index] = lost === undefined ? answer : onLost(job, lost);
      onAnswer(answers[index], job);
    }
    worker?.kill();
  };
  await Promise.all(Array.from({ length: Math.min(workers, jobs.length) }, serve));
  return answers;
}

async function startWorker() {
  // Its own process group, so that processes which tests start end with it.
  const child = fork(WORKER, { detached: true, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let noise = '';
  child.stderr.on('data', (data) => (noise = (noise + data).slice(-2_000)));
  const kill = () => {
    process.off('exit', kill);
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  };
  process.on('exit', kill);

  /** The next message of the worker, or the reason why there is none. */
  const receive = (ms) =>
    new Promise((resolve) => {
      const settle = (message) => {
        clearTimeout(timer);
        child.off('message', settle).off('exit', onExit);
        resolve(message);
      };
      const onExit = () => settle({ lost: 'crash' });
      const timer = ms === undefined ? undefined : setTimeout(settle, ms, { lost: 'timeout' });
      child.once('message', settle).once('exit', onExit);
    });
  const { lost } = await receive();
  if (lost !== undefined) throw new Error(`A mutation worker did not start.\n${noise}`);

  return {
    kill,
    async ask(job, ms) {
      child.send(job);
      const message = await receive(ms);
      if (message.error !== undefined) throw new Error(message.error);
      return message;
    },
  };
}
