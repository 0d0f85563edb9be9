import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { apiVersion } from '@hearth/contract/system.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { findBreaks } from './findBreaks.ts';
import { newestRelease, presentJson } from './releases.ts';

/** A document that the tests modify. */
// oxlint-disable-next-line typescript/no-explicit-any -- the document has hundreds of types, and each test changes one place
type Draft = any;

/** Changes of the contract, each with the expected line for a breaking change. */
const changes: readonly [change: string, apply: (draft: Draft) => void, line?: RegExp][] = [
  ['a route', ({ paths }) => delete paths['/v1/trash'], /GET \/v1\/trash: API path removed/],
  ['a method', ({ paths }) => delete paths['/v1/albums'].post, /^POST \/v1\/albums: API removed/],
  [
    'an operation id',
    ({ paths }) => (paths['/v1/albums'].post.operationId = 'makeAlbum'),
    /^POST \/v1\/albums: .*operation id/,
  ],
  [
    'another default',
    ({ paths }) =>
      (paths['/v1/search'].get.parameters.find((each: Draft) => 'default' in each.schema).schema.default = 7),
    /^GET \/v1\/search: .*default value was changed/,
  ],
  [
    'a required field of a request',
    ({ components }) => components.schemas.AlbumCreate.required.push('description'),
    /`description` became required/,
  ],
  [
    'an optional field of a response',
    ({ components }) => delete components.schemas.Album.properties.description,
    /removed the optional property `.*description` from the response/,
  ],
  [
    'an optional header',
    ({ paths }) => delete paths['/v1/trash'].get.responses[200].headers.Link,
    /header `link` removed/,
  ],
  ['an error', ({ paths }) => delete paths['/v1/albums/{id}'].get.responses[404], /removed the non-success .*`404`/],
  [
    'a second success',
    ({ paths }) => (paths['/v1/albums/{id}'].get.responses[202] = { description: 'Later.' }),
    /added the success .*`202`/,
  ],
  [
    'a field of an event',
    ({ components }) => delete components.schemas.MediaItemEvent.oneOf[0].properties.type,
    /^GET \/v1\/events: .*type/,
  ],
  [
    'a value of a closed list',
    ({ components }) => components.schemas.MediaItem.properties.status.enum.push('HOLOGRAM'),
    /added the new `HOLOGRAM` enum value/,
  ],
  ['a value of an open list', ({ components }) => components.schemas.Error.properties.code.enum.push('tooCurious')],
  [
    'a kind of event',
    ({ paths }) =>
      paths['/v1/events'].get.responses[200].content['text/event-stream'].schema.anyOf.push({
        type: 'object',
        properties: { event: { type: 'string', const: 'weather' } },
      }),
  ],
  ['another description', ({ info }) => (info.description = 'Hearth.')],
];

suite('contract', { skip: missingTool('oasdiff') }, () => {
  test('keeps the promises of its version after its release', () => {
    const released = newestRelease();
    assert.ok(released, 'npm run release:openapi writes docs/openapi');
    // A higher version may break the contract. npm run release:openapi lists the breaking changes.
    if (released.version === apiVersion)
      assert.deepEqual(findBreaks(released.json, presentJson()), [], 'keep it, or raise apiVersion in system.ts');
  });

  for (const [change, apply, line] of changes)
    test(`${line === undefined ? 'may' : 'may not'} change ${change}`, () => {
      const draft = JSON.parse(presentJson());
      apply(draft);
      const breaks = findBreaks(presentJson(), JSON.stringify(draft)).join('\n');
      if (line === undefined) assert.equal(breaks, '');
      else assert.match(breaks, line);
    });
});
