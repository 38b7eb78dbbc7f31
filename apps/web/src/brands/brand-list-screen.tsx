import { list as call, exportList, logoAddress } from '@sonnenwarte/contract/brands/brands';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { brandActions, brandAdding } from './brand-actions.tsx';
import styles from './brands.module.css';
import { Swatch } from './swatch.tsx';

/** Under which domain the portal has which name, logo and colour. */
export function BrandListScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const format = useFormat();
  const brands = useList(call);
  const fields = useMemo(
    (): readonly ShownField<typeof call>[] => [
      { field: 'name', card: 'title' },
      {
        field: 'logo',
        card: 'aside',
        cell: ({ logo }) =>
          logo === '' ? (
            t('brands.noLogo')
          ) : (
            <img className={styles.small} src={logoAddress(logo)} height={28} alt="" />
          ),
      },
      { field: 'domain', card: 'foot', cell: ({ domain }) => <span translate="no">{domain}</span> },
      { field: 'organisation', card: 'foot' },
      { field: 'colour', cell: ({ colour }) => <Swatch colour={colour} /> },
      { field: 'downloadLink', cell: ({ downloadLink }) => <Outside to={downloadLink} /> },
      { field: 'appLink', cell: ({ appLink }) => <Outside to={appLink} /> },
      { field: 'mailAddress', optional: true },
      { field: 'updatedMs', optional: true, cell: ({ updatedMs }) => format.dateTime(updatedMs, localZone()) },
    ],
    [t, format],
  );
  const columns = useColumns(brands, fields);
  return (
    <ListScreen
      title={label('doc-brand')}
      list={brands}
      actions={
        <>
          <ExportButton endpoint={exportList} list={brands} columns={columns} />
          <ActionButtons table={brandAdding} row={undefined} look="filled" />
        </>
      }
      figures={<p className={styles.about}>{t('brands.about')}</p>}
      filters={<ListSearch list={brands} />}
    >
      <DataTable list={brands} columns={columns} actions={brandActions} />
    </ListScreen>
  );
}

function Outside({ to }: { to: string }): ReactNode {
  if (to === '') return null;
  return (
    <a className={styles.outside} href={to} target="_blank" rel="noreferrer" translate="no">
      {to.replace(/^https:\/\//i, '')}
    </a>
  );
}
