import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Calls `onFiles` with what is dropped or pasted anywhere on the page, as long as the component is there. Answers whether files are being dragged
 * over the page. A picture of the page itself that is dragged about is no file.
 */
export const useFileDrop = (onFiles: (transfer: DataTransfer) => void): boolean => {
  const [isOver, setIsOver] = useState(false);
  const handleFiles = useEffectEvent(onFiles);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    let isOwnDrag = false;
    const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
      !isOwnDrag && dataTransfer !== null && dataTransfer.types.includes('Files');

    addEventListener('dragstart', () => (isOwnDrag = true), { signal });
    addEventListener('dragend', () => (isOwnDrag = false), { signal });
    addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
        setIsOver(true);
      },
      { signal },
    );
    addEventListener(
      'dragleave',
      // Without a target that the pointer comes to, it has left the window.
      ({ relatedTarget }) => relatedTarget === null && setIsOver(false),
      { signal },
    );
    addEventListener(
      'drop',
      (event) => {
        setIsOver(false);
        if (!hasFiles(event) || event.dataTransfer === null) return;
        event.preventDefault();
        handleFiles(event.dataTransfer);
      },
      { signal },
    );
    addEventListener(
      'paste',
      ({ clipboardData, target }) => {
        const isText = target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null;
        if (!isText && clipboardData !== null && clipboardData.files.length > 0) handleFiles(clipboardData);
      },
      { signal },
    );
    return () => ending.abort();
  }, []);
  return isOver;
};
