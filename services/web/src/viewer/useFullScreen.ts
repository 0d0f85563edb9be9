import { useCallback, useEffect, useState } from 'react';

/** Whether the page fills the screen, and what changes that; `toggle` is undefined where the browser cannot. The page as a whole does, so that messages stay to be seen. */
export const useFullScreen = (): { readonly isFull: boolean; readonly toggle: (() => void) | undefined } => {
  const [isFull, setIsFull] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const follow = (): void => setIsFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', follow);
    return () => {
      document.removeEventListener('fullscreenchange', follow);
      if (document.fullscreenElement !== null) void document.exitFullscreen();
    };
  }, []);
  const toggle = useCallback(() => {
    if (document.fullscreenElement === null) void document.documentElement.requestFullscreen().catch(() => undefined);
    else void document.exitFullscreen();
  }, []);
  return { isFull, toggle: document.fullscreenEnabled ? toggle : undefined };
};
