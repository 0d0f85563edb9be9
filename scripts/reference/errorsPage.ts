import { errorCodes, namedThings } from '@hearth/contract/errors.ts';
import { reasons, warnings } from '@hearth/contract/reasons.ts';
import { list, page } from './markdown.ts';

/** Renders the page with all API errors and the failure reasons of items. */
export const renderErrorsPage = (): string => {
  const errors = Object.entries(errorCodes).map(
    ([code, { status, message }]) => [`\`${code}\` (${status})`, message] as const,
  );
  return page(
    'Errors',
    [
      'Every error of the API has a `message` for people, a `code` for programs, and a `requestId` to find it in the log. A 400 also has `errors`, which names each wrong part of the request.',
      'Codes never change their meaning; messages may change. With 429 and 503, `Retry-After` is the number of seconds to wait.',
    ],
    'npm run docs:reference',
    [
      '```json\n{\n  "message": "media item not found",\n  "code": "NOT_FOUND",\n  "requestId": "5f8b0c2e-6a0d-4a43-9a0e-0d4a5a0c6d11"\n}\n```',
      `## Error codes\n\n${list(errors)}`,
      `The message of a 404 names what is missing: ${namedThings.map((thing) => `\`${thing}\``).join(', ')}. Objects of other users count as missing.`,
      `## Reasons\n\nWhy a processing step is \`FAILED\`, \`SKIPPED\` or \`BLOCKED\`. Hearth always keeps the original. [What to do](../troubleshooting.md#reasons).\n\n${list(sentences(reasons))}`,
      `## Warnings\n\nProblems of items that are shown anyway.\n\n${list(sentences(warnings))}`,
    ],
  );
};

const sentences = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([word, sentence]) => [`\`${word}\``, sentence] as const);
