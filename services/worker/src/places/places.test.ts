import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import { openPlaces } from './places.ts';
import { writeTestPlaces } from '@hearth/testkit/places/testPlaces.ts';

const directory = await mkdtemp(join(tmpdir(), 'hearth-places-'));
after(() => rm(directory, { recursive: true }));
const places = await openPlaces(await writeTestPlaces(directory));

const find = (latitude: number, longitude: number) => places.find({ latitude, longitude });

test('returns country, state, city, town and postcode in a large city', () => {
  assert.deepEqual(find(3.01, 3), {
    countryCode: 'AA',
    country: 'Aland',
    state: 'South',
    city: 'Metropolis',
    town: 'Metropolis',
    postcode: '1000',
  });
});

test('returns a suburb as the town of its city', () => {
  assert.deepEqual([find(3.1, 3)?.town, find(3.1, 3)?.city], ['Suburb', 'Metropolis']);
});

test('prefers a town to a slightly nearer hamlet, but not to one at the position', () => {
  assert.equal(find(7.04, 7)?.town, 'Townlet');
  assert.equal(find(7.001, 7)?.town, 'Hamlet');
});

test('omits unknown values', () => {
  assert.deepEqual(find(4.1, 4.1), { countryCode: 'BB', country: 'Bland', town: 'Enclave' });
});

test('returns the country of an enclave inside, and the surrounding country outside', () => {
  assert.equal(find(4.19, 4.1)?.countryCode, 'BB');
  assert.equal(find(4.21, 4.1)?.countryCode, 'AA');
});

test('returns undefined at sea, also in the waters of a country', () => {
  assert.equal(find(5, 9), undefined);
  assert.equal(find(-30, -30), undefined);
});

test('counts a beach, a pier and a very small island as land', () => {
  assert.equal(find(5, 8.04)?.countryCode, 'AA');
  assert.equal(find(5, 8.06), undefined);
  assert.equal(find(1.02, 9)?.town, 'Isle');
  assert.equal(find(1.2, 9), undefined);
});

test('returns only the state far from towns, and only the country even further away', () => {
  assert.deepEqual(find(5, 4), { countryCode: 'AA', country: 'Aland', state: 'South', postcode: '1000' });
  assert.deepEqual(find(-9.9, 178.1), { countryCode: 'CC', country: 'Dateland' });
});

test('finds a town across the date line', () => {
  assert.equal(find(-5, 179.99)?.town, 'Tomorrow');
  assert.equal(find(-5, -180)?.town, 'Tomorrow');
});

test('handles every position, including poles and date line', () => {
  const latitude = fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 90, 0));
  const longitude = fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, 180, 0));
  fc.assert(
    fc.property(latitude, longitude, (latitude, longitude) => {
      const place = find(latitude, longitude);
      return place === undefined || place.country.length > 0;
    }),
    { numRuns: 2_000 },
  );
});
