import { add, type Department, edit, move, remove } from '@sonnenwarte/contract/departments/departments';
import { useTranslation } from 'react-i18next';
import { type EndpointForm, useEndpointForm } from '../blocks/endpoint-form.ts';
import { SelectField, TextField } from '../blocks/fields.tsx';
import { FormDialog } from '../blocks/form-dialog.tsx';
import styles from './departments.module.css';
import { pathOf } from './tree-nodes.ts';

/** Stands for the top of the organisation in a list of departments. */
const TOP = 'top';
const NAME_LENGTH = 32;

const idOf = (choice: string): string | null => (choice === TOP ? null : choice);

function NameFields<V extends { name: string; description: string }>({ form }: { form: EndpointForm<V> }) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        form={form}
        name={'name' as keyof V & string}
        label={t('departments.field.name')}
        maxLength={NAME_LENGTH}
        autoFocus
      />
      <TextField
        form={form}
        name={'description' as keyof V & string}
        label={t('departments.field.description')}
        maxLength={128}
      />
    </>
  );
}

interface AddProps {
  organisationID: string;
  below: Department | undefined;
  onClose: () => void;
}

export function DepartmentAddForm({ organisationID, below, onClose }: AddProps) {
  const { t } = useTranslation();
  const form = useEndpointForm(add, {
    initialValues: { name: '', description: '' },
    draft: `${organisationID} ${below?.departmentID ?? TOP}`,
    prepare: (values) => ({ ...values, organisationID, parentID: below?.departmentID ?? null }),
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={t('departments.add')} opened onClose={onClose} submitLabel={t('departments.add')}>
      {below && (
        <p className={styles.note}>
          {t('departments.field.parentID')}: {below.name}
        </p>
      )}
      <NameFields form={form} />
    </FormDialog>
  );
}

interface ChangeProps {
  department: Department;
  onClose: () => void;
}

export function DepartmentEditForm({ department, onClose }: ChangeProps) {
  const { t } = useTranslation();
  const { departmentID, name, description } = department;
  const form = useEndpointForm(edit, {
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

interface PlaceProps extends ChangeProps {
  all: readonly Department[];
  /** The department and all below it, which are no place for it. */
  branch: ReadonlySet<string>;
}

/** The departments outside a branch, as choices of a place. */
const placesOf = (all: readonly Department[], branch: ReadonlySet<string>) =>
  all
    .filter(({ departmentID }) => !branch.has(departmentID))
    .map((each) => ({ value: each.departmentID, label: pathOf(all, each) }))
    .toSorted((a, b) => a.label.localeCompare(b.label));

export function DepartmentMoveForm({ department, all, branch, onClose }: PlaceProps) {
  const { t } = useTranslation();
  const { departmentID, name, parentID } = department;
  const form = useEndpointForm(move, {
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
      submitLabel={t('departments.move')}
    >
      <SelectField
        form={form}
        name="parentID"
        label={t('departments.field.parentID')}
        required
        options={[{ value: TOP, label: t('departments.top') }, ...placesOf(all, branch)]}
      />
    </FormDialog>
  );
}

/** Deletes an empty department, or one whose members and departments below are given another place. */
export function DepartmentRemoveForm({ department, all, branch, onClose }: PlaceProps) {
  const { t } = useTranslation();
  const { departmentID, name, members, groups } = department;
  const full = members > 0 || branch.size > 1;
  const form = useEndpointForm(remove, {
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
      submitLabel={t('departments.delete')}
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
