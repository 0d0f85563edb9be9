import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import { fitSimilarity } from './alignFace.ts';

const template = [
  { x: 38, y: 52 },
  { x: 74, y: 51 },
  { x: 56, y: 72 },
  { x: 42, y: 92 },
  { x: 71, y: 92 },
];

test('recovers the rotation, scale and translation of a face exactly', () => {
  const offset = fc.double({ min: -200, max: 200, noNaN: true });
  const angles = fc.double({ min: -Math.PI, max: Math.PI, noNaN: true });
  fc.assert(
    fc.property(angles, fc.double({ min: 0.1, max: 10, noNaN: true }), offset, offset, (angle, scale, x, y) => {
      const [a, b] = [scale * Math.cos(angle), scale * Math.sin(angle)];
      const moved = template.map((p) => ({ x: a * p.x - b * p.y + x, y: b * p.x + a * p.y + y }));
      const { turn, move } = fitSimilarity(template, moved);
      for (const [found, expected] of [
        [turn.x, a],
        [turn.y, b],
        [move.x, x],
        [move.y, y],
      ] as const)
        assert.ok(Math.abs(found - expected) < 1e-6);
    }),
  );
});

test('does not mirror a mirrored face back', () => {
  const { turn } = fitSimilarity(
    template,
    template.map(({ x, y }) => ({ x: -x, y })),
  );
  assert.ok(Math.hypot(turn.x, turn.y) < 0.9);
});
