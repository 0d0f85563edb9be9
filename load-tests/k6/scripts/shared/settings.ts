/**
 * Settings of a run from environment variables. `load-tests/k6/main.ts` and `kubernetes/testRun.yaml` set them. A
 * missing number falls back to the script's default.
 */
export const settings = {
  url: (__ENV['HEARTH_URL'] ?? '').replace(/\/+$/, ''),
  admin: { username: __ENV['HEARTH_ADMIN_USERNAME'] ?? 'admin', password: __ENV['HEARTH_ADMIN_PASSWORD'] ?? '' },
  /** Maximum iterations per second. */
  rate: (defaultValue: number): number => readNumber('HEARTH_LOAD_RATE', defaultValue),
  /** Duration of the load in seconds. */
  seconds: (defaultValue: number): number => readNumber('HEARTH_LOAD_SECONDS', defaultValue),
  /** Factor for the latency bounds, to relax them on a slow machine. */
  slowness: readNumber('HEARTH_LOAD_SLOWNESS', 1),
  /** Paths of JPEGs that the runner has prepared. */
  photoPaths: (__ENV['HEARTH_LOAD_PHOTOS'] ?? '').split(',').filter((path) => path !== ''),
  /** Users with existing libraries and embeddings of the active model. */
  searched: JSON.parse(__ENV['HEARTH_LOAD_SEARCHED'] ?? '[]') as readonly {
    readonly username: string;
    readonly password: string;
  }[],
  /** Folder for the reports. Without it they are only printed. */
  reportFolder: __ENV['HEARTH_LOAD_REPORT'],
  /** API server of the cluster, as `kubectl proxy` serves it. Without it workers are not counted. */
  kubernetesUrl: __ENV['HEARTH_KUBERNETES_URL'],
  namespace: __ENV['HEARTH_NAMESPACE'] ?? 'default',
} as const;

/** @throws if the value is not a number above 0 */
function readNumber(name: string, defaultValue: number): number {
  const text = __ENV[name];
  if (text === undefined || text === '') return defaultValue;
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${name} is ${text}, expected a number above 0`);
  return value;
}
