import type { add, Department, edit, move, remove } from '@sonnenwarte/contract/departments/departments';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import type { DepartmentPlace } from './department-actions.tsx';
import styles from './departments.module.css';
import { branchOf, pathOf } from './tree-nodes.ts';

/** Stands for the top of the organisation in a list of departments. */
const TOP = 'top';

const idOf = (choice: string): string | null => (choice === TOP ? null : choice);

interface NameValues {
  name: string;
  description: string;
}

function NameFields({ form }: { form: EndpointForm<NameValues, 'departments'> }) {
  return (
    <>
      <TextField form={form} name="name" autoFocus />
      <TextField form={form} name="description" />
    </>
  );
}

type AddPlace = Pick<DepartmentPlace, 'organisationID'> & Partial<DepartmentPlace>;

/** A new department, below another one or at the top. */
export function DepartmentAddForm({ row, of, onClose }: ActionProps<AddPlace, typeof add>) {
  const { t } = useTranslation();
  const { organisationID, department: below } = row;
  const form = useEndpointForm(of, {
    initialValues: { name: '', description: '' },
    draft: `${organisationID} ${below?.departmentID ?? TOP}`,
    prepare: (values) => ({ ...values, organisationID, parentID: below?.departmentID ?? null }),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('departments.action.add')}
      opened
      onClose={onClose}
      submitLabel={t('departments.action.add')}
    >
      {below && (
        <p className={styles.note}>
          {t('departments.field.parentID')}: {below.name}
        </p>
      )}
      <NameFields form={form} />
    </FormDialog>
  );
}

export function DepartmentEditForm({ row, of, onClose }: ActionProps<DepartmentPlace, typeof edit>) {
  const { t } = useTranslation();
  const { departmentID, name, description } = row.department;
  const form = useEndpointForm(of, {
    initialValues: { name, description },
    draft: departmentID,
    prepare: (values) => ({ ...values, departmentID }),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('departments.editTitle', { name })}
      opened
      onClose={onClose}
      submitLabel={t('departments.save')}
    >
      <NameFields form={form} />
    </FormDialog>
  );
}

/** The departments outside a branch, as choices of a place. */
const placesOf = (all: readonly Department[], branch: ReadonlySet<string>) =>
  all
    .filter(({ departmentID }) => !branch.has(departmentID))
    .map((each) => ({ value: each.departmentID, label: pathOf(all, each) }))
    .toSorted((a, b) => a.label.localeCompare(b.label));

export function DepartmentMoveForm({ row, of, onClose }: ActionProps<DepartmentPlace, typeof move>) {
  const { t } = useTranslation();
  const { department, all } = row;
  const { departmentID, name, parentID } = department;
  const form = useEndpointForm(of, {
    initialValues: { parentID: parentID ?? TOP },
    draft: false,
    prepare: (values) => ({ departmentID, parentID: idOf(values.parentID) }),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('departments.moveTitle', { name })}
      opened
      onClose={onClose}
      submitLabel={t('departments.action.move')}
    >
      <SelectField
        form={form}
        name="parentID"
        required
        options={[{ value: TOP, label: t('departments.top') }, ...placesOf(all, branchOf(all, department))]}
      />
    </FormDialog>
  );
}

/** Deletes an empty department, or one whose members and departments below are given another place. */
export function DepartmentRemoveForm({ row, of, onClose }: ActionProps<DepartmentPlace, typeof remove>) {
  const { t } = useTranslation();
  const { department, all } = row;
  const branch = branchOf(all, department);
  const { departmentID, name, members, groups } = department;
  const full = members > 0 || branch.size > 1;
  const form = useEndpointForm(of, {
    initialValues: { moveTo: '' },
    draft: false,
    prepare: ({ moveTo }) => ({ departmentID, moveTo: full ? idOf(moveTo) : undefined }),
    check: ({ moveTo }) => ({ moveTo: full && moveTo === '' ? t('blocks.reason.notChosen') : undefined }),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('departments.deleteTitle', { name })}
      opened
      onClose={onClose}
      submitLabel={t('departments.action.delete')}
      danger
    >
      <p>{t(full ? 'departments.deleteFull' : 'departments.deleteEmpty')}</p>
      {full && (
        <SelectField
          form={form}
          name="moveTo"
          label={t('departments.moveTo')}
          required
          options={[{ value: TOP, label: t('departments.moveToNone') }, ...placesOf(all, branch)]}
        />
      )}
      {groups > 0 && <p className={styles.warning}>{t('departments.groupsGo', { count: groups })}</p>}
    </FormDialog>
  );
}
