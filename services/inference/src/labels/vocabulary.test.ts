import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lacksModels, testStore } from '@hearth/testkit/models/testModels.ts';
import { getObjectNoun, getSceneNoun, vocabulary } from './vocabulary.ts';

const readLines = (model: string, file: string): string[] =>
  readFileSync(join(testStore.directory, model, file), 'utf8')
    .trimEnd()
    .split(/\r?\n/);

const entries = Object.entries(vocabulary);

test('has capitalized nouns with distinct lower-case synonyms', () => {
  for (const [noun, { synonyms, german, scenes, objects }] of entries) {
    assert.match(noun, /^[A-Z][a-z]*([ -][a-z]+)*$/);
    for (const synonym of synonyms) assert.match(synonym, /^[a-z]+(-[a-z]+)*$/, noun);
    for (const word of german) assert.match(word, /^[a-zäöüß]+(-[a-z]+)*$/, noun);
    const words = [noun.toLowerCase(), ...synonyms, ...german];
    assert.equal(new Set(words).size, words.length, noun);
    assert.ok(scenes.length + objects.length > 0, noun);
  }
});

test('names only kinds that a model knows, each with one noun', { skip: lacksModels }, () => {
  const scenes = readLines('shufflenet-v2-int8', 'synset.txt');
  const objects = readLines('yolox-nano', 'coco_classes.txt');
  for (const [noun, entry] of entries) {
    const lines = scenes.filter((line) => getSceneNoun(line) === noun);
    assert.equal(lines.length, entry.scenes.length, noun);
    assert.equal(objects.filter((line) => getObjectNoun(line) === noun).length, entry.objects.length, noun);
  }
});

test('maps two kinds with the same name to different nouns', () => {
  assert.equal(getSceneNoun('n02012849 crane'), 'Bird');
  assert.equal(getSceneNoun('n03126707 crane'), 'Crane');
  assert.equal(getSceneNoun('n02113186 Cardigan, Cardigan Welsh corgi'), 'Dog');
  assert.equal(getSceneNoun('n02963159 cardigan'), undefined);
  assert.equal(getObjectNoun('person'), undefined);
});
