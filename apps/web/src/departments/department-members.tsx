import { type Department, members } from '@sonnenwarte/contract/departments/departments';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Pager } from '../blocks/list/pager.tsx';
import { Badge } from '../blocks/show/badge.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import styles from './departments.module.css';

interface DepartmentMembersProps {
  department: Department;
  organisationID: string;
}

/** Who is in a department. */
export function DepartmentMembers({ department, organisationID }: DepartmentMembersProps) {
  const { t } = useTranslation();
  const { departmentID, description } = department;
  const [page, setPage] = useState<{ currentPage: number; pageSize: 10 | 20 | 50 }>({ currentPage: 1, pageSize: 10 });
  const query = useQuery({
    ...read(members, { departmentID, ...page }),
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  return (
    <div className={styles.members}>
      {description !== '' && <p className={styles.note}>{description}</p>}
      <ReadState query={query}>
        <Skeleton height="6rem" />
      </ReadState>
      {data?.total === 0 && <p className={styles.note}>{t('departments.noMembers')}</p>}
      {data && data.total > 0 && (
        <>
          <ul className={styles.list}>
            {data.members.map(({ accountID, account, name, enabled }) => (
              <li key={accountID} className={styles.member}>
                <span>
                  {account}
                  {name !== '' && <span className={styles.name}>{name}</span>}
                </span>
                {!enabled && <Badge>{t('members.state.disabled')}</Badge>}
              </li>
            ))}
          </ul>
          {data.total > 10 && (
            <Pager
              {...page}
              total={data.total}
              onChange={(change) => setPage({ ...page, currentPage: 1, ...change } as typeof page)}
            />
          )}
        </>
      )}
      <ScreenLink
        to="member"
        className={styles.link ?? ''}
        query={{ 'condition.organisationID': organisationID, 'condition.departmentID': departmentID }}
      >
        {t('departments.openMembers')}
      </ScreenLink>
    </div>
  );
}
