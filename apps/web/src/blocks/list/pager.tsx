import { PAGE_SIZES, PAGER_BUTTONS } from '@sonnenwarte/contract/limits';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './pager.module.css';

/** The page numbers that have a button: at most `buttons`, around the current one. */
export function pageNumbers(current: number, pages: number, buttons = PAGER_BUTTONS): number[] {
  const first = Math.max(1, Math.min(current - Math.floor(buttons / 2), pages - buttons + 1));
  return Array.from({ length: Math.min(buttons, pages) }, (_, index) => first + index);
}

/** How many pages there are; an empty list has one. */
export const pagesOf = (total: number, pageSize: number): number => Math.max(1, Math.ceil(total / pageSize));

interface PagerProps {
  currentPage: number;
  pageSize: 10 | 20 | 50;
  total: number;
  onChange: (change: { currentPage?: number; pageSize?: 10 | 20 | 50 }) => void;
}

/** Page buttons, page size and what is shown of how many. */
export function Pager({ currentPage, pageSize, total, onChange }: PagerProps) {
  const { t } = useTranslation();
  const id = useId();
  const pages = pagesOf(total, pageSize);
  const from = total === 0 ? 0 : (currentPage - 1) * pageSize + 1;
  const turn = (page: number) => onChange({ currentPage: page });
  return (
    <nav className={styles.pager} aria-label={t('common.pages')}>
      <span className={styles.shown}>
        {t('common.shownOf', { from, to: Math.min(total, currentPage * pageSize), total })}
      </span>
      <label className={styles.size} htmlFor={id}>
        {t('common.perPage')}
        <select
          id={id}
          value={pageSize}
          onChange={(event) => {
            const size = PAGE_SIZES.find((each) => String(each) === event.currentTarget.value);
            if (size !== undefined) onChange({ pageSize: size });
          }}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </label>
      <div className={styles.buttons}>
        <button
          type="button"
          aria-label={t('common.previousPage')}
          disabled={currentPage <= 1}
          onClick={() => turn(currentPage - 1)}
        >
          <IconChevronLeft size={16} aria-hidden="true" />
        </button>
        {pageNumbers(currentPage, pages).map((page) => (
          <button
            key={page}
            type="button"
            aria-label={t('common.page', { page })}
            aria-current={page === currentPage ? 'page' : undefined}
            onClick={() => turn(page)}
          >
            {page}
          </button>
        ))}
        <button
          type="button"
          aria-label={t('common.nextPage')}
          disabled={currentPage >= pages}
          onClick={() => turn(currentPage + 1)}
        >
          <IconChevronRight size={16} aria-hidden="true" />
        </button>
      </div>
    </nav>
  );
}
