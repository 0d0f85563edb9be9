import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Calls `onFiles` when files are dropped or pasted anywhere on the page. Returns whether files are being dragged over
 * it. Ignores drags of the page's own pictures.
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
      // Without `relatedTarget`, the pointer has left the window.
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
