import type { FeatureName } from '@hearth/contract/vocabulary.ts';
import type { User } from '@hearth/contract/users.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api/apiError.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { PasswordField } from '../../components/controls/PasswordField.tsx';
import { Switch } from '../../components/controls/Switch.tsx';
import { TextField } from '../../components/controls/TextField.tsx';
import { toasts } from '../../components/overlays/toasts.ts';
import { adminKey } from './queries.ts';
import { useAdmin } from './adminClient.ts';
import styles from './UsersSection.module.css';
import { toUserUpdate, toUserCreate, toUserForm, parseQuota, type UserForm } from './userForm.ts';

/** Minimum password length in the contract. */
const minPasswordLength = 8;

/** Form to create an account, or to change `user`. */
export const UserDialog = ({ user, onClose }: { readonly user: User | undefined; readonly onClose: () => void }) => {
  const { t } = useTranslation('admin');
  const client = useAdmin();
  const queryClient = useQueryClient();
  const formId = useId();
  const [form, setForm] = useState<UserForm>(() => toUserForm(user));
  const change = (changes: Partial<UserForm>): void => setForm((before) => ({ ...before, ...changes }));

  const save = useMutation({
    mutationFn: async () => {
      if (user === undefined) {
        await client.call('POST /v1/users', { body: toUserCreate(form) });
        return;
      }
      const body = toUserUpdate(user, form);
      if (body !== undefined) await client.call('PUT /v1/users/{id}', { params: { id: user.id }, body });
    },
    onSuccess: async () => {
      onClose();
      toasts.add({ title: user === undefined ? t('created', { name: form.name }) : t('changed', { name: form.name }) });
      await queryClient.invalidateQueries({ queryKey: adminKey });
    },
  });

  const isQuotaWrong = parseQuota(form.quota) === undefined;
  const invalidFields = save.error instanceof ApiError ? save.error.problems.map(({ path }) => path) : [];
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isQuotaWrong) save.mutate();
  };

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={user === undefined ? t('createTitle') : t('changeTitle', { name: user.name })}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button type="submit" form={formId} variant="primary" disabled={save.isPending} focusableWhenDisabled>
            {user === undefined ? t('create') : t('save', { ns: 'common' })}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles['form']} onSubmit={handleSubmit}>
        <TextField
          label={t('name')}
          autoComplete="off"
          required
          value={form.name}
          onValueChange={(name) => change({ name })}
          {...(invalidFields.includes('body.name') && { error: t('nameWrong') })}
        />
        <TextField
          label={t('username')}
          hint={t('usernameHint')}
          autoComplete="off"
          autoCapitalize="none"
          required
          value={form.username}
          onValueChange={(username) => change({ username })}
          {...(invalidFields.includes('body.username') && { error: t('usernameWrong') })}
        />
        <PasswordField
          label={user === undefined ? t('password') : t('passwordNew')}
          hint={
            user === undefined
              ? t('passwordRules', { count: minPasswordLength })
              : t('passwordKeep', { count: minPasswordLength })
          }
          autoComplete="new-password"
          required={user === undefined}
          minLength={minPasswordLength}
          value={form.password}
          onValueChange={(password) => change({ password })}
          {...(invalidFields.includes('body.password') && { error: t('passwordWrong') })}
        />
        <TextField
          label={t('quota')}
          hint={t('quotaHint')}
          inputMode="decimal"
          autoComplete="off"
          value={form.quota}
          onValueChange={(quota) => change({ quota })}
          {...((isQuotaWrong || invalidFields.includes('body.quotaBytes')) && { error: t('quotaWrong') })}
        />
        <fieldset className={styles['features']}>
          <legend>{t('features')}</legend>
          <p className={styles['hint']}>{t('featuresHint')}</p>
          {Object.entries(form.features).map(([feature, isOn]) => (
            <Switch
              key={feature}
              label={t(`feature.${feature as FeatureName}`)}
              isOn={isOn}
              onChange={(isNowOn) => change({ features: { ...form.features, [feature]: isNowOn } })}
            />
          ))}
        </fieldset>
        {save.error !== null && invalidFields.length === 0 && (
          <p role="alert" className={styles['problem']}>
            {t('failed.title', { ns: 'common' })}
          </p>
        )}
      </form>
    </Dialog>
  );
};
