import type { Features } from '@hearth/contract/features.ts';
import type { User, UserCreate, UserUpdate } from '@hearth/contract/users.ts';

export interface UserForm {
  readonly name: string;
  readonly username: string;
  /** Empty: keeps the current password. */
  readonly password: string;
  /** Gigabytes as typed, with a decimal point or comma. Empty: unlimited. */
  readonly quota: string;
  readonly features: Features;
}

const bytesPerGigabyte = 1e9;

/** Features of a new account. */
export const allFeatures: Features = {
  favourites: true,
  hidden: true,
  trash: true,
  albums: true,
  explore: true,
  places: true,
  things: true,
  people: true,
  sharing: true,
  jobs: true,
};

export const toUserForm = (user: User | undefined): UserForm => ({
  name: user?.name ?? '',
  username: user?.username ?? '',
  password: '',
  quota: user?.quotaBytes === undefined ? '' : String(user.quotaBytes / bytesPerGigabyte),
  features: user?.features ?? allFeatures,
});

/** Returns the quota in bytes, `null` for no quota, or undefined for invalid input. */
export const parseQuota = (text: string): number | null | undefined => {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return null;
  const gigabytes = Number(trimmed);
  return Number.isFinite(gigabytes) && gigabytes >= 0 ? Math.round(gigabytes * bytesPerGigabyte) : undefined;
};

export const toUserCreate = ({ name, username, password, quota, features }: UserForm): UserCreate => {
  const off = changedFeatures(allFeatures, features);
  const quotaBytes = parseQuota(quota);
  return {
    name,
    username,
    password,
    ...(Object.keys(off).length > 0 && { features: off }),
    ...(typeof quotaBytes === 'number' && { quotaBytes }),
  };
};

/** Returns the changed fields of the account, or undefined without changes. */
export const toUserUpdate = (user: User, form: UserForm): UserUpdate | undefined => {
  const before = toUserForm(user);
  const features = changedFeatures(user.features, form.features);
  const quotaBytes = parseQuota(form.quota);
  const update = {
    ...(form.name !== before.name && { name: form.name }),
    ...(form.username !== before.username && { username: form.username }),
    ...(form.password !== '' && { password: form.password }),
    ...(form.quota !== before.quota && quotaBytes !== undefined && { quotaBytes }),
    ...(Object.keys(features).length > 0 && { features }),
  };
  return Object.keys(update).length > 0 ? update : undefined;
};

const changedFeatures = (before: Features, after: Features): Partial<Features> =>
  Object.fromEntries(Object.entries(after).filter(([name, isOn]) => before[name as keyof Features] !== isOn));
