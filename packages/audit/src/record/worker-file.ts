/** The file of a thread, which is started by its address. */

/**
 * `own`: the address of the module that starts it. `folder`: where the thread is among the sources. Node cannot run
 * TypeScript: seen from the sources, the thread is the one that was built. In a bundle it lies beside.
 */
export function workerFile(own: string, folder: string, name: string): URL {
  if (!own.endsWith('.ts')) return new URL(`./${name}.js`, own);
  return new URL(`../../dist/${folder}/${name}.js`, own);
}
