import { levelOfKind, memberLevels } from '@sonnenwarte/contract/members/member-levels';
import { type add, choices, type edit, type MemberRow } from '@sonnenwarte/contract/members/members';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { CheckTreeField } from '../blocks/form/check-tree.tsx';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextAreaField, TextField } from '../blocks/form/fields.tsx';
import { FieldRow } from '../blocks/form/form.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { useOrganisationSource } from '../organisations/organisation-source.ts';
import { type HandedOver, PasswordDialog } from '../organisations/password-dialog.tsx';
import styles from './members.module.css';

interface MemberValues {
  id: string;
  organisationID: string;
  account: string;
  name: string;
  email: string;
  phone: string;
  level: number | '';
  departmentID: string;
  groupIDs: readonly string[];
  note: string;
}

/** What members of the organisation can be given: level, department, groups. */
function PlaceFields({ form }: { form: EndpointForm<MemberValues, 'members'> }): ReactNode {
  const { t } = useTranslation();
  const { organisationID, departmentID, groupIDs } = form.values;
  const query = useQuery(read(choices, { organisationID }));
  const { data } = query;
  if (!data)
    return (
      <ReadState query={query}>
        <Skeleton height="2.25rem" />
        <Skeleton height="6rem" />
      </ReadState>
    );
  const brought = data.departments.find((department) => department.departmentID === departmentID)?.groups ?? [];
  return (
    <>
      <SelectField
        form={form}
        name="level"
        hint={t('members.form.levelHint')}
        placeholder={t(`levels.${levelOfKind(data.kind)}`)}
        options={memberLevels[data.kind].flatMap((level) =>
          // Nothing chosen stands for the organisation's own level.
          form.isRequired('level') || level !== levelOfKind(data.kind)
            ? [{ value: level, label: t(`levels.${level}`) }]
            : [],
        )}
      />
      <SelectField
        form={form}
        name="departmentID"
        label={t('members.field.department')}
        placeholder={t('members.form.noDepartment')}
        options={data.departments.map(({ departmentID: value, path }) => ({ value, label: path.join(' › ') }))}
      />
      {brought.length > 0 && (
        <p className={styles.note}>{t('members.form.departmentGrants', { groups: brought.join(', ') })}</p>
      )}
      {data.groups.length === 0 ? (
        <p className={styles.note}>{t('members.form.noGroups')}</p>
      ) : (
        <CheckTreeField
          form={form}
          name="groupIDs"
          label={t('members.field.groups')}
          groups={[
            {
              id: 'role',
              label: t('permission-groups.type.role'),
              items: data.groups.map(({ permissionGroupID, name, codes }) => ({
                id: permissionGroupID,
                label: `${name} · ${t('members.codes', { count: codes })}`,
              })),
            },
          ]}
        />
      )}
      {brought.length === 0 && groupIDs.length === 0 && (
        <p className={styles.note}>{t('members.form.nothingGranted')}</p>
      )}
    </>
  );
}

function MemberFields({
  form,
  children,
}: {
  form: EndpointForm<MemberValues, 'members'>;
  children?: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      {children}
      <TextField form={form} name="account" hint={t('members.form.accountHint')} />
      <TextField form={form} name="name" />
      <FieldRow>
        <TextField form={form} name="email" />
        <TextField form={form} name="phone" />
      </FieldRow>
      {form.values.organisationID !== '' && <PlaceFields key={form.values.organisationID} form={form} />}
      <TextAreaField form={form} name="note" rows={3} />
    </>
  );
}

/** A further account of an organisation. */
export function MemberAddForm(props: ActionProps<{ organisationID: string | undefined }, typeof add>) {
  const { row, of, onClose } = props;
  const { t } = useTranslation();
  const source = useOrganisationSource();
  const [made, setMade] = useState<HandedOver>();
  const initialValues: MemberValues = {
    id: '',
    organisationID: row.organisationID ?? '',
    account: '',
    name: '',
    email: '',
    phone: '',
    level: '',
    departmentID: '',
    groupIDs: [],
    note: '',
  };
  const form = useEndpointForm(of, {
    initialValues,
    prepare: ({ id: _, ...values }) => values,
    onDone: ({ temporaryPassword: password }, { account: user }) => setMade({ user, password }),
  });
  if (made) return <PasswordDialog {...made} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title={t('members.action.add')}
      opened
      onClose={onClose}
      submitLabel={t('members.action.add')}
      wide
    >
      <MemberFields form={form}>
        <RecordField
          form={form}
          name="organisationID"
          label={t('members.field.organisation')}
          source={source}
          required
          onChosen={() => form.setValues({ level: '', departmentID: '', groupIDs: [] })}
        />
      </MemberFields>
    </FormDialog>
  );
}

/** A member's account, contact, department, groups and level. */
export function MemberEditForm({ row: member, of, onClose }: ActionProps<MemberRow, typeof edit>) {
  const { t } = useTranslation();
  const { accountID, organisationID, account, name, email, phone, level, note } = member;
  const initialValues: MemberValues = {
    id: accountID,
    organisationID,
    account,
    name,
    email,
    phone,
    level,
    departmentID: member.departmentID ?? '',
    groupIDs: member.groups.map(({ permissionGroupID }) => permissionGroupID),
    note,
  };
  const form = useEndpointForm(of, {
    initialValues,
    prepare: ({ id, organisationID: _, ...values }) => ({ accountID: id, ...values }),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('members.editTitle', { account })}
      opened
      onClose={onClose}
      submitLabel={t('members.save')}
      wide
    >
      <MemberFields form={form}>
        <p className={styles.note}>{member.organisation}</p>
      </MemberFields>
    </FormDialog>
  );
}
