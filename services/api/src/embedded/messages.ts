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
      '                 (works once, within 24 hours; each start prints a new link until someone signs in)',
    );
  }
  if (firstUser !== undefined) {
    lines.push(
      `  Sign in as     ${firstUser.username}`,
      `  Password       ${firstUser.password}`,
      '                 (shown only once; set a new one with: npm run password -- family)',
    );
  }
  if (firstUser !== undefined && adminPassword !== undefined) {
    lines.push(
      `  Administrator  ${config.adminUsername} (add people at ${localAddress(config)}/admin)`,
      `  Password       ${adminPassword}`,
      `                 (password in ${join(config.dataDirectory, 'secrets.json')})`,
    );
  }
  return [...lines, `  Data           ${config.dataDirectory}`, '  End            Ctrl-C', ''].join('\n');
};

export const startedAsRoot =
  'Hearth: WARNING: running as root gives an attacker full control of this machine. Run it as an ordinary user ' +
  'that owns the data directory.';
