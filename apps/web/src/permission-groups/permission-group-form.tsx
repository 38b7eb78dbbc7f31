import { levelOfKind, type OrganisationKind } from '@sonnenwarte/contract/members/member-levels';
import {
  type add,
  choices,
  detail,
  type edit,
  groupType,
  type PermissionGroupRow,
} from '@sonnenwarte/contract/permission-groups/permission-groups';
import { type PermissionCode, permissions } from '@sonnenwarte/contract/permissions';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { usePermissionLabel } from '../blocks/actions/can.tsx';
import { type CheckGroup, CheckTreeField } from '../blocks/form/check-tree.tsx';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextField } from '../blocks/form/fields.tsx';
import { FieldRow } from '../blocks/form/form.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';
import { ReadFirst } from '../blocks/overlay/read-first.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { useOrganisationSource } from '../organisations/organisation-source.ts';
import { useGlobalState } from '../state/global-state.ts';
import { Affected } from './affected.tsx';
import styles from './permission-groups.module.css';

interface GroupValues {
  id: string;
  organisationID: string;
  name: string;
  description: string;
  type: 'department' | 'role';
  departmentID: string;
  codes: readonly PermissionCode[];
}

const NAME_LENGTH = 32;
const codes = Object.keys(permissions) as PermissionCode[];
const areas = [...new Set(codes.map((code) => code.split(':')[0] as PermissionArea))];
type PermissionArea = PermissionCode extends infer C ? (C extends `${infer A}:${string}` ? A : never) : never;

/** The codes by area; those that the organisation's level, or the author, cannot hold say so and stay as they are. */
function useCodeGroups(kind: OrganisationKind): readonly CheckGroup[] {
  const { t } = useTranslation();
  const label = usePermissionLabel();
  const held = useGlobalState((state) => state.buttonPermissions);
  return useMemo(() => {
    const level = levelOfKind(kind);
    const levelCannot = t('permission-groups.levelCannot', { level: t(`levels.${level}`) });
    const reasonOf = (code: PermissionCode): string | undefined => {
      if (!permissions[code].some((holder) => holder === level)) return levelCannot;
      return held.includes(code) ? undefined : t('permission-groups.notHeld');
    };
    return areas.map((area) => {
      const items = codes
        .filter((code) => code.startsWith(`${area}:`))
        .map((code) => ({ id: code, label: label(code), reason: reasonOf(code) }));
      const areaLabel = t(`permissions.area.${area}`);
      const beyond = items.every(({ reason }) => reason === levelCannot);
      return {
        id: area,
        label: beyond ? `${areaLabel} – ${levelCannot}` : areaLabel,
        items: items.map(({ id, label: text, reason }) => ({
          id,
          label: reason === undefined || beyond ? text : `${text} – ${reason}`,
          ...(reason !== undefined && { disabled: true }),
        })),
      };
    });
  }, [t, kind, held, label]);
}

function CodesField({
  form,
  kind,
}: {
  form: EndpointForm<GroupValues, 'permission-groups'>;
  kind: OrganisationKind;
}): ReactNode {
  const groups = useCodeGroups(kind);
  return <CheckTreeField form={form} name="codes" groups={groups} />;
}

function NameFields({ form }: { form: EndpointForm<GroupValues, 'permission-groups'> }): ReactNode {
  return (
    <FieldRow>
      <TextField form={form} name="name" />
      <TextField form={form} name="description" />
    </FieldRow>
  );
}

/** Type, department and codes, once the organisation is known. */
function PlaceFields({ form }: { form: EndpointForm<GroupValues, 'permission-groups'> }): ReactNode {
  const { t } = useTranslation();
  const { organisationID, type } = form.values;
  const query = useQuery(read(choices, { organisationID }));
  const { data } = query;
  if (!data)
    return (
      <ReadState query={query}>
        <Skeleton height="12rem" />
      </ReadState>
    );
  return (
    <>
      <FieldRow>
        <SelectField
          form={form}
          name="type"
          hint={t(`permission-groups.typeHint.${type}`)}
          options={groupType.options
            .toReversed()
            .map((value) => ({ value, label: t(`permission-groups.type.${value}`) }))}
        />
        {type === 'department' &&
          (data.departments.length === 0 ? (
            <p className={styles.note}>{t('permission-groups.noDepartments')}</p>
          ) : (
            <SelectField
              form={form}
              name="departmentID"
              label={t('permission-groups.field.department')}
              required
              options={data.departments.map(({ departmentID, path }) => ({
                value: departmentID,
                label: path.join(' › '),
              }))}
            />
          ))}
      </FieldRow>
      <CodesField form={form} kind={data.kind} />
    </>
  );
}

/** A new permission group. */
export function GroupAddForm(props: ActionProps<{ organisationID: string | undefined }, typeof add>) {
  const { row, of, onClose } = props;
  return <AddDialog of={of} organisationID={row.organisationID} granted={[]} onClose={onClose} />;
}

/** A new permission group as the copy of another. */
export function GroupCopyForm({ row, of, onClose }: ActionProps<PermissionGroupRow, typeof add>) {
  const { t } = useTranslation();
  return (
    <Granted row={row} title={t('permission-groups.copyTitle', { name: row.name })} onClose={onClose}>
      {(granted) => <AddDialog of={of} copied={row} granted={granted} onClose={onClose} />}
    </Granted>
  );
}

interface AddDialogProps extends Pick<ActionProps<PermissionGroupRow, typeof add>, 'of' | 'onClose'> {
  organisationID?: string | undefined;
  /** The group that the new one begins as. */
  copied?: PermissionGroupRow;
  granted: readonly PermissionCode[];
}

function AddDialog({ of, organisationID = '', copied, granted, onClose }: AddDialogProps) {
  const { t } = useTranslation();
  const held = useGlobalState((state) => state.buttonPermissions);
  const source = useOrganisationSource();
  const initialValues: GroupValues = {
    id: '',
    organisationID: copied?.organisationID ?? organisationID,
    name: copied ? t('permission-groups.copyName', { name: copied.name }).slice(0, NAME_LENGTH) : '',
    description: copied?.description ?? '',
    type: copied?.type ?? 'role',
    departmentID: copied?.departmentID ?? '',
    codes: granted.filter((code) => held.includes(code)),
  };
  const form = useEndpointForm(of, {
    initialValues,
    draft: copied ? `copy-${copied.permissionGroupID}` : '',
    prepare: ({ id: _, departmentID, ...values }) => ({
      ...values,
      departmentID: values.type === 'department' && departmentID !== '' ? departmentID : null,
    }),
    check: ({ type, departmentID }) => ({
      departmentID: type === 'department' && departmentID === '' ? t('blocks.reason.notChosen') : undefined,
    }),
    reasons: { codes: t('permission-groups.codesRefused') },
    onDone: onClose,
  });
  const title = copied ? t('permission-groups.copyTitle', { name: copied.name }) : t('permission-groups.action.add');
  return (
    <FormDialog
      form={form}
      title={title}
      opened
      onClose={onClose}
      submitLabel={t(copied ? 'permission-groups.action.copy' : 'permission-groups.action.add')}
      wide
    >
      <RecordField
        form={form}
        name="organisationID"
        label={t('permission-groups.field.organisation')}
        source={source}
        required
        onChosen={(organisation) =>
          form.setValues({
            departmentID: '',
            codes: form.values.codes.filter(
              (code) => organisation && permissions[code].some((holder) => holder === levelOfKind(organisation.kind)),
            ),
          })
        }
      />
      <NameFields form={form} />
      {form.values.organisationID === '' ? (
        <p className={styles.note}>{t('permission-groups.pickOrganisation')}</p>
      ) : (
        <PlaceFields key={form.values.organisationID} form={form} />
      )}
    </FormDialog>
  );
}

interface GrantedProps {
  row: PermissionGroupRow;
  /** That of the form which follows. */
  title: string;
  onClose: () => void;
  children: (granted: readonly PermissionCode[]) => ReactNode;
}

/** Reads what a group grants before its form begins. */
function Granted({ row, title, onClose, children }: GrantedProps): ReactNode {
  const group = useQuery(read(detail, { permissionGroupID: row.permissionGroupID }));
  return (
    <ReadFirst query={group} title={title} onClose={onClose} shape="drawer" wide>
      {({ granted }) => children(granted)}
    </ReadFirst>
  );
}

/** Name, description and codes of a permission group. */
export function GroupEditForm({ row, of, onClose }: ActionProps<PermissionGroupRow, typeof edit>) {
  const { t } = useTranslation();
  return (
    <Granted row={row} title={t('permission-groups.editTitle', { name: row.name })} onClose={onClose}>
      {(granted) => <EditDialog row={row} of={of} granted={granted} onClose={onClose} />}
    </Granted>
  );
}

interface EditDialogProps extends Pick<ActionProps<PermissionGroupRow, typeof edit>, 'row' | 'of' | 'onClose'> {
  granted: readonly PermissionCode[];
}

function EditDialog({ row, of, granted, onClose }: EditDialogProps) {
  const { t } = useTranslation();
  const initialValues: GroupValues = {
    id: row.permissionGroupID,
    organisationID: row.organisationID,
    name: row.name,
    description: row.description,
    type: row.type,
    departmentID: row.departmentID ?? '',
    codes: granted,
  };
  const form = useEndpointForm(of, {
    initialValues,
    prepare: ({ id, name, description, codes: chosen }) => ({
      permissionGroupID: id,
      name,
      description,
      codes: chosen,
    }),
    reasons: { codes: t('permission-groups.codesRefused') },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('permission-groups.editTitle', { name: row.name })}
      opened
      onClose={onClose}
      submitLabel={t('permission-groups.save')}
      wide
    >
      <p className={styles.note}>
        {[row.organisation, t(`permission-groups.type.${row.type}`), row.department]
          .filter((each) => each !== '')
          .join(' · ')}
      </p>
      <Affected row={row} effect />
      <NameFields form={form} />
      <CodesField form={form} kind={row.organisationKind} />
    </FormDialog>
  );
}
