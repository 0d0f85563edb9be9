import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openPlaces } from './places.ts';
import { decodePlacesFile, encodePlacesFile, PlacesFileError, sectionNames } from './placesFile.ts';
import { makeTestPlaces, writeTestPlaces } from '@hearth/testkit/places/testPlaces.ts';

const directory = await mkdtemp(join(tmpdir(), 'hearth-places-file-'));
after(() => rm(directory, { recursive: true }));

test('restores every section, at a multiple of eight bytes', () => {
  const sections = makeTestPlaces();
  const read = decodePlacesFile(encodePlacesFile(sections));
  for (const name of sectionNames) {
    assert.deepEqual([...read[name]], [...sections[name]], name);
    assert.equal(read[name].byteOffset % 8, 0, name);
  }
});

test('encodes the same places to the same bytes', () => {
  assert.deepEqual(encodePlacesFile(makeTestPlaces()), encodePlacesFile(makeTestPlaces()));
});

test('detects a single changed bit', () => {
  const file = encodePlacesFile(makeTestPlaces());
  for (let at = 0; at < file.length; at += 7) {
    file[at]! ^= 1;
    assert.throws(() => decodePlacesFile(file), PlacesFileError, `byte ${at}`);
    file[at]! ^= 1;
  }
  decodePlacesFile(file);
});

test('rejects a file of another version, and a truncated, empty or missing one', async () => {
  const newer = encodePlacesFile(makeTestPlaces());
  newer.writeUInt32LE(99, 8);
  assert.throws(() => decodePlacesFile(newer), { name: 'PlacesFileError', message: /version 99/ });
  const path = await writeTestPlaces(directory);
  await truncate(path, 1_000);
  await assert.rejects(openPlaces(path), PlacesFileError);
  await writeFile(path, '');
  await assert.rejects(openPlaces(path), PlacesFileError);
  await assert.rejects(openPlaces(join(directory, 'nothing')), PlacesFileError);
});
