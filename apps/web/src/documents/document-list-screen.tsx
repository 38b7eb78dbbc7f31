import {
  list as call,
  type DocumentProduct,
  documentProducts,
  documentTypes,
  exportList,
  MOST_COUNTED_DEVICES,
} from '@sonnenwarte/contract/documents/documents';
import { type Language, languages } from '@sonnenwarte/contract/languages';
import { LEVEL } from '@sonnenwarte/contract/levels';
import { languageNames } from '@sonnenwarte/phrases/languages';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { Select } from '../blocks/form/select.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { type FilteredList, useList } from '../blocks/list/use-list.ts';
import { bytesText } from '../format/bytes-text.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import { useGlobalState } from '../state/global-state.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { documentActions, documentAdding } from './document-actions.tsx';
import { productName } from './document-words.ts';
import { VideoLink } from './video-link.tsx';

/** Manuals and other documents of devices, with a viewer. */
export function DocumentListScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const format = useFormat();
  const isKeeper = useGlobalState(({ access }) => access === LEVEL.admin);
  const documents = useList(call);
  const fields = useMemo(
    (): readonly ShownField<typeof call>[] => [
      { field: 'name', card: 'title' },
      { field: 'type', card: 'aside' },
      { field: 'language', card: 'foot', cell: ({ language }) => languageNames[language] },
      { field: 'product', card: 'foot', cell: ({ product }) => productName(product, t) },
      {
        field: 'models',
        card: 'foot',
        cell: ({ models }) =>
          models.length === 0 ? t('documents.allModels') : <span translate="no">{models.join(', ')}</span>,
      },
      ...(isKeeper
        ? [
            {
              field: 'devices',
              card: 'figure',
              cell: ({ devices }) =>
                devices === null ? '' : `${format.number(devices)}${devices >= MOST_COUNTED_DEVICES ? '+' : ''}`,
            } as const satisfies ShownField<typeof call>,
          ]
        : []),
      { field: 'bytes', cell: ({ bytes }) => bytesText(bytes, format) },
      { field: 'videoLink', cell: ({ videoLink, name }) => <VideoLink to={videoLink} name={name} /> },
      { field: 'sentMs', optional: true, cell: ({ sentMs }) => format.dateTime(sentMs, localZone()) },
    ],
    [t, format, isKeeper],
  );
  const columns = useColumns(documents, fields);
  return (
    <ListScreen
      title={label('doc-manual')}
      list={documents}
      actions={
        <>
          <ExportButton endpoint={exportList} list={documents} columns={columns} />
          <ActionButtons table={documentAdding} row={undefined} look="filled" />
        </>
      }
      filters={
        <>
          <ListSearch list={documents} />
          <Filter
            list={documents}
            name="types"
            values={documentTypes}
            nameOf={(value) => t(`documents.type.${value}`)}
          />
          <Filter
            list={documents}
            name="products"
            values={documentProducts}
            nameOf={(value: DocumentProduct) => productName(value, t)}
          />
          <Filter
            list={documents}
            name="languages"
            values={languages}
            nameOf={(value: Language) => languageNames[value]}
          />
        </>
      }
    >
      <DataTable list={documents} columns={columns} actions={documentActions} />
    </ListScreen>
  );
}

const labels = {
  types: 'documents.field.type',
  products: 'documents.field.product',
  languages: 'documents.field.language',
} as const;

interface FilterProps<V extends string> {
  list: FilteredList<typeof call>;
  name: keyof typeof labels;
  values: readonly V[];
  nameOf: (value: V) => string;
}

function Filter<V extends string>({ list, name, values, nameOf }: FilterProps<V>): ReactNode {
  const { t } = useTranslation();
  const { [name]: chosen, ...others } = list.value.condition;
  return (
    <Select
      label={t(labels[name])}
      value={chosen?.[0] ?? ''}
      options={[
        { value: '', label: t('common.all') },
        ...values.map((value) => ({ value: value as string, label: nameOf(value) })),
      ]}
      onChange={(value) =>
        list.set({ condition: { ...others, ...(value !== '' && { [name]: [value] }) } } as Parameters<
          typeof list.set
        >[0])
      }
    />
  );
}
