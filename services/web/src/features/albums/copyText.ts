/**
 * Puts the text of a field on the clipboard; answers whether that went well. Pages that came without TLS have no clipboard: there the browser
 * copies what is selected in the field.
 */
export const copyText = async (field: HTMLInputElement): Promise<boolean> => {
  field.focus();
  field.select();
  if (!('clipboard' in navigator)) return document.execCommand('copy');
  return navigator.clipboard.writeText(field.value).then(
    () => true,
    () => false,
  );
};
