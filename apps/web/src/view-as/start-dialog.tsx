import { type Level, levels } from '@sonnenwarte/contract/levels';
import { choices, type start, type ViewKind } from '@sonnenwarte/contract/view-as/view-as';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Select } from '../blocks/form/select.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { RecordEntry } from '../blocks/widgets/record-entry.tsx';
import type { Permitted } from '../client/permit.ts';
import { useWrite } from '../client/queries.ts';
import styles from './view-as.module.css';
import { beginView } from './view-session.ts';

/** Through whose eyes to look. */
export interface ViewTarget {
  kind: ViewKind;
  id: string;
  name: string;
  level: Level;
}

interface ViewAsStartProps {
  of: Permitted<typeof start>;
  onClose: () => void;
  /** Whom a list's row names; without it the dialog asks. */
  preset?: ViewTarget;
}

const kindsOf = (level: Level): readonly ViewKind[] =>
  level === 1 || level === 10 ? ['account'] : ['organisation', 'account', 'group'];

const inputOf = ({ kind, id, level }: ViewTarget) => ({
  level,
  ...(kind === 'organisation' && { organisationID: id }),
  ...(kind === 'account' && { accountID: id }),
  ...(kind === 'group' && { permissionGroupID: id }),
});

/** Asks through whose eyes, says what that means, and begins the view. */
export function ViewAsStart({ of, onClose, preset }: ViewAsStartProps) {
  const { t } = useTranslation();
  const [target, setTarget] = useState(preset);
  const begin = useWrite(of, { inPlace: true });
  const close = () => {
    begin.reset();
    onClose();
  };
  const submit = async () => {
    if (!target || begin.isPending) return;
    const { token, access } = await begin.mutateAsync(inputOf(target));
    beginView(token, access);
  };
  return (
    <Dialog
      title={preset ? t('view-as.startAs', { name: preset.name }) : t('view-as.start')}
      opened
      onClose={close}
      footer={
        <div className={styles.foot}>
          {begin.error && <ErrorNotice error={begin.error} />}
          <div className={styles.buttons}>
            <Button look="filled" disabled={!target} onClick={() => void submit().catch(() => undefined)}>
              {t('view-as.submit')}
            </Button>
            <Button onClick={close}>{t('blocks.cancel')}</Button>
          </div>
        </div>
      }
    >
      <div className={styles.form}>
        <p className={styles.note}>{t('view-as.explain')}</p>
        {!preset && <TargetFields target={target} onChange={setTarget} />}
      </div>
    </Dialog>
  );
}

interface TargetFieldsProps {
  target: ViewTarget | undefined;
  onChange: (target: ViewTarget | undefined) => void;
}

function TargetFields({ target, onChange }: TargetFieldsProps) {
  const { t } = useTranslation();
  const [level, setLevel] = useState<Level>(2);
  const [kind, setKind] = useState<ViewKind>('organisation');
  const id = useId();
  const change = (nextLevel: Level, nextKind: ViewKind) => {
    setLevel(nextLevel);
    setKind(kindsOf(nextLevel).includes(nextKind) ? nextKind : 'account');
    onChange(undefined);
  };
  return (
    <>
      <Select
        label={t('view-as.field.level')}
        value={String(level)}
        options={levels.map((each) => ({ value: String(each), label: t(`levels.${each}`) }))}
        onChange={(value) => change(levels.find((each) => String(each) === value) ?? level, kind)}
      />
      <Segmented
        label={t('view-as.field.kind')}
        value={kind}
        options={kindsOf(level).map((each) => ({ value: each, label: t(`view-as.kind.${each}`) }))}
        onChange={(next) => change(level, next)}
        wide
      />
      <div className={styles.target}>
        <label id={`${id}-label`} htmlFor={id}>
          {t(`view-as.kind.${kind}`)}
        </label>
        <RecordEntry
          key={`${kind} ${level}`}
          id={id}
          labelledBy={`${id}-label`}
          source={{
            endpoint: choices,
            input: { kind, level },
            search: t('view-as.search'),
            none: t('view-as.noChoice'),
          }}
          value={target?.id ?? ''}
          onChange={(_, choice) => onChange(choice && { kind, id: choice.id, name: choice.name, level })}
        />
      </div>
    </>
  );
}
