import { expect, test } from 'vitest';
import { basicAuthorization } from './adminClient.ts';

test.each([
  ['admin', 'secret', 'YWRtaW46c2VjcmV0'],
  ['Jürgen', 'Straße: 1', 'SsO8cmdlbjpTdHJhw59lOiAx'],
])('encodes the credentials of %s in UTF-8', (username, password, expected) => {
  expect(basicAuthorization({ username, password })).toBe(`Basic ${expected}`);
});
