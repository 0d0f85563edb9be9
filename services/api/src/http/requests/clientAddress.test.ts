import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Request } from 'express';
import { getNetwork } from './clientAddress.ts';

const peer = '192.0.2.9';

const networkOfIp = (ip: string | undefined, remoteAddress = peer): string =>
  getNetwork({ ip, socket: { remoteAddress } } as Pick<Request, 'ip' | 'socket'>);

const cases: readonly [ip: string | undefined, network: string][] = [
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['[2001:db8:1:2::1]:4711', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
  ['unknown', peer],
  ['203.0.113.256', peer],
  ['2001:db8:::1', peer],
  ['', peer],
  [undefined, peer],
];

for (const [ip, network] of cases) {
  test(`the network of ${ip} is ${network}`, () => assert.equal(networkOfIp(ip), network));
}

test('treats requests without any valid address as one network', () => {
  assert.equal(networkOfIp('x', ''), 'unknown');
});
