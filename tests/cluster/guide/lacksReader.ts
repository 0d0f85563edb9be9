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

/** For `suite(name, { skip: lacksReader }, …)`: the reason, or false where everything is there that a reader of the guide needs. */
export const lacksReader =
  lacksCluster ||
  lacksMedia ||
  (lacksVariable !== undefined && `no ${lacksVariable}: see docs/docs/dev-guide/cluster-tests.md`) ||
  missingTool('helm', 'k6', 'rclone') ||
  ['jq', 'openssl', 'curl', 'git'].map(lacksProgram).find((reason) => reason !== false) ||
  false;
