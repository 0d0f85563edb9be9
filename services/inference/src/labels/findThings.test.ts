import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findThings } from './findThings.ts';

const box = { left: 0, top: 0, width: 1, height: 1 };

test('adds up the probabilities of all kinds of one thing', () => {
  const scenes = [
    { kind: 'n02099601 golden retriever', probability: 0.5 },
    { kind: 'n02099712 Labrador retriever', probability: 0.35 },
    { kind: 'n02802426 basketball', probability: 0.15 },
  ];
  const [dog, ...others] = findThings({ scenes, objects: [] });
  assert.deepEqual(others, []);
  assert.equal(dog?.name, 'Dog');
  assert.ok(Math.abs(dog.confidence - 0.85) < 1e-9);
  assert.ok(dog.synonyms.includes('puppy'));
});

test('requires less confidence for a thing that both models see', () => {
  const scenes = [{ kind: 'n02123045 tabby, tabby cat', probability: 0.4 }];
  const objects = [
    { kind: 'cat', score: 0.5, box },
    { kind: 'cat', score: 0.35, box },
    { kind: 'sofa', score: 0.79, box },
    { kind: 'person', score: 0.99, box },
  ];
  assert.deepEqual(findThings({ scenes: [], objects }), []);
  const [cat, ...others] = findThings({ scenes, objects });
  assert.deepEqual([cat?.name, others.length], ['Cat', 0]);
  assert.ok(Math.abs(cat!.confidence - 0.7) < 1e-9);
  const sure = [{ kind: 'sofa', score: 0.81, box }];
  assert.deepEqual(
    findThings({ scenes: [], objects: sure }).map(({ name }) => name),
    ['Sofa'],
  );
});
