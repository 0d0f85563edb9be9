import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followedComponents } from '@hearth/contract/vocabulary.ts';
import { components, type Pipeline } from './pipeline.ts';

test('a component of the pipeline follows another exactly where the contract says so', () => {
  const pipeline: Pipeline = components;
  const followers = pipeline.flatMap(({ name, follows }) => (follows === undefined ? [] : [[name, follows]]));
  assert.deepEqual(Object.fromEntries(followers), followedComponents);
});
