import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';
import { openPlaces, type Places } from './places.ts';
import { evaluatePlaces, lacksTestPoints, readTestPoints } from '@hearth/testkit/places/evaluatePlaces.ts';

suite('places file built by npm run places', { skip: missingTool('places') }, () => {
  let places: Places;
  before(async () => (places = await openPlaces(toolPath('places'))));

  test('finds country, state and town of the test points, and nothing at sea', { skip: lacksTestPoints }, (t) => {
    const { points, country, state, town, postcode, postcodesKnown, atSea, wrong } = evaluatePlaces(
      places,
      readTestPoints(),
    );
    t.diagnostic(
      `of ${points}: country ${country}, state ${state}, town ${town}; postcode ${postcode} of ${postcodesKnown}`,
    );
    for (const line of wrong) t.diagnostic(line);
    assert.equal(points, 78);
    assert.equal(country, 78);
    assert.ok(state >= 75, `${state} states`);
    assert.ok(town >= 74, `${town} towns`);
    assert.ok(postcode >= 0.9 * postcodesKnown, `${postcode} of ${postcodesKnown} postcodes`);
    assert.deepEqual(atSea, []);
  });

  test('returns a country with a name or undefined for 10,000 random positions', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        (latitude, longitude) => {
          const place = places.find({ latitude, longitude });
          return place === undefined || (/^[A-Z]{2}$/.test(place.countryCode) && place.country !== place.countryCode);
        },
      ),
      { numRuns: 10_000 },
    );
  });

  for (const [name, latitude, longitude, countryCode, country] of [
    ['the Canary Islands', 28.1235, -15.4363, 'ES', 'Spain'],
    ['Crimea', 44.6167, 33.5254, 'UA', 'Ukraine'],
    ['Ascension', -7.927, -14.411, 'SH', 'Saint Helena'],
    ['Puerto Rico', 18.4655, -66.1057, 'PR', 'Puerto Rico'],
    ['Fiji, beyond the date line', -16.8, -179.99, 'FJ', 'Fiji'],
    ['the South Pole', -90, 0, 'AQ', 'Antarctica'],
    ['Macau', 22.1987, 113.5439, 'MO', 'Macao'],
    ['Kinshasa', -4.3217, 15.3125, 'CD', 'Democratic Republic of the Congo'],
  ] as const) {
    test(`assigns ${name} to ${country}`, () => {
      const place = places.find({ latitude, longitude });
      assert.deepEqual([place?.countryCode, place?.country], [countryCode, country]);
    });
  }

  for (const [name, latitude, longitude] of [
    ['the Channel', 50.2, -0.5],
    ['the Baltic', 57.5, 19.9],
    ['off Malibu', 33.7, -119.0],
    ['the Arctic Ocean', 88, 100],
    ['the Mediterranean', 38.5, 5.5],
  ] as const) {
    test(`returns nothing at sea: ${name}`, () => assert.equal(places.find({ latitude, longitude }), undefined));
  }
});
