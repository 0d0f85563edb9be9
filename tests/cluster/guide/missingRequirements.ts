import { execFileSync } from 'node:child_process';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { missingMedia } from '../../media/manifest.ts';
import { missingCluster } from '../cluster.ts';

const explainMissingProgram = (name: string): string | false => {
  try {
    execFileSync(name, [name === 'openssl' ? 'version' : '--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return `${name} is not installed`;
  }
};

const missingVariable = ['HEARTH_CONTAINER_ENGINE', 'HEARTH_CLUSTER_IMPORT'].find((name) => !process.env[name]);

/**
 * Skip reason for `suite(name, { skip: missingRequirements }, …)`, or false if everything that the guide needs is available.
 */
export const missingRequirements =
  missingCluster ||
  missingMedia ||
  (missingVariable !== undefined && `${missingVariable} is not set; see docs/docs/dev-guide/cluster-tests.md`) ||
  missingTool('helm', 'k6', 'rclone') ||
  ['jq', 'openssl', 'curl', 'git'].map(explainMissingProgram).find((reason) => reason !== false) ||
  false;
