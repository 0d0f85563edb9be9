// @vitest-environment happy-dom
import type { Originals } from '@hearth/contract/originals.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { changeLanguage, startI18n } from '../../lib/i18n/i18n.ts';
import { type AdminClient, AdminContext } from './adminClient.ts';
import { OriginalsSection } from './OriginalsSection.tsx';

beforeAll(startI18n);
afterEach(cleanup);

it.each([
  ['en', 'This storage belongs to another library.'],
  ['de', 'Dieser Speicher gehört zu einer anderen Bibliothek.'],
] as const)('shows why the check is stopped in the language of the app: %s', async (language, sentence) => {
  await changeLanguage(language);
  const originals: Originals = {
    ok: 1,
    unchecked: 0,
    damaged: 0,
    missing: 0,
    repairedRenditions: 0,
    stoppedAt: '2026-11-27T12:00:00Z',
    stoppedCode: 'WRONG_STORAGE',
    stoppedReason: 'the object store has no library marker',
  };
  const client = { call: () => Promise.resolve(originals) } as unknown as AdminClient;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AdminContext value={client}>
        <OriginalsSection />
      </AdminContext>
    </QueryClientProvider>,
  );
  const text = (await screen.findByRole('alert')).textContent;
  expect(text).toContain(sentence);
  expect(text).not.toContain('no library marker');
});
