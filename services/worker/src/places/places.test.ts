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

test('a position in a large city is told by country, state, city, town and postcode', () => {
  assert.deepEqual(find(3.01, 3), {
    countryCode: 'AA',
    country: 'Aland',
    state: 'South',
    city: 'Metropolis',
    town: 'Metropolis',
    postcode: '1000',
  });
});

test('a suburb is a town of its own in its city', () => {
  assert.deepEqual([find(3.1, 3)?.town, find(3.1, 3)?.city], ['Suburb', 'Metropolis']);
});

test('a town counts before a hamlet that is a little nearer, and not before one at the spot', () => {
  assert.equal(find(7.04, 7)?.town, 'Townlet');
  assert.equal(find(7.001, 7)?.town, 'Hamlet');
});

test('what has no value is left out', () => {
  assert.deepEqual(find(4.1, 4.1), { countryCode: 'BB', country: 'Bland', town: 'Enclave' });
});

test('an enclave is its own country, around it is the other one', () => {
  assert.equal(find(4.19, 4.1)?.countryCode, 'BB');
  assert.equal(find(4.21, 4.1)?.countryCode, 'AA');
});

test('at sea there is no place, also in the waters of a country', () => {
  assert.equal(find(5, 9), undefined);
  assert.equal(find(-30, -30), undefined);
});

test('a beach, a pier and an island too small for the outlines are on land', () => {
  assert.equal(find(5, 8.04)?.countryCode, 'AA');
  assert.equal(find(5, 8.06), undefined);
  assert.equal(find(1.02, 9)?.town, 'Isle');
  assert.equal(find(1.2, 9), undefined);
});

test('far from every town the state is told, and further away the country alone', () => {
  assert.deepEqual(find(5, 4), { countryCode: 'AA', country: 'Aland', state: 'South', postcode: '1000' });
  assert.deepEqual(find(-9.9, 178.1), { countryCode: 'CC', country: 'Dateland' });
});

test('a town on the other side of the date line is near', () => {
  assert.equal(find(-5, 179.99)?.town, 'Tomorrow');
  assert.equal(find(-5, -180)?.town, 'Tomorrow');
});

test('every position has an answer, poles and the date line included', () => {
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
