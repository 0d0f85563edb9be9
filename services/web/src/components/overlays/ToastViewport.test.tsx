// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { startI18n } from '../../lib/i18n/i18n.ts';
import { ToastViewport } from './ToastViewport.tsx';
import { toasts } from './toasts.ts';

beforeAll(startI18n);
afterEach(cleanup);

it('exposes the close button of a toast to screen readers, because Tab reaches it', async () => {
  render(<ToastViewport />);
  toasts.add({ title: 'Saved' });
  expect(await screen.findByRole('button', { name: 'Close' })).toBeDefined();
});
