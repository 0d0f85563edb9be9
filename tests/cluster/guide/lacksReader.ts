import { execFileSync } from 'node:child_process';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { lacksMedia } from '../../media/manifest.ts';
import { lacksCluster } from '../cluster.ts';

const lacksProgram = (name: string): string | false => {
  try {
    execFileSync(name, [name === 'openssl' ? 'version' : '--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return `${name} is not installed`;
  }
};

const lacksVariable = ['HEARTH_CONTAINER_ENGINE', 'HEARTH_CLUSTER_IMPORT'].find((name) => !process.env[name]);

/**
 * Skip reason for `suite(name, { skip: lacksReader }, …)`, or false if everything that the guide needs is available.
 */
export const lacksReader =
  lacksCluster ||
  lacksMedia ||
  (lacksVariable !== undefined && `no ${lacksVariable}: see docs/docs/dev-guide/cluster-tests.md`) ||
  missingTool('helm', 'k6', 'rclone') ||
  ['jq', 'openssl', 'curl', 'git'].map(lacksProgram).find((reason) => reason !== false) ||
  false;
