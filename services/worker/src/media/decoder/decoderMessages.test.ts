import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDecoderMessage } from './decoderMessages.ts';
import { maliciousResponses, plausibleResponse } from '../sandbox/testing/maliciousResponses.ts';
import { parseTranscodeMessage } from '../transcode/transcodeVideo.ts';

test('accepts valid messages', () => {
  const { format: _, ...picture } = plausibleResponse.value;
  const film = { kind: 'video', value: { ...picture, isPlayable: true, frameRate: undefined, durationSeconds: 0.04 } };
  const pixels = { kind: 'pixels', value: [{ data: Buffer.alloc(12), width: 2, height: 2 }] };
  const parts = { kind: 'cutOuts', value: [{ bytes: Buffer.from('part'), width: 240, height: 180 }] };
  for (const message of [plausibleResponse, film, pixels, parts])
    assert.deepEqual(parseDecoderMessage(message), message);
});

for (const [description, respond] of Object.entries(maliciousResponses)) {
  test(`rejects ${description} in a response of a decoder`, () => {
    assert.throws(() => parseDecoderMessage(respond), { name: 'ZodError' });
  });
}

const fractions = { valid: [0, 0.5, 1, undefined], invalid: [-1, 2, Number.NaN, 'x', null] };

const parseProgress = (fraction: unknown) => parseTranscodeMessage({ kind: 'progress', fraction });

test('accepts transcode progress from 0 to 1 or undefined, and rejects other values', () => {
  for (const fraction of fractions.valid) assert.deepEqual(parseProgress(fraction), { kind: 'progress', fraction });
  for (const fraction of fractions.invalid) assert.throws(() => parseProgress(fraction));
  for (const warnings of [['LOST'], ['DAMAGED', 'DAMAGED', 'DAMAGED'], 'DAMAGED'])
    assert.throws(() => parseTranscodeMessage({ kind: 'done', warnings }));
  assert.throws(() => parseTranscodeMessage({ kind: 'unwritable', text: 'x', isDiskFull: true }));
});
