import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBreaks } from './findBreaks.ts';
import { presentDocument } from './releases.ts';
import type { Schema } from './schema.ts';
import {
  answers,
  asks,
  bearer,
  call,
  carries,
  documentOf,
  event,
  oneOf,
  open,
  orNull,
  reads,
  sends,
  strict,
  text,
  type Paths,
} from './testDocuments.ts';

/** What changes, from what to what, and the sentence that says what breaks; none where nothing does. */
const changes: readonly [change: string, old: Paths, now: Paths, sentence?: string][] = [
  ['a route is new', call({}), { ...call({}), '/b': { get: { operationId: 'b' } } }],
  ['a method is new', call({}), { '/a': { post: {}, get: { operationId: 'b' } } }],
  ['a route is gone', call({}), {}, 'A client that calls POST /a will be answered 404.'],
  ['a method is gone', call({}), { '/a': { get: {} } }, 'A client that calls POST /a will be answered 405.'],
  ['a parameter of a path is renamed', { '/a/{id}': { get: {} } }, { '/a/{name}': { get: {} } }],
  [
    'an operation is renamed',
    call({}),
    call({ operationId: 'shout' }),
    'A client made from the document finds POST /a as shout, and no longer as call.',
  ],
  ['nobody has to sign in any more', call({}), call({ security: [] })],
  ['a second way to sign in', call({}), call({ security: [...bearer, { basic: [] }] })],
  [
    'signing in is asked for',
    call({ security: [] }),
    call({}),
    'A client that calls POST /a without signing in will be refused.',
  ],
  [
    'another way to sign in is asked for',
    call({}),
    call({ security: [{ basic: [] }] }),
    'A client that signs in for POST /a by bearer will be refused.',
  ],
  ['a parameter is new', call({}), asks(text)],
  [
    'a needed parameter is new',
    call({}),
    asks(text, true),
    'A client that calls POST /a without `query.q` will be refused.',
  ],
  [
    'a parameter is needed now',
    asks(text),
    asks(text, true),
    'A client that calls POST /a without `query.q` will be refused.',
  ],
  ['a parameter is needed no longer', asks(text, true), asks(text)],
  ['a parameter is gone', asks(text), call({}), 'A client that sends `query.q` to POST /a will not be heard.'],
  [
    'a parameter is bounded',
    asks({ type: 'integer', maximum: 200 }),
    asks({ type: 'integer', maximum: 100 }),
    'A client that sends `query.q` above 100 to POST /a will be refused.',
  ],
  ['a parameter is bounded less', asks({ type: 'integer', maximum: 100 }), asks({ type: 'integer', maximum: 200 })],
  [
    'a default is another',
    asks({ type: 'integer', default: 15 }),
    asks({ type: 'integer', default: 20 }),
    'A client that calls POST /a without `query.q` gets 20 where it got 15.',
  ],
  ['a body is needed now', call({}), sends(open({})), 'A client that calls POST /a without a body will be refused.'],
  ['no body is read any more', sends(open({})), call({}), 'A client that sends a body to POST /a will not be heard.'],
  [
    'a body is of another content type',
    sends(open({})),
    call({ requestBody: { required: true, content: { 'text/plain': {} } } }),
    'A client that sends application/json to POST /a will be refused.',
  ],
  ['a field may be sent', sends(strict({ a: text })), sends(strict({ a: text, b: text }))],
  [
    'a field has to be sent',
    sends(strict({ a: text })),
    sends(strict({ a: text, b: text }, ['b'])),
    'A client that calls POST /a without `body.b` will be refused.',
  ],
  [
    'a field that might be sent has to be',
    sends(strict({ a: text })),
    sends(strict({ a: text }, ['a'])),
    'A client that calls POST /a without `body.a` will be refused.',
  ],
  ['a field need not be sent', sends(strict({ a: text }, ['a'])), sends(strict({ a: text }))],
  [
    'a field may not be sent',
    sends(strict({ a: text, b: text })),
    sends(strict({ a: text })),
    'A client that sends `body.b` to POST /a will be refused.',
  ],
  [
    'a field is not read any more',
    sends(open({ a: text, b: text })),
    sends(open({ a: text })),
    'A client that sends `body.b` to POST /a will not be heard.',
  ],
  ['a word may be sent', sends(strict({ a: oneOf('A') })), sends(strict({ a: oneOf('A', 'B') }))],
  [
    'a word may not be sent',
    sends(strict({ a: oneOf('A', 'B') })),
    sends(strict({ a: oneOf('A') })),
    'A client that sends "B" as `body.a` to POST /a will be refused.',
  ],
  [
    'only some words may be sent',
    sends(strict({ a: text })),
    sends(strict({ a: oneOf('A') })),
    'A client that sends as `body.a` to POST /a anything but "A" will be refused.',
  ],
  ['any text may be sent', sends(strict({ a: oneOf('A') })), sends(strict({ a: text }))],
  ['any number may be sent', sends(strict({ a: { type: 'integer' } })), sends(strict({ a: { type: 'number' } }))],
  [
    'only whole numbers may be sent',
    sends(strict({ a: { type: 'number' } })),
    sends(strict({ a: { type: 'integer' } })),
    'A client that sends a number as `body.a` to POST /a will be refused: it has to be an integer.',
  ],
  ['null may be sent', sends(strict({ a: text })), sends(strict({ a: orNull(text) }))],
  [
    'null may not be sent',
    sends(strict({ a: orNull(text) })),
    sends(strict({ a: text })),
    'A client that sends null as `body.a` to POST /a will be refused: it has to be a string.',
  ],
  [
    'fewer characters may be sent',
    sends(strict({ a: { ...text, maxLength: 9 } })),
    sends(strict({ a: { ...text, maxLength: 5 } })),
    'A client that sends `body.a` of more than 5 characters to POST /a will be refused.',
  ],
  [
    'fewer entries may be sent',
    sends(strict({ a: { type: 'array', items: text } })),
    sends(strict({ a: { type: 'array', items: text, maxItems: 5 } })),
    'A client that sends `body.a` of more than 5 entries to POST /a will be refused.',
  ],
  [
    'other entries have to be sent',
    sends(strict({ a: { type: 'array', items: text } })),
    sends(strict({ a: { type: 'array', items: { type: 'boolean' } } })),
    'A client that sends a string as `body.a[]` to POST /a will be refused: it has to be a boolean.',
  ],
  [
    'a form is asked for',
    sends(strict({ a: text })),
    sends(strict({ a: { ...text, pattern: '^x' } })),
    'A client that sends `body.a` to POST /a as it did may be refused: another `pattern` is asked for.',
  ],
  ['a field is answered', reads(open({ a: text })), reads(open({ a: text, b: text }, ['b']))],
  [
    'a field is not answered',
    reads(open({ a: text, b: text })),
    reads(open({ a: text })),
    'A client that reads `b` in the 200 of POST /a no longer finds it.',
  ],
  [
    'a field is not always answered',
    reads(open({ a: text }, ['a'])),
    reads(open({ a: text })),
    'A client that reads `a` in the 200 of POST /a no longer finds it always.',
  ],
  ['a field is always answered', reads(open({ a: text })), reads(open({ a: text }, ['a']))],
  [
    'a word is answered',
    reads(open({ a: oneOf('A') })),
    reads(open({ a: oneOf('A', 'B') })),
    'A client that reads `a` in the 200 of POST /a may find "B", which it does not know.',
  ],
  [
    'a word is answered of which more were announced',
    reads(open({ a: { ...oneOf('A'), 'x-extensible': true } })),
    reads(open({ a: { ...oneOf('A', 'B'), 'x-extensible': true } })),
  ],
  ['a word is not answered', reads(open({ a: oneOf('A', 'B') })), reads(open({ a: oneOf('A') }))],
  [
    'any text is answered',
    reads(open({ a: oneOf('A') })),
    reads(open({ a: text })),
    'A client that reads `a` in the 200 of POST /a may find more than "A".',
  ],
  ['whole numbers are answered', reads(open({ a: { type: 'number' } })), reads(open({ a: { type: 'integer' } }))],
  [
    'any number is answered',
    reads(open({ a: { type: 'integer' } })),
    reads(open({ a: { type: 'number' } })),
    'A client that reads `a` in the 200 of POST /a may find a number where it knows an integer.',
  ],
  [
    'null is answered',
    reads(open({ a: text })),
    reads(open({ a: orNull(text) })),
    'A client that reads `a` in the 200 of POST /a may find null where it knows a string.',
  ],
  [
    'a list is answered where one was',
    reads(open({})),
    reads({ type: 'array', items: open({}) }),
    'A client that reads the body in the 200 of POST /a may find an array where it knows an object.',
  ],
  [
    'larger numbers are answered',
    reads(open({ a: { type: 'integer', maximum: 100 } })),
    reads(open({ a: { type: 'integer' } })),
    'A client that reads `a` in the 200 of POST /a may find one above 100.',
  ],
  [
    'an event is new of which more were announced',
    reads({ oneOf: [event('a')], 'x-extensible': true }),
    reads({ oneOf: [event('a'), event('b')], 'x-extensible': true }),
  ],
  [
    'an event is new',
    reads({ oneOf: [event('a')] }),
    reads({ oneOf: [event('a'), event('b')] }),
    'A client that reads `event` in the 200 of POST /a may find "b", which it does not know.',
  ],
  ['an error is answered', answers(200), answers(200, 429)],
  [
    'an error is not answered',
    answers(200, 409),
    answers(200),
    'A client that waits for 409 of POST /a no longer gets it.',
  ],
  [
    'a success is another',
    answers(201),
    answers(200, 201),
    'A client that knows the successes of POST /a meets a new one, 200.',
  ],
  ['a header is answered', carries({}), carries({ Link: { schema: text } })],
  [
    'a header is not answered',
    carries({ Link: { schema: text } }),
    carries({}),
    'A client that reads `Link` in the 200 of POST /a no longer finds it.',
  ],
  [
    'a header is not always answered',
    carries({ Link: { required: true, schema: text } }),
    carries({ Link: { schema: text } }),
    'A client that reads `Link` in the 200 of POST /a no longer finds it always.',
  ],
  [
    'an answer has another content type',
    reads(open({})),
    call({ responses: { 200: { content: { 'text/csv': {} } } } }),
    'A client that reads application/json in the 200 of POST /a no longer gets it.',
  ],
];

for (const [change, old, now, sentence] of changes) {
  test(sentence === undefined ? `${change}: nothing breaks` : `${change}: ${sentence}`, () => {
    assert.deepEqual(findBreaks(documentOf(old), documentOf(now)), sentence === undefined ? [] : [sentence]);
  });
}

const fiveReads = (schema: Schema): Paths =>
  Object.fromEntries(['/a', '/b', '/c', '/d', '/e'].map((path) => [path, reads(schema)['/a']!]));

test('one sentence names all requests for which the same breaks', () => {
  assert.deepEqual(findBreaks(documentOf(fiveReads(open({ a: text }))), documentOf(fiveReads(open({})))), [
    'A client that reads `a` in the 200 of POST /a, POST /b, POST /c and 2 more no longer finds it.',
  ]);
});

test('the contract as it is breaks nothing of itself, and without any one of its routes breaks its callers', () => {
  const present = presentDocument();
  assert.deepEqual(findBreaks(present, present), []);
  for (const path of Object.keys(present.paths)) {
    const { [path]: _, ...paths } = present.paths;
    assert.match(
      findBreaks(present, { ...present, paths }).join('\n'),
      /^A client that calls .* will be answered 40[45]/,
    );
  }
});
