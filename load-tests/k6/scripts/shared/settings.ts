/**
 * What a run is told, by variables: where Hearth is, who its administrator is, how much is asked of it, and the photos to upload. `load-tests/k6/main.ts`
 * sets them, as does `kubernetes/testRun.yaml`. A number that is missing is the script's own.
 */
export const settings = {
  url: (__ENV['HEARTH_URL'] ?? '').replace(/\/+$/, ''),
  admin: { username: __ENV['HEARTH_ADMIN_USERNAME'] ?? 'admin', password: __ENV['HEARTH_ADMIN_PASSWORD'] ?? '' },
  /** Iterations per second at the most. */
  rate: (usual: number): number => readNumber('HEARTH_LOAD_RATE', usual),
  /** Seconds for which the load lasts. */
  seconds: (usual: number): number => readNumber('HEARTH_LOAD_SECONDS', usual),
  /** By how much slower than it ought to be Hearth may answer, on a machine that is slow itself. */
  slowness: readNumber('HEARTH_LOAD_SLOWNESS', 1),
  /** Paths of JPEGs, which the runner has made. */
  photoPaths: (__ENV['HEARTH_LOAD_PHOTOS'] ?? '').split(',').filter((path) => path !== ''),
  /** People whose libraries are there and are searched, with embeddings by the model that answers. */
  searched: JSON.parse(__ENV['HEARTH_LOAD_SEARCHED'] ?? '[]') as readonly {
    readonly username: string;
    readonly password: string;
  }[],
  /** The folder for the reports; without one they are printed alone. */
  reportFolder: __ENV['HEARTH_LOAD_REPORT'],
  /** The API server of the cluster that Hearth runs on, as `kubectl proxy` serves it; without one workers are not looked at. */
  kubernetesUrl: __ENV['HEARTH_KUBERNETES_URL'],
  namespace: __ENV['HEARTH_NAMESPACE'] ?? 'default',
} as const;

/** @throws where it is no number above 0 */
function readNumber(name: string, usual: number): number {
  const text = __ENV[name];
  if (text === undefined || text === '') return usual;
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${name} is ${text}, expected a number above 0`);
  return value;
}
