import { isIPv4, isIPv6 } from 'node:net';
import type { Request } from 'express';

/**
 * Returns the network of a request, for counting sign-in attempts: an IPv4 address, or the first 64 bits of an IPv6
 * address, which belong to one household. Uses the peer's address, or behind trusted proxies (`HEARTH_TRUSTED_PROXIES`)
 * the right-most address of `X-Forwarded-For` that is not a trusted proxy. Falls back to the peer if the proxy sent no
 * valid address.
 */
export const getNetwork = ({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string =>
  toNetwork(withoutPort(ip)) ?? toNetwork(socket.remoteAddress ?? '') ?? 'unknown';

/** Returns the full address of the client, by the rules of `getNetwork`. */
export const getAddress = ({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string => {
  const address = withoutPort(ip);
  const found = toNetwork(address) === undefined ? (socket.remoteAddress ?? 'unknown') : address;
  return found.replace(/^::ffff:(?=\d+\.)/i, '');
};

/** Returns the network of an address, or undefined if the text is not an address. */
export const toNetwork = (address: string): string | undefined => {
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const groups = parseIpv6Groups(address);
  const isMappedIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return isMappedIPv4 ? bytes.join('.') : `${network.join(':')}::/64`;
};

/** Returns the eight numbers of an IPv6 address in any notation. */
const parseIpv6Groups = (address: string): number[] => {
  // URL normalizes every notation, with `::` for the longest run of zeros. It does not accept zones (`%eth0`).
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`);
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
};

/** Removes the port of `203.0.113.7:4711` or `[2001:db8::1]:4711`, as some proxies write it. */
const withoutPort = (address: string): string =>
  /^(?<address>\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.groups?.['address'] ??
  /^\[(?<address>[^\]]+)\](:\d+)?$/.exec(address)?.groups?.['address'] ??
  address;

/** Describes a client before sign-in. */
export const describeClient = (req: Request) => ({
  network: getNetwork(req),
  address: getAddress(req),
  device: getDevice(req),
});

/** Maximum stored length of `User-Agent`: browsers need 120 characters, some apps twice as many. */
const maxDeviceLength = 256;

/** Returns `User-Agent` without control and non-ASCII characters, or undefined without the header. */
const getDevice = ({ headers }: Pick<Request, 'headers'>): string | undefined =>
  (headers['user-agent'] ?? '').replaceAll(/[^\x20-\x7e]/g, '').slice(0, maxDeviceLength) || undefined;
