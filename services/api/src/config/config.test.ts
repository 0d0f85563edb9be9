import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '@hearth/core/config/config.ts';
import { apiVariables, type ApiConfig } from './config.ts';
import { testEnvironment } from '@hearth/testkit/api/testApi.ts';

const read = (variables: Record<string, string> = {}): ApiConfig => {
  const env = { ...testEnvironment('postgres://127.0.0.1/hearth', '/data'), ...variables };
  return readConfig(apiVariables(env), env);
};

const isRefused = (name: string) => (error: unknown) =>
  error instanceof ConfigError && error.problems.length === 1 && error.problems[0]!.startsWith(`${name}: `);

const [first, second] = ['the first secret of an earlier time', 'the second one, with a comma in it'];

test('defaults to no trusted proxies, no previous secrets and all features on', () => {
  const { trustedProxies, tokenSecretPrevious, linkSecretPrevious, featuresOff } = read();
  assert.deepEqual([trustedProxies, tokenSecretPrevious, linkSecretPrevious, featuresOff], [[], [], [], []]);
});

for (const name of ['HEARTH_TOKEN_SECRET_PREVIOUS', 'HEARTH_LINK_SECRET_PREVIOUS'] as const) {
  test(`${name} accepts several secrets of sufficient length, one per line`, () => {
    const key = name.includes('TOKEN') ? 'tokenSecretPrevious' : 'linkSecretPrevious';
    assert.deepEqual(read({ [name]: first })[key], [first]);
    assert.deepEqual(read({ [name]: `${first}\n${second}` })[key], [first, second]);
    assert.deepEqual(read({ [name]: `${first}\r\n\r\n${second}\n` })[key], [first, second]);
    assert.throws(() => read({ [name]: `${first}\nshort` }), isRefused(name));
    assert.throws(
      () => read({ [name]: 'a secret, too short' }),
      (error: Error) => !error.message.includes('a secret'),
    );
  });
}

test('accepts addresses, ranges and Express names as trusted proxies', () => {
  const proxies = ['10.1.2.3', '10.0.0.0/8', '2001:db8::/32', '::1', 'loopback', 'linklocal', 'uniquelocal'];
  assert.deepEqual(read({ HEARTH_TRUSTED_PROXIES: proxies.join(', ') }).trustedProxies, proxies);
  for (const wrong of [
    'true',
    '1',
    'proxy.example',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0.0/a',
  ]) {
    assert.throws(
      () => read({ HEARTH_TRUSTED_PROXIES: `loopback,${wrong}` }),
      isRefused('HEARTH_TRUSTED_PROXIES'),
      wrong,
    );
  }
});

test('switches features off by name', () => {
  assert.deepEqual(read({ HEARTH_FEATURES_OFF: 'people, trash' }).featuresOff, ['people', 'trash']);
  assert.throws(() => read({ HEARTH_FEATURES_OFF: 'people,flying' }), isRefused('HEARTH_FEATURES_OFF'));
});

test('accepts only a public URL without a path', () => {
  assert.equal(read({ HEARTH_PUBLIC_URL: 'https://photos.example.org' }).publicUrl, 'https://photos.example.org');
  assert.equal(read({ HEARTH_PUBLIC_URL: 'http://[::1]:5001/' }).publicUrl, 'http://[::1]:5001');
  for (const path of ['/photos', '/photos/', '?a=b', '#a']) {
    const error = () => read({ HEARTH_PUBLIC_URL: `https://example.org${path}` });
    assert.throws(error, isRefused('HEARTH_PUBLIC_URL'), path);
    assert.throws(error, /without a path/);
  }
});

test('requires a public URL of the store for direct links', () => {
  assert.throws(() => read({ HEARTH_S3_DIRECT_LINKS: '1' }), isRefused('HEARTH_S3_DIRECT_LINKS'));
  assert.equal(read({}).s3DirectLinks, false);
});
