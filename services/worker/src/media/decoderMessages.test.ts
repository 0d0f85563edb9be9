import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDecoderMessage } from './decoderMessages.ts';
import { lies, plausible } from './testing/lies.ts';
import { parseTranscodeMessage } from './video/transcodeMessages.ts';

test('an answer of the right shape is taken', () => {
  assert.deepEqual(parseDecoderMessage(plausible), plausible);
  const film = { picture: { ...plausible.picture, isPlayable: true, frameRate: undefined, durationSeconds: 0.04 } };
  const { format: _, ...picture } = film.picture;
  assert.deepEqual(parseDecoderMessage({ picture }), { picture });
});

for (const [what, lie] of Object.entries(lies)) {
  test(`${what} is no answer of a decoder`, () => {
    assert.throws(() => parseDecoderMessage(lie), { name: 'ZodError' });
  });
}

const lengths = { progress: [0, 0.5, 1, undefined], 'no progress': [-1, 2, Number.NaN, 'x', null] };

test('how far a transcoder is lies between nothing and all, or is not known', () => {
  for (const progress of lengths.progress) assert.deepEqual(parseTranscodeMessage({ progress }), { progress });
  for (const progress of lengths['no progress']) assert.throws(() => parseTranscodeMessage({ progress }));
  for (const warnings of [['LOST'], ['DAMAGED', 'DAMAGED', 'DAMAGED'], 'DAMAGED'])
    assert.throws(() => parseTranscodeMessage({ warnings }));
  assert.throws(() => parseTranscodeMessage({ unwritable: 'x', isDiskFull: true }));
});
