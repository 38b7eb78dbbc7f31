import { type OrganisationChoice, organisations } from '@sonnenwarte/contract/departments/departments';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Combobox } from '../blocks/form/combobox.tsx';
import { read } from '../client/queries.ts';

const TYPING_PAUSE_MS = 250;

interface OrganisationPickerProps {
  label: string;
  /** Id of the chosen organisation. */
  value: string | undefined;
  onChange: (organisation: OrganisationChoice | undefined) => void;
  /** Entry that stands for no organisation in particular, for filters. */
  allLabel?: string;
  error?: string | undefined;
  required?: boolean;
}

/** One organisation, found by a part of its name. */
export function OrganisationPicker({
  label,
  value,
  onChange,
  allLabel,
  error,
  required = false,
}: OrganisationPickerProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { data } = useQuery({
    ...read(organisations, { search, ...(value !== undefined && { organisationID: value }) }),
    placeholderData: keepPreviousData,
  });
  const found = data?.organisations ?? [];
  const chosen = found.find(({ organisationID }) => organisationID === value);
  const matches = found.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  return (
    <Combobox
      label={label}
      text={chosen?.name ?? (value === undefined ? (allLabel ?? '') : '')}
      placeholder={t('departments.picker.hint')}
      noMatch={t('departments.picker.none')}
      error={error}
      required={required}
      choices={[
        ...(allLabel !== undefined && search === '' ? [{ id: '', name: allLabel, detail: '' }] : []),
        ...matches.map(({ organisationID, name, kind, above }) => ({
          id: organisationID,
          name,
          detail: [t(`departments.kind.${kind}`), above.at(-1)].filter(Boolean).join(' · '),
        })),
      ]}
      chosen={value ?? ''}
      onSearch={(text) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => setSearch(text.trim()), text === '' ? 0 : TYPING_PAUSE_MS);
      }}
      onChoose={(id) => onChange(found.find(({ organisationID }) => organisationID === id))}
    />
  );
}
