// @vitest-environment happy-dom
import { cleanup, fireEvent, render } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import type { ViewedItem } from '../item/viewedItem.ts';
import { VideoSlide } from './VideoSlide.tsx';

afterEach(cleanup);

const slide = (previewUrl: string, onFailure = vi.fn()) => (
  <VideoSlide
    grid={undefined}
    item={{ id: 'a', previewUrl } as ViewedItem}
    alt="a film"
    fit={{ width: 100, height: 100 }}
    isCurrent
    videoRef={createRef()}
    autoPlay={false}
    onEnded={() => {}}
    onFailure={onFailure}
  />
);

it('keeps a working link, and resumes at the same position with a new link after an error', () => {
  const onFailure = vi.fn();
  const { container, rerender } = render(slide('https://s3.example.org/film?X-Amz-Date=1', onFailure));
  const video = () => container.querySelector('video')!;
  const first = video();
  rerender(slide('https://s3.example.org/film?X-Amz-Date=2', onFailure));
  expect(video()).toBe(first);
  first.currentTime = 1_900;
  fireEvent.error(first);
  expect(onFailure).toHaveBeenCalledOnce();
  expect(video().src).toBe('https://s3.example.org/film?X-Amz-Date=2');
  fireEvent(video(), new Event('loadedmetadata'));
  expect(video().currentTime).toBe(1_900);
});
