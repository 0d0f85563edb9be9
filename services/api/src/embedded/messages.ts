import { join } from 'node:path';
import type { ApiConfig } from '../config/config.ts';
import type { Credentials } from './secrets.ts';

export const localAddress = ({ host, port }: Pick<ApiConfig, 'host' | 'port'>): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Builds the message printed after the start. Shows only generated passwords, not configured ones. */
export const runningMessage = (
  config: ApiConfig,
  shownOnce: {
    readonly firstUser?: Credentials | undefined;
    readonly adminPassword?: string | undefined;
    readonly firstSignInLink?: string | undefined;
  },
): string => {
  const { firstUser, adminPassword, firstSignInLink } = shownOnce;
  const lines = ['', `Hearth is running at ${localAddress(config)}`, ''];
  if (firstSignInLink !== undefined) {
    lines.push(
      `  Open           ${firstSignInLink}`,
      '                 (signs you in once, within 24 hours; each start shows a new one until somebody has signed in)',
    );
  }
  if (firstUser !== undefined) {
    lines.push(
      `  Sign in as     ${firstUser.username}`,
      `  Password       ${firstUser.password}`,
      '                 (shown this once; npm run password -- family sets a new one)',
    );
  }
  if (firstUser !== undefined && adminPassword !== undefined) {
    lines.push(
      `  Administrator  ${config.adminUsername}, who adds people at ${localAddress(config)}/admin`,
      `  Password       ${adminPassword}`,
      `                 (kept in ${join(config.dataDirectory, 'secrets.json')})`,
    );
  }
  return [...lines, `  Data           ${config.dataDirectory}`, '  End            Ctrl-C', ''].join('\n');
};

export const startedAsRoot =
  'Hearth: WARNING: started as root, who may do everything on this machine; so may whoever takes Hearth over. Start it as an ordinary user ' +
  'who owns the data directory.';
