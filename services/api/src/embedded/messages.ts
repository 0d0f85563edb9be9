import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { ApiConfig } from '../config/config.ts';
import type { Credentials } from './secrets.ts';

/** Returns an address to open. If the server listens on all interfaces, other devices of the network can open it too. */
export const localAddress = (
  { host, port }: Pick<ApiConfig, 'host' | 'port'>,
  interfaces: Interfaces = networkInterfaces(),
): string => {
  const name = host === '0.0.0.0' || host === '::' ? findLanAddress(interfaces) : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
};

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

type Interfaces = ReturnType<typeof networkInterfaces>;

/** Interfaces of containers and virtual machines, which other devices cannot reach. */
const virtualInterface = /^(?:br-|cali|cni|docker|flannel|lxc|lxd|podman|veth|virbr)/;

/** Returns the first IPv4 address of a network interface, or 127.0.0.1 without a network. */
const findLanAddress = (interfaces: Interfaces): string =>
  Object.entries(interfaces)
    .filter(([name]) => !virtualInterface.test(name))
    .flatMap(([, addresses = []]) => addresses)
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';

export const startedAsRoot =
  'Hearth: WARNING: running as root gives an attacker full control of this machine. Run it as an ordinary user ' +
  'that owns the data directory.';
