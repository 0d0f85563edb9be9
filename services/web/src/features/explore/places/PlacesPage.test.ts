import { expect, test } from 'vitest';
import { groupByCountry } from './PlacesPage.tsx';

const places = [
  { name: 'Zürich', country: 'Switzerland' },
  { name: 'Atlantic Ocean' },
  { name: 'Östersund', country: 'Sweden' },
  { name: 'Vienna', country: 'Austria' },
  { name: 'Aarau', country: 'Switzerland' },
  { name: 'Atlantis', country: 'Utopia' },
];
const names = (language: string) => groupByCountry(places, language).map(({ country }) => country);

test('sorts countries by their translated names', () => {
  expect(names('en')).toEqual(['Austria', 'Sweden', 'Switzerland', 'Utopia', undefined]);
  expect(names('de')).toEqual(['Österreich', 'Schweden', 'Schweiz', 'Utopia', undefined]);
});

test('sorts the places of a country by name', () => {
  const swiss = groupByCountry(places, 'en').find(({ country }) => country === 'Switzerland');
  expect(swiss?.places.map(({ name }) => name)).toEqual(['Aarau', 'Zürich']);
});
