import { UploadFields } from '@hearth/contract/mediaItems.ts';
import { AppError, type FieldError } from '@hearth/core/log/errors.ts';
import { readClientTime } from './clientTime.ts';
import type { FileDescription } from './keepOriginal.ts';

/**
 * Reads `Upload-Metadata`: pairs of a name and a value in base64, joined by commas; a value may be missing. Unknown names have no effect.
 * @throws AppError VALIDATION_FAILED
 */
export const readUploadMetadata = (header: string): FileDescription => {
  const pairs = header.split(',').filter((pair) => pair.trim() !== '');
  const values = new Map<string, string>();
  const errors: FieldError[] = [];
  const refuse = (name: string, message: string): void => void errors.push({ path: pathOf(name), message });
  for (const pair of pairs) {
    const [, name = '', encoded = ''] = /^ *([\x21-\x2b\x2d-\x7e]+)(?: +([A-Za-z0-9+/]*={0,2}))? *$/.exec(pair) ?? [];
    if (name === '') refuse('', 'must be pairs of a name and a value in base64, joined by commas');
    else if (values.has(name)) refuse(name, 'is given twice');
    else values.set(name, decode(encoded) ?? (refuse(name, 'must be UTF-8 in base64'), ''));
  }
  const [creationTime, description] = [values.get('creationTime'), values.get('description')];
  const fields = UploadFields.safeParse({
    ...(creationTime !== undefined && { creationTime }),
    ...(description !== undefined && { description }),
  });
  for (const { path, message } of fields.error?.issues ?? []) refuse(path.join('.'), message);
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', undefined, { errors });
  return {
    // Some clients send the whole path of a file. Hearth does not store its folders, which are private.
    filename: (values.get('filename') ?? '').split(/[/\\]/).at(-1) ?? '',
    description: fields.data?.description || undefined,
    creationTime: readClientTime(fields.data?.creationTime),
  };
};

const pathOf = (name: string): string => `headers.Upload-Metadata${name === '' ? '' : `.${name}`}`;

const decode = (encoded: string): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
};
