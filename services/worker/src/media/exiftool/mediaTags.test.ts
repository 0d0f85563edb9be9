import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeTags, needsCompositeTags } from './mediaTags.ts';

test('gives degrees the sign of their hemisphere, and omits them without a hemisphere', () => {
  const [south, west] = [
    { 'GPS:GPSLatitude': 33.4, 'GPS:GPSLatitudeRef': 'S' },
    { 'GPS:GPSLongitude': 7, 'GPS:GPSLongitudeRef': 'West' },
  ];
  assert.equal(composeTags(south)['Composite:GPSLatitude'], -33.4);
  assert.equal(composeTags({ ...south, 'GPS:GPSLatitudeRef': 'N' })['Composite:GPSLatitude'], 33.4);
  assert.equal(composeTags(west)['Composite:GPSLongitude'], -7);
  assert.equal(composeTags({ ...west, 'GPS:GPSLongitudeRef': 'E' })['Composite:GPSLongitude'], 7);
  assert.equal('Composite:GPSLatitude' in composeTags({ 'GPS:GPSLatitude': 33.4 }), false);
});

test('leaves degrees that are not a number unchanged', () => {
  const tags = composeTags({ 'GPS:GPSLatitude': '', 'GPS:GPSLatitudeRef': 'S' });
  assert.equal(tags['Composite:GPSLatitude'], '');
});

test('joins GPS date and time as UTC', () => {
  const tags = { 'GPS:GPSDateStamp': '2019:06:09', 'GPS:GPSTimeStamp': '09:58:58' };
  assert.equal(composeTags(tags)['Composite:GPSDateTime'], '2019:06:09 09:58:58Z');
  assert.equal('Composite:GPSDateTime' in composeTags({ 'GPS:GPSDateStamp': '2019:06:09' }), false);
});

test('rereads only Canon files without a standard ISO value', () => {
  assert.equal(needsCompositeTags({ 'IFD0:Make': 'Canon' }), true);
  assert.equal(needsCompositeTags({ 'IFD0:Make': 'Canon', 'ExifIFD:ISO': 100 }), false);
  assert.equal(needsCompositeTags({ 'IFD0:Make': 'NIKON' }), false);
  assert.equal(needsCompositeTags({}), false);
});
