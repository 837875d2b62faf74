// Gives jobs to worker processes, one job per process at a time. A worker that takes too long is killed.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));

/** Answers to all jobs, in the order of the jobs. `onAnswer` hears each as it comes. */
export async function runJobs(jobs, { workers, timeoutMs, onTimeout, onAnswer }) {
  const answers = [];
  let next = 0;
  const serve = async () => {
    let worker;
    while (next < jobs.length) {
      const index = next++;
      const job = jobs[index];
      worker ??= await startWorker();
      let answer = await worker.ask(job, timeoutMs(job));
      if (answer === undefined) {
        worker.kill();
        worker = undefined;
        answer = onTimeout(job);
      }
      answers[index] = answer;
      onAnswer(answer, job);
    }
    worker?.kill();
  };
  await Promise.all(Array.from({ length: Math.min(workers, jobs.length) }, serve));
  return answers;
}

async function startWorker() {
  // A group of its own, so that the processes that tests start end with it.
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

  /** The next message, or undefined when it does not come in time. */
  const receive = (ms) =>
    new Promise((resolve, reject) => {
      const settle = (action) => (value) => {
        clearTimeout(timer);
        child.off('message', onMessage).off('exit', onExit);
        action(value);
      };
      const onMessage = settle(resolve);
      const onExit = settle(() => reject(new Error(`A mutation worker ended.\n${noise}`)));
      const timer = ms === undefined ? undefined : setTimeout(settle(resolve), ms);
      child.once('message', onMessage).once('exit', onExit);
    });
  await receive();

  return {
    kill,
    async ask(job, ms) {
      child.send(job);
      const message = await receive(ms);
      if (message?.error !== undefined) throw new Error(message.error);
      return message?.answer;
    },
  };
}
