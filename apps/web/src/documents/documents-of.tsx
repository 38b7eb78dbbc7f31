import { type DocumentRow, dataloggerDocuments, deviceDocuments } from '@sonnenwarte/contract/documents/documents';
import { IconBook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { read } from '../client/queries.ts';
import { bytesText } from '../format/bytes-text.ts';
import { useFormat } from '../format/use-format.ts';
import { useGlobalState } from '../state/global-state.ts';
import { kindOf } from './document-words.ts';
import styles from './documents.module.css';
import { VideoLink } from './video-link.tsx';

const DocumentViewer = lazy(async () => ({ default: (await import('./document-viewer.tsx')).DocumentViewer }));

export type DocumentsOfProps = { readonly deviceID: string } | { readonly moduleID: string };

/** The manuals of a device or a datalogger; without any nothing. */
export function DocumentsOf(of: DocumentsOfProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const mayOpen = useGlobalState(({ menuCode }) => menuCode?.includes('doc-manual') ?? false);
  const [shown, show] = useState<DocumentRow>();
  const { data } = useQuery({
    ...('deviceID' in of
      ? read(deviceDocuments, { deviceID: of.deviceID }, { quiet: true })
      : read(dataloggerDocuments, { moduleID: of.moduleID }, { quiet: true })),
    enabled: mayOpen,
  });
  if (!data || data.documents.length === 0) return null;
  return (
    <Panel title={t('documents.of.title')}>
      <ul className={styles.of}>
        {data.documents.map((each) => (
          <li key={each.documentID}>
            <button type="button" aria-haspopup="dialog" onClick={() => show(each)}>
              <IconBook size={18} aria-hidden="true" />
              {each.name}
            </button>
            <small>
              {kindOf(each, t)} · {bytesText(each.bytes, format)}
            </small>
            <VideoLink to={each.videoLink} name={each.name} />
          </li>
        ))}
      </ul>
      {shown && (
        <Suspense fallback={null}>
          <DocumentViewer shown={shown} onClose={() => show(undefined)} />
        </Suspense>
      )}
    </Panel>
  );
}
